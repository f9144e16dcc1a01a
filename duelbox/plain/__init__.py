"""The line mode: the same tables in lines of text, for screen readers, pipes and dumb terminals."""
