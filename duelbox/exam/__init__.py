"""Exams: papers of positions nobody has seen, and the exact regret of what was answered."""
