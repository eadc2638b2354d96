"""Wardogs plays tabletop skirmish war games by the book."""

__version__ = "0.1.0"
