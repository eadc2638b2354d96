"""wardogs serve and wardogs backup as a host knows them: started, watched, stopped, copied."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import random
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from tests.cli.calling import call
from tests.server.outside import Served, asked, served
from tests.server.tables import a_game, hall_over, sit_down
from tools import typescript
from wardogs.server import logs
from wardogs.server.config import Config
from wardogs.server.database import open_engine, ready
from wardogs.server.metrics import OUTCOMES, TIMES, Metrics, metrics
from wardogs.server.pulse import look
from wardogs.server.store import Store
from wardogs.systems import KEYS

GUIDE = Path(__file__).parents[2] / "docs" / "protocol.md"
SAMPLE = re.compile(r'^wardogs_\w+(\{(\w+="[^"]*",?)+\})? [0-9.e+-]+$')


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("running"), "--workers", "2") as server:
        yield server


def figures(text: str) -> dict[str, float]:
    return {name: float(value) for line in text.splitlines() if line[0] != "#" for name, _, value in [line.rpartition(" ")]}


# ---- started -------------------------------------------------------------------------------------------------------


def test_it_says_where_it_serves_and_where_the_games_are(running: Served) -> None:
    assert re.fullmatch(
        r"Wardogs serves at http://127.0.0.1:\d+ and keeps its games in \S+games\.db; Ctrl-C stops it\.\n", running.line
    )
    assert httpx.get(f"{running.url}/health").json()["status"] == "ok"
    assert httpx.get(f"{running.url}/ready").status_code == 200


def test_help_has_examples() -> None:
    for command in ("serve", "backup"):
        code, out, _ = call(command, "--help")
        assert code == 0
        assert f"wardogs {command}" in out
        assert "Examples:" in out


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        code, _, err = call("serve", "--port", port, "--database", str(tmp_path / "w.db"))
    assert code == 2
    assert err.count("\n") == 1
    assert f"127.0.0.1:{port} cannot be served on: Address already in use; choose another --port" in err


def newer(path: Path) -> Path:
    ready(open_engine(str(path))).dispose()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    return path


def no_database(path: Path) -> Path:
    path.write_text("Not a database, but a letter to a friend, and long enough to be read as far as one likes. " * 20)
    return path


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--database", "postgresql://nobody@127.0.0.1:1/none"], "127.0.0.1:1/none: cannot be opened"),
        (["--database", "postgresql://nobody:secret@127.0.0.1:1/none"], "nobody:***@"),
        (["--database", "mysql://nobody@127.0.0.1/none"], "SQLite or PostgreSQL"),
        (["--database", "/proc/none/w.db"], "there is no folder /proc/none"),
        (["--database", "/proc/w.db"], "cannot be written"),
        (["--database", ":memory:"], "name a file"),
        (["--public-url", "games.example.org"], "https://games.example.org"),
        (["--workers", "0"], "workers"),
        (["--port", "99999"], "port"),
        (["--host", "not.an.address.invalid"], "cannot be served on"),
    ],
)
def test_what_cannot_be_served_says_why(args: list[str], says: str, tmp_path: Path) -> None:
    code, out, err = call(
        "serve", "--port", "0", *([] if "--database" in args else ["--database", str(tmp_path / "w.db")]), *args
    )
    assert code == 2
    assert says in err
    assert err.count("\n") == 1
    assert "Traceback" not in err + out
    assert "secret" not in err + out


def test_a_newer_database_and_no_database_are_left_alone(tmp_path: Path) -> None:
    code, _, err = call("serve", "--port", "0", "--database", str(newer(tmp_path / "newer.db")))
    assert (code, err.count("\n")) == (2, 1)
    assert "newer Wardogs" in err
    letter = no_database(tmp_path / "letter.db")
    before = letter.read_bytes()
    code, _, err = call("serve", "--port", "0", "--database", str(letter))
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot be opened" in err
    assert letter.read_bytes() == before


WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"fastapi", "uvicorn", "sqlalchemy", "alembic", "starlette", "psycopg"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
from wardogs.cli import main
main(sys.argv[1:])
"""


def test_without_the_extra_all_else_works() -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, "-c", WITHOUT, *args], capture_output=True, text=True, check=False)

    listed = run("--help")
    assert listed.returncode == 0
    assert "serve" in listed.stdout
    for command in (["serve"], ["backup", "x.db"]):
        refused = run(*command)
        assert refused.returncode == 2
        assert "pip install 'wardogs[serve]'" in refused.stderr
        assert refused.stderr.count("\n") == 1


def test_the_client_of_the_guide_plays(running: Served) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    names: dict[str, Any] = {"__name__": "guide"}
    exec(code, names)
    made = httpx.post(f"{running.url}/api/games", json={"system": "dawgs", "options": {"round_limit": 5}}, timeout=30).json()

    async def play() -> None:
        url = running.url.replace("http", "ws")
        await asyncio.wait_for(asyncio.gather(*(names["play"](url, made["game"], key) for key in made["keys"].values())), 30)

    asyncio.run(play())
    answer = httpx.get(f"{running.url}/api/games/{made['game']}", headers={"authorization": f"Bearer {made['keys']['1']}"})
    assert answer.json()["over"]


# ---- watched -------------------------------------------------------------------------------------------------------


def test_figures_of_all_workers_are_one(running: Served) -> None:
    for _ in range(40):
        httpx.get(f"{running.url}/health")
    seen = [figures(httpx.get(f"{running.url}/metrics").text)['wardogs_requests_total{status="2xx"}'] for _ in range(6)]
    assert seen[0] >= 40
    assert seen == sorted(seen)  # whichever worker answers
    text = httpx.get(f"{running.url}/metrics").text
    assert all(SAMPLE.match(line) for line in text.splitlines() if not line.startswith("#"))
    assert figures(text)["wardogs_workers"] == 2


def test_figures_are_for_the_host(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "a.db"), metrics_token="s3cret")) as client:
            assert (await client.get("/metrics")).status_code == 404
            assert (await client.get("/metrics", headers={"authorization": "Bearer wrong"})).status_code == 404
            assert (await client.get("/metrics", headers={"authorization": "Bearer s3cret"})).status_code == 200
        async with asked(Config(str(tmp_path / "a.db"))) as client:
            assert (await client.get("/metrics", headers={"authorization": "Bearer "})).status_code == 404
        async with asked(Config(str(tmp_path / "a.db")), ("127.0.0.1", 1)) as client:
            assert (await client.get("/metrics")).status_code == 200
            assert (await client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"})).status_code == 404

    asyncio.run(play())


def test_choices_are_counted_by_what_became_of_them(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            before = {outcome: metrics.sum("choices", "dawgs", outcome) for outcome in OUTCOMES}
            n, seat = room.standing.next, room.standing.waiting[0]
            choice = room.referee.match.game.question.asks[seat].drawn(random.Random(1).random)
            await plugs[seat].ask("choose", n=n, choice={"verb": "dance"})
            await plugs[seat].ask("choose", n=n, choice=choice)
            await plugs[seat].ask("choose", n=n, choice=choice)
            after = {outcome: metrics.sum("choices", "dawgs", outcome) - before[outcome] for outcome in OUTCOMES}
            assert after == {"accepted": 1, "refused": 1, "late": 1, "failed": 0}
            look(hall)
            assert metrics.sum("rooms", "dawgs") == 1
            assert metrics.sum("sockets") == 2
            assert metrics.sum("jobs") >= metrics.sum("commits") > 0

    asyncio.run(play())


def test_a_new_worker_goes_on_where_the_dead_one_was() -> None:
    board = Metrics(2)
    board.take(1)
    board.count("errors", by=5)
    board.set(3, "sockets")
    board.timed(TIMES[0], "choice_seconds", KEYS[0])
    board.timed(99.0, "choice_seconds", KEYS[0])
    board.take(1)
    assert (board.sum("errors"), board.sum("sockets")) == (5, 0)
    found = figures(board.text())
    named = f'wardogs_choice_seconds_bucket{{system="{KEYS[0]}",le="'
    assert (found[f'{named}0.001"}}'], found[f'{named}10"}}'], found[f'{named}+Inf"}}']) == (1, 1, 2)
    assert found[f'wardogs_choice_seconds_sum{{system="{KEYS[0]}"}}'] == pytest.approx(99.001)


def test_not_ready_without_its_database(tmp_path: Path) -> None:
    async def play() -> None:
        async with asked(Config(str(tmp_path / "w.db"))) as client:
            assert (await client.get("/ready")).status_code == 200
            hall = client.app.hall  # type: ignore[attr-defined]
            kept, hall.store = hall.store, Broken()
            assert (await client.get("/ready")).status_code == 503
            assert (await client.get("/health")).status_code == 200
            hall.store = kept

    asyncio.run(play())


class Broken:
    """A store whose database has gone."""

    @property
    def engine(self) -> Any:
        raise OSError("gone: the password was swordfish")


# ---- logs ----------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def logged(stream: io.StringIO, name: str, *args: Any, **kinds: Any) -> str:
    root, ours = logging.getLogger(), logging.getLogger("wardogs")
    handlers, level, our_level = root.handlers[:], root.level, ours.level
    try:
        logs.start("info", stream)
        logging.getLogger(name).log(logging.ERROR, *args, **kinds)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        ours.setLevel(our_level)
    return stream.getvalue()


def test_a_line_is_an_object_of_what_may_be_told() -> None:
    extra = {"game": "ab12", "n": 7, "error": "KeyError", "key": "sEcReT", "choice": {"verb": "mine"}, "view": [1]}
    (line,) = logged(io.StringIO(), "wardogs.room", "rules failed", extra=extra).splitlines()
    told = json.loads(line)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told.pop("time"))
    assert told == {"level": "error", "from": "wardogs.room", "what": "rules failed", "game": "ab12", "n": 7, "error": "KeyError"}


def test_of_an_exception_only_its_kind_and_place() -> None:
    try:
        raise ValueError("the mine lies at 12, 7")
    except ValueError as error:
        for name, said in [("uvicorn.error", "Exception in ASGI application\n"), ("asyncio", f"Task failed\nfuture: {error!r}")]:
            written = logged(io.StringIO(), name, said, exc_info=error)
            assert "mine" not in written
            assert json.loads(written)["error"] == "ValueError"
            assert json.loads(written)["at"][-1].startswith("test_of_an_exception")
    printed = 'Traceback (most recent call last):\n  File "/a/b.py", line 7, in fire\n    at(mine)\nKeyError: "mine"\n'
    told = json.loads(logged(io.StringIO(), "uvicorn.error", printed))
    assert (told["what"], told["error"], told["at"]) == ("failed", "KeyError", ["fire:7"])
    assert "mine" not in logged(io.StringIO(), "asyncio", "Exception in callback told('mine')")
    assert "mine" not in logged(io.StringIO(), "other", "hears %s", "mine")


def test_people_read_words() -> None:
    written = logged(Terminal(), "wardogs.room", "rules failed", extra={"game": "ab12", "at": ["walk:3", "fire:9"]})
    assert re.fullmatch(r"\d\d:\d\d:\d\d error   rules failed  game=ab12  at=walk:3,fire:9\n", written)


def test_errors_are_counted_but_not_those_of_clients() -> None:
    before = metrics.sum("errors")
    assert logged(io.StringIO(), "uvicorn.error", logs.NO_ERRORS[0]) == ""
    assert metrics.sum("errors") == before
    logged(io.StringIO(), "wardogs.room", "rules failed")
    assert metrics.sum("errors") == before + 1


# ---- stopped -------------------------------------------------------------------------------------------------------


async def press_on(server: Served, game: str, key: str, acknowledged: list[int], begun: asyncio.Event) -> int:
    """Write lines as fast as they are taken, until the server hangs up; its code."""
    async with websockets.connect(server.live) as socket_:
        await socket_.send(json.dumps({"do": "sit", "game": game, "key": key}))
        try:
            for number in range(100_000):
                await socket_.send(json.dumps({"do": "say", "text": str(number), "id": number}))
                while (said := json.loads(await socket_.recv())).get("id") != number or said["type"] != "done":
                    await asyncio.sleep(0.02 if said["type"] == "wrong" else 0)
                    if said["type"] == "wrong":
                        break
                else:
                    acknowledged.append(number)
                begun.set()
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
    return 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "Ctrl-C"])
def test_stopped_under_load_it_loses_nothing_and_says_goodbye(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path) as server:
        made = httpx.post(f"{server.url}/api/games", json={"system": "dawgs"}, timeout=30).json()
        acknowledged: list[int] = []

        async def play() -> list[int]:
            begun = asyncio.Event()
            people = [press_on(server, made["game"], key, acknowledged, begun) for key in made["keys"].values()]
            tasks = [asyncio.ensure_future(one) for one in people]
            await asyncio.wait_for(begun.wait(), 20)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(server.stop, number)
            return await asyncio.gather(*tasks)

        assert asyncio.run(play()) == [1012, 1012]
        assert server.process.returncode == 0
        assert server.process.stdout is not None
        assert "Stopped" in server.process.stdout.read()
        assert server.errors() == []
        assert [line["what"] for line in server.lines()] == ["serving", "stopped"]
        secrets = [*made["keys"].values(), made["watch"]]
        assert not any(secret in server.log.read_text() for secret in secrets)
    store = Store(open_engine(str(tmp_path / "games.db")))
    with store.engine.connect() as connection:
        kept = sorted(int(text) for (text,) in connection.exec_driver_sql("SELECT text FROM talk"))
    store.close()
    assert acknowledged
    assert not set(acknowledged) - set(kept)


@pytest.mark.parametrize("wait", [0.0, 0.3])
def test_stopped_while_a_bot_wakes_up(tmp_path: Path, wait: float) -> None:
    with served(tmp_path) as server:
        wanted = {"system": "dawgs", "players": {"2": "drill"}}
        made = httpx.post(f"{server.url}/api/games", json=wanted, timeout=30).json()
        httpx.get(f"{server.url}/api/games/{made['game']}", headers={"authorization": f"Bearer {made['keys']['1']}"}, timeout=30)
        time.sleep(wait)
        assert server.stop() == 0
        assert server.errors() == []


# ---- copied --------------------------------------------------------------------------------------------------------


def test_a_copy_is_a_database(tmp_path: Path) -> None:
    source, copy = tmp_path / "w.db", tmp_path / "copy.db"

    async def play() -> str:
        async with hall_over(source) as hall:
            made = await a_game(hall)
            code, out, _ = await asyncio.to_thread(call, "backup", str(copy), "--database", str(source))
            assert (code, out.count("\n")) == (0, 1)
            return made.game

    game = asyncio.run(play())
    store = Store(ready(open_engine(str(copy))))
    assert store.kept(game) is not None
    store.close()
    for args, says in [
        ((str(copy), "--database", str(source)), "not written over"),
        ((str(tmp_path / "x.db"), "--database", "none.db"), "no such database"),
        ((str(tmp_path / "x.db"), "--database", str(no_database(tmp_path / "letter.db"))), "letter.db: cannot be opened"),
        ((str(tmp_path / "none" / "x.db"), "--database", str(source)), "there is no folder"),
    ]:
        code, _, err = call("backup", *args)
        assert (code, err.count("\n")) == (2, 1)
        assert says in err
    assert not Path("none.db").exists()
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []
    assert {path.stat().st_mode & 0o077 for path in (source, copy)} == {0}  # they hold what nobody else may see
    assert "pg_dump" in call("backup", str(tmp_path / "y.db"), "--database", "postgresql://wardogs@127.0.0.1:1/none")[2]


# ---- described -----------------------------------------------------------------------------------------------------


def test_the_clients_types_are_current() -> None:
    assert typescript.TO.read_text(encoding="utf-8") == typescript.current(), "make them anew: python tools/typescript.py"


def test_the_document_tells_of_the_socket(tmp_path: Path) -> None:
    async def play() -> dict[str, Any]:
        async with asked(Config(str(tmp_path / "w.db"))) as client:
            found: dict[str, Any] = (await client.get("/api/openapi.json")).json()
            return found

    document = asyncio.run(play())
    schemas = document["components"]["schemas"]
    assert schemas["ToServer"]["discriminator"]["mapping"]["choose"] == "#/components/schemas/Choose"
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert named <= set(schemas)
