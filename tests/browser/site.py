"""The server that the browser visits, and games in it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from tests.server.outside import Served
from wardogs.kernel.fate import seed_from
from wardogs.kernel.system import Wanted
from wardogs.server.games import NewGame
from wardogs.server.inviting import lay_table, link_to
from wardogs.systems import load_system


class Table(NamedTuple):
    """A game: the keys of its seats, and the links that open them in the client."""

    game: str
    keys: dict[int, str]
    links: dict[int, str]
    watch: str


class Site:
    """`wardogs serve`, over a database of its own."""

    def __init__(self, served: Served, folder: Path) -> None:
        self.served, self.url, self.database = served, served.url, str(folder / "games.db")
        self.asking = httpx.Client(base_url=self.url, timeout=30)

    def table(self, system: str = "dawgs", *, bots: dict[int, str] | None = None, **wanted: Any) -> Table:
        """A new game, as any client makes it: what else is wanted is as in POST /api/games. People sit where no bot does."""
        body = {"system": system, "players": bots or {}, "delay": 0, **wanted}
        made = self.asking.post("/api/games", json=body).raise_for_status().json()
        keys = {int(seat): key for seat, key in made["keys"].items()}
        links = {seat: link_to(self.url, made["game"], key) for seat, key in keys.items()}
        return Table(made["game"], keys, links, link_to(self.url, made["game"], made["watch"]))

    def seeded(
        self, seed: str, system: str = "dawgs", *, bots: dict[int, str] | None = None, umpire: bool = False, **wanted: Any
    ) -> Table:
        """A game whose dice are known: `wanted` is as in Wanted. Bots have luck of their own, so seat people where it matters."""
        plan = Wanted(**wanted)
        players = dict.fromkeys(load_system(system).plan(plan).seats, "person") | (bots or {})
        new = NewGame(system, plan, players, umpire=umpire, seed=seed_from(seed))
        with ThreadPoolExecutor(1) as beside:  # Playwright's loop runs in this thread
            laid = beside.submit(lay_table, self.database, self.url, new).result()
        keys = {seat: link.rpartition("/")[2] for seat, link in laid.links.items()}
        return Table(laid.game, keys, laid.links, laid.watch)

    def state(self, table: Table, seat: int) -> dict[str, Any]:
        """What a seat is shown now."""
        told: dict[str, Any] = self._get(f"/api/games/{table.game}/state", table.keys[seat])
        return told

    def facts(self, table: Table, seat: int = 1) -> dict[str, Any]:
        told: dict[str, Any] = self._get(f"/api/games/{table.game}", table.keys[seat])
        return told

    def choose(self, table: Table, seat: int, **choice: Any) -> None:
        """Somebody else's choice, at his own table far away."""
        self.do(table, seat, "choose", n=self.state(table, seat)["n"] + 1, choice=choice)

    def do(self, table: Table, seat: int, what: str, **deed: Any) -> dict[str, Any]:
        """Somebody else's deed meanwhile, as over the socket: do(table, 2, "choose", n=4, choice={...})."""
        answer = self.asking.post(f"/api/games/{table.game}/do", json={"do": what, **deed}, headers=bearing(table.keys[seat]))
        told: dict[str, Any] = answer.raise_for_status().json()
        return told

    def _get(self, path: str, key: str) -> Any:
        return self.asking.get(path, headers=bearing(key)).raise_for_status().json()


def bearing(key: str) -> dict[str, str]:
    return {"authorization": f"Bearer {key}"}
