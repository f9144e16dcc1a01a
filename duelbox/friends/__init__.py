"""Matches with a friend on another machine: pairing, the sealed channel, messages and journals. Without Textual."""
