"""The five games, a folder each; no game imports another."""
