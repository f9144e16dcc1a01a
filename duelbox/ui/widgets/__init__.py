"""Widgets: boards that draw a scene and say what was pointed at, and the small parts round them."""
