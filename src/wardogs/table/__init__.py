"""The inches table: terrain, sight, reach, templates, maps."""
