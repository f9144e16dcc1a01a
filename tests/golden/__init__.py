"""Goldens: expected output in files, built by `python -m tests.golden.make`; read their diff like code."""
