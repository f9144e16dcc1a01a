"""Tables without a screen: matches, verbs and refusals, prompts, and the tasks of lessons, puzzles and reviews."""
