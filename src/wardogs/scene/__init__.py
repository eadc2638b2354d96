"""Drawing a view."""
