"""How tables of each theme are laid out; see wardogs.table.generate."""
