"""What the database holds. A game is its entries; all else here is who may sit where, and what people said beside the table."""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text

metadata = MetaData()

games = Table(
    "games",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("system", String(16), nullable=False),
    Column("title", String(120), nullable=False),
    Column("head", Integer, nullable=False),  # the number of its last entry: who moves it from n to n + 1 has won the race
    Column("position", LargeBinary, nullable=False),  # where it stands after that entry
    Column("seed", LargeBinary, nullable=False),  # of the sealed dice; empty: people type what they roll
    Column("luck", LargeBinary, nullable=False),  # of its bots
    Column("waiting", String(64), nullable=False),  # the seats that owe an answer: "1,2"
    Column("over", Boolean, nullable=False),
    Column("stamp", Integer, nullable=False),  # grows with every change that somebody at the table may want to see
    Column("settings", Text, nullable=False),  # JSON: delay for spectators, clock
    Column("created", Float, nullable=False),
    Column("moved", Float, nullable=False),  # when the last entry came
)

entries = Table(
    "entries",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),  # the line of the record, byte for byte
)

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(60), nullable=False),
    Column("key", String(64), nullable=False, unique=True),  # hash of the sign-in link
    Column("webhook", Text, nullable=False, server_default=""),
    Column("created", Float, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("role", String(12), nullable=False),  # player, umpire
    Column("key", String(64), nullable=False, unique=True),  # hash of the secret link
    Column("player", String(16), nullable=False),  # person, or the name of a bot
    Column("name", String(60), nullable=False),  # who sits there; empty: nobody yet
    Column("person", String(32), ForeignKey("people.id"), nullable=True),
    Column("watchable", Boolean, nullable=False),  # agrees to spectators
    Column("told", Integer, nullable=False),  # the entry up to which a notice "your turn" went out
    Column("time_left", Float, nullable=True),  # seconds on the clock
    Column("draft", Text, nullable=False, server_default=""),  # JSON of an answer not yet given, with its number
    Index("seats_of_person", "person"),
)

watchers = Table(
    "watchers",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(64), primary_key=True),  # hash of the spectators' link
)

talk = Table(
    "talk",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("to", String(64), nullable=False),  # "": to all; else the seats that may hear it
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("talk_of_game", "game", "id"),
)

notes = Table(
    "notes",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("text", Text, nullable=False),  # the umpire's own
)

proposals = Table(
    "proposals",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # undo, draw
    Column("seat", Integer, nullable=False),
    Column("n", Integer, nullable=False),  # the head it was made at: another entry makes it void
    Column("agreed", String(64), nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("seen", Float, nullable=False),  # when it last gave a sign of life
)

present = Table(
    "present",
    metadata,
    Column("game", String(32), ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("worker", String(32), primary_key=True),  # where somebody sits in it
)
