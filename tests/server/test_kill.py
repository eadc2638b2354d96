"""kill -9 at any moment, under load: what was promised is there, in order, once, and every game goes on.

WARDOGS_KILLS says how often (make kills: 100 on each kind of database).
"""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from typing import Any

from tests.server.conftest import Database
from tests.server.harness import PATIENT, Crowd, Served, free_port, lost
from wardogs.server.config import Config

KILLS = int(os.environ.get("WARDOGS_KILLS", "3"))
DAWGS: dict[str, Any] = {"system": "dawgs"}
DOGS: dict[str, Any] = {"system": "dogs", "scenario": {"theme": "village", "points": 100, "seed": 1, "turns": 3}}


def test_nothing_is_lost_when_the_server_is_killed(database: Database, tmp_path: Path) -> None:
    """All of its processes at once; now and then the database's too."""
    served = Served(Config(database.url, port=free_port(), workers=2, limits=PATIENT))
    rng = random.Random(os.urandom(8))

    async def go() -> None:
        served.start()
        await served.answers()
        async with Crowd(served.base, [DAWGS] * 16 + [DOGS] * 2, think=0.02) as crowd:
            await crowd.all_go_on()
            for k in range(KILLS):
                await asyncio.sleep(rng.random())
                served.kill()
                if database.server is not None and k % 3 == 2:
                    await asyncio.to_thread(database.server.kill)
                    await asyncio.to_thread(database.server.start)
                assert await asyncio.to_thread(lost, database.url, crowd.at_play, tmp_path) == []
                served.start()
                await crowd.all_go_on()
        assert await asyncio.to_thread(lost, database.url, crowd.players, tmp_path) == []
        print(f"{KILLS} kills, {len(crowd.players) // 2} games, {crowd.promised} choices promised and kept")

    try:
        asyncio.run(go())
    finally:
        served.kill()


def test_nothing_is_lost_when_a_worker_is_killed(database: Database, tmp_path: Path) -> None:
    """Its place is taken by another at once."""
    served = Served(Config(database.url, port=free_port(), workers=2, limits=PATIENT))
    rng = random.Random(os.urandom(8))

    async def go() -> None:
        served.start()
        await served.answers()
        async with Crowd(served.base, [DAWGS] * 16, think=0.02) as crowd:
            await crowd.all_go_on()
            for _ in range(KILLS):
                await asyncio.sleep(rng.random())
                served.kill_worker(rng)
                await crowd.all_go_on()
        assert await asyncio.to_thread(lost, database.url, crowd.players, tmp_path) == []
        assert served.stop() == 0

    try:
        asyncio.run(go())
    finally:
        if served.process is not None and served.process.poll() is None:
            served.kill()
