"""The five duels, one folder each; no game knows another."""
