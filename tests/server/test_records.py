"""Records: out and in again, played back as a seat saw it, verified, forked."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from tests.server.conftest import Database
from tests.server.test_api import made, one_turn, play, with_key
from wardogs.bots import make_bot, play_out
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Sealed, seed_from
from wardogs.kernel.match import Match
from wardogs.kernel.record import Entry, Fork, Record, chained
from wardogs.kernel.replay import Discrepancy, resume
from wardogs.kernel.system import Wanted as Plan
from wardogs.server import records
from wardogs.server.clerk import Clerk, Job
from wardogs.server.lines import encode
from wardogs.server.rulebooks import rulebook


def finished(scenario: str = "dawn_patrol", rounds: int = 3, bot: str = "random") -> Match:
    """A whole game between bots."""
    book = rulebook("dawgs")
    setup = book.plan(Plan(scenario, options=({"round_limit": rounds},)))
    match = Match.start(book, setup, dict.fromkeys(setup.seats, bot), seed_from(5))
    play_out(match, {seat: make_bot(bot, 1, seat) for seat in setup.seats})
    return match


def lines(entries: list[Entry]) -> bytes:
    return b"".join(encode(entry) + b"\n" for entry in entries)


def rechained(entries: list[Entry]) -> list[Entry]:
    made_: list[Entry] = []
    for entry in entries:
        made_.append(chained(msgspec.structs.replace(entry, hash=""), made_[-1].hash if made_ else ""))
    return made_


def of_other_rules(match: Match) -> bytes:
    first, *rest = match.record.entries
    header = msgspec.structs.replace(match.header, rules_version="0")
    return lines(rechained([msgspec.structs.replace(first, header=header), *rest]))


def patched(view: Any, edits: list[Any]) -> Any:
    for path, value in edits:
        if not path:
            view = value
            continue
        place = view
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
    return view


# ---- as functions --------------------------------------------------------------------------------------------------


def test_a_replay_is_what_the_seat_saw() -> None:
    match = finished()
    for seat in (None, *match.header.setup.seats):
        view: Any = None
        for told in records.played_back(lines(match.record.entries), records.Wanted(seat)):
            found = json.loads(msgspec.json.encode(told))
            view = patched(view, found.get("edits", []))
        system = match.system
        assert view == json.loads(msgspec.json.encode(system.view(match.game, seat)))
        assert told.kind == "end"
        heard = [
            report.text
            for one in records.played_back(lines(match.record.entries), records.Wanted(seat))
            for report in one.reports
        ]
        assert heard == [match.record.phrasebook.report(r) for e in match.record.entries for r in e.reports if r.seen_by(seat)]


def test_a_replay_from_the_middle_begins_with_the_whole_view() -> None:
    raw = lines(finished().record.entries)
    first, *rest = records.played_back(raw, records.Wanted(1, 5, 7))
    assert (first.n, first.edits[0][0], [one.n for one in rest]) == (5, (), [6, 7])
    with pytest.raises(WardogsError, match="unknown seat 9"):
        list(records.played_back(raw, records.Wanted(9)))


def test_records_of_other_rules_are_told_in_words() -> None:
    match = finished()
    told = list(records.played_back(of_other_rules(match), records.Wanted(1)))
    assert all(one.words_only and not one.edits for one in told)
    assert [one.n for one in told] == [entry.n for entry in match.record.entries]
    assert any(report.text for one in told for report in one.reports)
    assert records.check(of_other_rules(match)).position == b""
    verdict = records.verify(of_other_rules(match))
    assert not verdict.verified
    assert "version 0" in verdict.text


def test_a_fork_verifies_with_its_own_seal() -> None:
    match = finished("last_flying", 12, "drill")
    n = next(entry.n for entry in match.record.entries if entry.n > 6 and entry.faces)
    forked = records.fork(lines(match.record.entries), records.Forked(n, {}, "mine"))
    entries = records.read(b"".join(line + b"\n" for line in forked.lines)).entries
    header = entries[0].header
    assert header is not None
    assert header.fork == Fork(n, match.record.entries[n].hash)
    assert header.commitment != match.header.commitment
    assert [entry.faces for entry in entries[1:]] == [entry.faces for entry in match.record.entries[1 : n + 1]]

    class Shelf:
        def write(self, entry: Entry, position: object) -> None:
            """Nowhere."""

    on = resume(match.system, Record(entries), Sealed(forked.seed, "mine"), Shelf())
    play_out(on, {seat: make_bot("drill", 2, seat) for seat in header.setup.seats})
    verdict = records.verify(lines(on.record.entries))
    assert verdict.verified, verdict.text
    after = sum(len(entry.faces) for entry in on.record.entries if entry.n > n)
    assert 0 < verdict.faces == after
    assert f"entries 1 to {n} were played in another game" in verdict.text
    later = next(entry for entry in on.record.entries if entry.n > n and entry.faces)
    rule, kind, face = later.faces[0]
    swapped = msgspec.structs.replace(
        later, faces=((rule, kind, face % 6 + 1 if isinstance(face, int) else face), *later.faces[1:])
    )
    if swapped != later:
        changed = [swapped if entry.n == later.n else entry for entry in on.record.entries]
        assert not records.verify(lines(rechained(changed))).verified
    again = records.fork(lines(on.record.entries), records.Forked(n + 1))
    assert not again.over


def test_what_cannot_be_forked_or_kept() -> None:
    match = finished()
    raw = lines(match.record.entries)
    last = match.record.next - 1
    for n, said in ((last, "is over there"), (last - 1, "is over there"), (last + 1, "entries 1 to"), (0, "entries 1 to")):
        with pytest.raises(WardogsError, match=said):
            records.fork(raw, records.Forked(n))
    with pytest.raises(WardogsError, match="unknown player hal"):
        records.fork(raw, records.Forked(3, {1: "hal"}))
    with pytest.raises(WardogsError, match="import it as a fork"):
        records.check(lines(match.record.entries[:6]))
    with pytest.raises(WardogsError, match="its hash does not fit"):
        records.check(raw.replace(b'"seat":1', b'"seat":2', 1))
    entries = list(match.record.entries)
    entries[-1] = msgspec.structs.replace(entries[-1], seed="00" * 32)
    with pytest.raises(Discrepancy, match="not the one that the header committed to"):
        records.check(lines(rechained(entries)))
    for junk in (b"", b"\n", b"{}", b"null\n", b'{"n":0,"kind":"header","header":7}\n', b"\xff\xfe", b"[" * 5000):
        with pytest.raises(WardogsError):
            records.check(junk)
        assert not records.verify(junk).verified


def test_a_clerk_that_fails_is_replaced() -> None:
    raw = lines(finished().record.entries)

    async def story() -> None:
        clerk = Clerk()
        first = await clerk.ask(Job("verify", raw))
        assert clerk.process is not None
        clerk.process.kill()
        await clerk.process.wait()
        assert await clerk.ask(Job("verify", raw)) == first
        hasty = asyncio.ensure_future(clerk.ask(Job("replay", raw, 1)))
        await asyncio.sleep(0.01)
        hasty.cancel()
        assert await clerk.ask(Job("verify", raw)) == first
        with pytest.raises(WardogsError, match="empty"):
            await clerk.ask(Job("check", b""))
        await clerk.close()

    asyncio.run(story())


# ---- as requests ---------------------------------------------------------------------------------------------------


def test_in_and_out_again(database: Database) -> None:
    match = finished()
    raw = lines(match.record.entries)

    async def story(client: httpx.AsyncClient) -> None:
        answer = await client.post("/api/records", content=raw, headers={"Content-Type": "application/x-ndjson"})
        assert answer.status_code == 201, answer.text
        game = answer.json()
        assert game["over"]
        url, key = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        out = await client.get(f"{url}/record", headers=key)
        assert out.content == raw
        assert out.headers["content-disposition"].endswith('.wardogs"')
        verdict = (await client.get(f"{url}/verify", headers=key)).json()
        assert verdict["verified"], verdict
        assert verdict["faces"] > 0
        state = (await client.get(f"{url}/state", headers=key)).json()
        assert state["outcome"]["turns"] == 3
        replay = await client.get(f"{url}/replay", params={"seat": 2, "from": 3, "to": 6}, headers=key)
        assert replay.headers["content-type"].startswith("application/x-ndjson")
        assert [json.loads(line)["n"] for line in replay.text.splitlines()] == [3, 4, 5, 6]
        assert (await client.get(f"{url}/replay", params={"seat": 60}, headers=key)).status_code == 422
        forked = await client.post(f"{url}/fork", json={"n": 6, "players": {"1": "person", "2": "person"}}, headers=key)
        assert forked.status_code == 201, forked.text
        new = forked.json()
        facts = (await client.get(f"/api/games/{new['game']}", headers=with_key(new["keys"]["1"]))).json()
        assert (facts["n"], facts["over"]) == (6, False)
        assert facts["commitment"] != match.header.commitment
        assert await one_turn(client, new)

    play(database.url, story)


def test_old_rules_open_no_table_but_their_record(tmp_path: Path) -> None:
    raw = of_other_rules(finished())

    async def story(client: httpx.AsyncClient) -> None:
        game = (await client.post("/api/records", content=raw)).json()
        url, key = f"/api/games/{game['game']}", with_key(game["keys"]["1"])
        assert (await client.get(f"{url}/record", headers=key)).content == raw
        shut = await client.get(url, headers=key)
        assert shut.status_code == 400
        assert "its record can still be read" in shut.json()["error"]
        assert (await client.get(url, headers=with_key("wrong"))).status_code == 404
        replay = await client.get(f"{url}/replay", params={"from": 1, "to": 1}, headers=key)
        assert json.loads(replay.text)["words_only"]

    play(tmp_path, story)


def test_a_running_game_keeps_its_secrets(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, umpire=True)
        url = f"/api/games/{game['game']}"
        for path in ("record", "replay", "verify"):
            answer = await client.get(f"{url}/{path}", headers=with_key(game["keys"]["1"]))
            assert answer.status_code == 409
            assert answer.json()["error"].startswith("the game is not over")
        refused = await client.post(f"{url}/fork", json={"n": 1}, headers=with_key(game["keys"]["1"]))
        assert refused.status_code == 409
        umpire = with_key(game["keys"]["0"])
        record = (await client.get(f"{url}/record", headers=umpire)).content
        assert json.loads(record.splitlines()[0])["kind"] == "header"
        forked = await client.post(f"{url}/fork", json={"n": 1}, headers=umpire)
        assert forked.status_code == 201
        sealed = await client.post("/api/records", content=record)
        assert (sealed.status_code, "import it as a fork" in sealed.json()["error"]) == (422, True)
        taken = await client.post("/api/records", params={"fork": True}, content=record)
        assert (taken.status_code, taken.json()["over"]) == (201, False)
        mailed = await client.post("/api/records", params={"fork": True}, content=record.replace(b"\n", b"\r\n"))
        assert (mailed.status_code, "that end in CR LF" in mailed.json()["error"]) == (422, True)
        for junk in (b"", b"hello", b"{}\n", b"\x00\xff"):
            answer = await client.post("/api/records", content=junk)
            assert answer.status_code == 422
            assert answer.json()["error"].startswith("the record: ")

    play(tmp_path, story)


def test_a_running_game_with_typed_dice_goes_on(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, umpire=True, dice="typed")
        record = (await client.get(f"/api/games/{game['game']}/record", headers=with_key(game["keys"]["0"]))).content
        taken = await client.post("/api/records", content=record)
        assert taken.status_code == 201, taken.text
        new = taken.json()
        state = (await client.get(f"/api/games/{new['game']}/state", headers=with_key(new["keys"]["1"]))).json()
        assert state.get("throw") or state["waiting"]

    play(tmp_path, story)


def test_a_finished_record_comes_in_first_and_is_forked_then(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        refused = await client.post("/api/records", params={"fork": True}, content=lines(finished().record.entries))
        assert (refused.status_code, "import it without fork=true" in refused.json()["error"]) == (422, True)

    play(tmp_path, story)


def test_a_late_spectator_gets_the_record_when_he_has_seen_the_end(tmp_path: Path) -> None:
    async def story(client: httpx.AsyncClient) -> None:
        game = await made(client, delay=3600)
        url, one, watch = f"/api/games/{game['game']}", with_key(game["keys"]["1"]), with_key(game["watch"])
        for seat in "12":
            await client.post(f"{url}/do", json={"do": "watchable", "yes": True}, headers=with_key(game["keys"][seat]))
        before = [await client.get(f"{url}/{path}", headers=watch) for path in ("record", "replay", "verify")]
        await client.post(f"{url}/do", json={"do": "resign"}, headers=one)
        for path, answer in zip(("record", "replay", "verify"), before, strict=True):
            assert (await client.get(f"{url}/{path}", headers=one)).status_code == 200
            again = await client.get(f"{url}/{path}", headers=watch)
            assert (again.status_code, again.content) == (409, answer.content)

    play(tmp_path, story)
