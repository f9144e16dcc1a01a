"""Two terminals, one table."""
