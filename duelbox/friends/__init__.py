"""A match with a friend on another machine: pairing, the sealed channel, the messages, its file. No Textual here."""
