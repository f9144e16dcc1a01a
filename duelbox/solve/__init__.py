"""Exact solvers, one module a game, over packed integers; they see views only."""
