"""How terrain is drawn: marks for the pieces of a map, for its plan and for cuts through it."""
