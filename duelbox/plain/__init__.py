"""The line mode: the same session with prompts, for screen readers, pipes and dumb terminals."""
