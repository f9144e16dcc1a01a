"""The full screen: the only part that knows Textual."""
