"""Everything that all games share: models, errors, the contract of a game, codes, sessions, records and matches."""
