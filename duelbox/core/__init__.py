"""What every duel shares: models, errors, the contract of a game, codes, sessions, records, matches."""
