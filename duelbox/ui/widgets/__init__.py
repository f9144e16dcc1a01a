"""Widgets: boards, and the lines, lists and forms around them."""
