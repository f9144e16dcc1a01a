"""A table without a screen: the match on it, who decides its moves, what can be done there, and what is said."""
