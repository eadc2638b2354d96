"""The server: live games that lose nothing and leak nothing. See docs/server.md for how it is put together."""
