"""Two terminals, one table: rooms, pairing, the sealed channel and the messages of a match. No Textual, no rules."""
