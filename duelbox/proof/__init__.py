"""Proofs that a player wins a position: lines that anybody can check, and the walk in which a person finds one."""
