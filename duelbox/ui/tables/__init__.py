"""What each game adds to the table screen: its board, and how a view fills it."""
