"""Tables without a screen: matches, their verbs and refusals, prompts, and the tasks of lessons, puzzles and reviews."""
