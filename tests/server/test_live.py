"""A live table: what a seat is told when it sits down, plays, is refused, comes back, takes back, whispers."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.server.plug import Plug
from tests.server.tables import a_game, hall_over, sit_down
from wardogs.kernel.replay import verify
from wardogs.server.hall import SWEEP, Hall
from wardogs.server.rulebooks import rulebook
from wardogs.server.telling import Audience, shown_to


def run(play: Coroutine[Any, Any, None]) -> None:
    asyncio.run(play)


def choice_of(hall: Hall, game: str, seat: int, rng: random.Random) -> dict[str, Any]:
    """What a player could choose; the room is asked, so that points need no second question."""
    return hall.rooms[game].referee.match.game.question.asks[seat].drawn(rng.random)


async def play_out(hall: Hall, game: str, plugs: dict[int, Plug], seed: int = 1, most: int = 10_000) -> None:
    rng = random.Random(seed)
    for _ in range(most):
        room = hall.rooms[game]
        if room.standing.over:
            break
        seat = rng.choice(room.standing.waiting)
        answer = await plugs[seat].ask("choose", n=room.standing.next, choice=choice_of(hall, game, seat, rng))
        assert answer["type"] == "done", answer
    for plug in plugs.values():
        await plug.reach(hall.rooms[game].standing.next - 1)


@pytest.mark.parametrize(
    ("system", "scenario"), [("dawgs", None), ("dogs", {"theme": "village", "points": 100, "seed": 1, "turns": 1})]
)
def test_a_whole_game_over_sockets(tmp_path: Path, system: str, scenario: Any) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, system, scenario=scenario, umpire=True)
            plugs = await sit_down(hall, made)
            await play_out(hall, made.game, plugs)
            room = hall.rooms[made.game]
            assert room.standing.over
            for seat, plug in plugs.items():
                assert plug.outcome["reason"]
                if seat:
                    seen = shown_to(room.referee.match, Audience("player", seat))
                    assert plug.view == msgspec.json.decode(msgspec.json.encode(seen))
            record = hall.store.record(made.game)
            assert verify(rulebook(system), record) > 0

    run(play())


def test_the_game_goes_on_after_the_hall_was_closed(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            await play_out(hall, made.game, await sit_down(hall, made), most=3)
            hash_ = hall.rooms[made.game].referee.match.record.hash
        async with hall_over(tmp_path / "w.db") as hall:
            plugs = await sit_down(hall, made)
            assert hall.rooms[made.game].referee.match.record.hash == hash_
            await play_out(hall, made.game, plugs)
            verify(rulebook("dawgs"), hall.store.record(made.game))

    run(play())


def test_who_comes_back_hears_what_he_missed(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            seen = plugs[1].n
            await plugs[1].leave()
            room, rng = hall.rooms[made.game], random.Random(3)
            await plugs[2].ask("choose", n=room.standing.next, choice=choice_of(hall, made.game, 2, rng))
            back = Plug(hall)
            sat = await back.sit(made.game, made.keys[1], after=seen)
            assert [entry["n"] for entry in sat["entries"]] == [seen + 1]
            again = Plug(hall)
            whole = await again.sit(made.game, made.keys[1])
            assert [entry["n"] for entry in whole["entries"]] == list(range(seen + 2))

    run(play())


def test_a_choice_sent_twice_counts_once(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            n, choice = hall.rooms[made.game].standing.next, choice_of(hall, made.game, 1, random.Random(1))
            assert (await plugs[1].ask("choose", n=n, choice=choice)) == {"type": "done", "id": "mine", "n": n}
            again = await plugs[1].ask("choose", n=n, choice=choice)
            assert (again["type"], again["fact"], again["data"]) == ("refused", "late", {"next": n + 1})
            assert hall.rooms[made.game].standing.next == n + 1

    run(play())


def test_an_illegal_choice_is_refused_with_its_rule_and_changes_nothing(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            match = hall.rooms[made.game].referee.match
            before = match.game.position
            answer = await plugs[1].ask("choose", n=match.record.next, choice={"verb": "dance"})
            assert (answer["type"], answer["rule"][:4]) == ("refused", "DAW-")
            assert "dance" in answer["text"]
            assert match.game.position == before
            assert (await plugs[1].ask("why", choice={"verb": "dance"}))["data"]["rule"] == answer["rule"]

    run(play())


@pytest.mark.parametrize("game", ["unknown", "other"])
@pytest.mark.parametrize("key", ["", "x", "wrong", "other"])
def test_wrong_links_are_all_answered_alike(tmp_path: Path, game: str, key: str) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            one, other = await a_game(hall), await a_game(hall)
            plug = Plug(hall)
            wrong = {"wrong": "a" * 32, "other": one.keys[1]}.get(key, key)
            answer = await plug.sit({"other": other.game}.get(game, game), wrong)
            assert answer == {
                "type": "wrong",
                "id": "mine",
                "text": "no such game, or no such link to it: ask who invited you for a new one",
            }

    run(play())


def test_a_whisper_is_heard_by_whom_it_is_meant_for(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, seats=3, umpire=True)
            plugs = await sit_down(hall, made)
            await plugs[1].ask("say", text="to the second alone", to=[2])
            await plugs[1].ask("say", text="to all")
            for seat in (2, 3, 0):
                await plugs[seat].until(lambda message: message.get("text") == "to all")
            heard = {seat: b"to the second alone" in b"".join(plug.heard) for seat, plug in plugs.items()}
            assert heard == {1: True, 2: True, 3: False, 0: False}
            for seat, key in made.keys.items():
                sat = await Plug(hall).sit(made.game, key)
                assert [line["text"] for line in sat["talk"]] == ["to the second alone"] * (seat in (1, 2)) + ["to all"]

    run(play())


def test_a_draft_is_kept_for_its_seat_alone_and_only_for_its_question(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            n = room.standing.next
            await plugs[1].ask("draft", n=n, choice={"verb": "half done"})
            assert (await Plug(hall).sit(made.game, made.keys[1]))["draft"] == {"verb": "half done"}
            assert "draft" not in await Plug(hall).sit(made.game, made.keys[2])
            await plugs[2].ask("choose", n=n, choice=choice_of(hall, made.game, 2, random.Random(1)))
            assert (await Plug(hall).sit(made.game, made.keys[1]))["draft"] == {"verb": "half done"}
            await plugs[1].ask("choose", n=n, choice=choice_of(hall, made.game, 1, random.Random(1)))
            assert "draft" not in await Plug(hall).sit(made.game, made.keys[1])

    run(play())


def test_undo_is_free_until_others_have_moved_and_needs_them_then(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            room, rng = hall.rooms[made.game], random.Random(2)
            await plugs[1].ask("choose", n=room.standing.next, choice=choice_of(hall, made.game, 1, rng))
            assert room.standing.waiting == (2,)
            assert (await plugs[1].ask("undo"))["data"] == {"needs": []}
            assert room.standing.waiting == (1, 2)
            for seat in (1, 2):
                await plugs[seat].ask("choose", n=room.standing.next, choice=choice_of(hall, made.game, seat, rng))
            head = room.standing.next
            assert (await plugs[1].ask("undo"))["data"] == {"needs": [2]}
            assert room.standing.next == head
            assert (await plugs[2].ask("agree", kind="undo"))["type"] == "done"
            assert room.referee.match.record.entries[-1].kind == "undo"

    run(play())


def test_undo_of_what_was_before_the_hall_opened_runs_the_rules_again(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, players={2: "random"})
            plugs = await sit_down(hall, made)
            n = hall.rooms[made.game].standing.next
            await plugs[1].ask("choose", n=n, choice=choice_of(hall, made.game, 1, random.Random(1)))
        async with hall_over(tmp_path / "w.db") as hall:
            plugs = await sit_down(hall, made)
            assert (await plugs[1].ask("undo"))["data"] == {"needs": []}
            assert hall.rooms[made.game].standing.waiting == (1, 2)

    run(play())


def test_the_umpire_sees_all_seats_rules_and_keeps_notes(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, umpire=True)
            plugs = await sit_down(hall, made)
            umpire, match = plugs[0], hall.rooms[made.game].referee.match
            assert set(umpire.view) == {"1", "2"}
            assert (await umpire.ask("rule", because="a gust", changes=[[1, "speed", 3]]))["type"] == "done"
            assert match.game.position.state[1].speed == 3
            assert (await plugs[1].ask("rule", because="please", changes=[[1, "speed", 3]]))["fact"] == "notyours"
            for wrong in (["1", "speed", 3], [1, "colour", 3], [9, "speed", 3]):
                told = (await umpire.ask("rule", because="a gust", changes=[wrong]))["text"]
                assert told == f"that ruling does not fit: there is no piece {wrong[0]!r} with a {wrong[1]}"
            await umpire.ask("note", text="the second is bluffing")
            assert (await Plug(hall).sit(made.game, made.keys[0]))["notes"] == "the second is bluffing"
            assert "notes" not in await Plug(hall).sit(made.game, made.keys[1])
            choice = choice_of(hall, made.game, 2, random.Random(1))
            assert (await umpire.ask("choose", n=match.record.next, choice=choice, seat=2))["type"] == "done"
            assert (await plugs[1].ask("choose", n=match.record.next, choice=choice, seat=2))["fact"] == "notyours"

    run(play())


def test_the_umpire_asks_what_a_seat_may_ask_and_nobody_else_does(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, "dogs", umpire=True)
            plugs = await sit_down(hall, made)
            room = hall.rooms[made.game]
            umpire, (seat,) = plugs[0], room.standing.waiting
            other = plugs[3 - seat]
            own = (await plugs[seat].ask("question"))["data"]
            assert own["topic"]
            assert (await umpire.ask("question", seat=seat))["data"] == own
            assert "data" not in await umpire.ask("question", seat=3 - seat)
            choice = choice_of(hall, made.game, seat, random.Random(1))
            for asked in ({"do": "why", "choice": choice}, {"do": "odds", "choice": choice}, {"do": "why"}):
                answers = [await plug.ask(**asked, seat=seat) for plug in (umpire, plugs[seat], other)]
                assert answers[0]["type"] == "done"
                assert {**answers[0], "id": 0} == {**answers[1], "id": 0}
                assert answers[2]["fact"] == "notyours"
            assert (await umpire.ask("odds", choice=choice))["fact"] == "notyours"  # whose?
            told = await umpire.ask("odds", choice=choice, seat=3 - seat)
            assert told["text"] == f"seat {3 - seat} is not asked anything now"

    run(play())


def test_spectators_need_the_leave_of_all_and_see_the_game_late(tmp_path: Path) -> None:
    async def play() -> None:
        from wardogs.server.store import Settings

        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, settings=Settings(delay=0.3))
            plugs = await sit_down(hall, made)
            assert (await Plug(hall).sit(made.game, made.watch))["type"] == "wrong"
            for plug in plugs.values():
                await plug.ask("watchable", yes=True)
            await asyncio.sleep(0.35)
            watcher = Plug(hall)
            sat = await watcher.sit(made.game, made.watch)
            assert (sat["type"], sat["role"], "question" in sat) == ("sat", "spectator", False)
            n = hall.rooms[made.game].standing.next
            await plugs[1].ask("choose", n=n, choice=choice_of(hall, made.game, 1, random.Random(1)))
            await asyncio.sleep(0.1)
            assert watcher.unread.empty()
            await watcher.reach(n)
            late = Plug(hall)
            assert (await late.sit(made.game, made.watch))["n"] == n
            assert (await watcher.ask("say", text="left!"))["fact"] == "notyours"

    run(play())


def test_a_rule_that_fails_in_one_game_disturbs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made, other = await a_game(hall), await a_game(hall)
            plugs, neighbours = await sit_down(hall, made), await sit_down(hall, other)
            match, rng = hall.rooms[made.game].referee.match, random.Random(1)
            before = match.game.position
            choice = choice_of(hall, made.game, 1, rng)
            with monkeypatch.context() as broken:
                broken.setattr(match.game.__class__, "answer", lambda *_: 1 / 0)
                answer = await plugs[1].ask("choose", n=match.record.next, choice=choice)
            assert (answer["type"], answer["fact"]) == ("refused", "broken")
            assert "division" not in answer["text"]
            assert hall.rooms[made.game].referee.match.game.position == before
            assert (await plugs[1].ask("choose", n=match.record.next, choice=choice))["type"] == "done"
            await play_out(hall, other.game, neighbours)

    run(play())


def test_answers_at_the_same_time_do_not_make_each_other_late(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs, rng = await sit_down(hall, made), random.Random(1)
            match = hall.rooms[made.game].referee.match
            n, choices = match.record.next, {seat: choice_of(hall, made.game, seat, rng) for seat in (1, 2)}
            assert (await plugs[1].ask("choose", n=n, choice=choices[1]))["n"] == n
            assert (await plugs[1].ask("choose", n=n, choice=choices[1]))["fact"] == "late"  # the same message again
            assert (await plugs[2].ask("choose", n=n, choice=choices[2]))["n"] == n + 1
            assert (await plugs[2].ask("choose", n=n, choice=choices[2]))["fact"] == "late"
            assert (await plugs[1].ask("choose", n=n + 1, choice=choices[1]))["fact"] == "late"  # to a question long gone

    run(play())


def first_of(domain: dict[str, Any]) -> Any:
    return domain["among"][0] if domain["type"] == "one" else domain.get("low", True)


def test_offers_are_worked_out_for_one_man_at_a_time(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            small = {"theme": "village", "points": 100, "seed": 1, "turns": 1}
            made = await a_game(hall, "dogs", scenario=small)
            plugs = await sit_down(hall, made)
            match, rng = hall.rooms[made.game].referee.match, random.Random(1)
            while match.game.question.asks[seat := match.game.waiting[0]].topic != "act":
                await plugs[seat].ask("choose", n=match.record.next, choice=choice_of(hall, made.game, seat, rng))
            await plugs[seat].reach(match.record.next - 1)
            question, whole = plugs[seat].question, match.game.question.asks[seat].offers
            assert (question["by"], question["doers"]) == ("model", list(match.game.position.state.active))
            assert [offer["verb"] for offer in question["offers"]] == ["end_slot"]
            told = list(question["offers"])
            for man in question["doers"]:
                mine = (await plugs[seat].ask("offers", doer=man))["data"]
                assert {offer["fields"]["model"]["among"][0] for offer in mine} == {man}
                told += mine
            every = msgspec.json.decode(msgspec.json.encode(tuple(whole)))
            assert sorted(map(repr, told)) == sorted(map(repr, every))
            assert (await plugs[seat].ask("offers", doer="nobody"))["type"] == "refused"
            move = next(offer for offer in told if offer.get("fields", {}).get("to", {}).get("type") == "spot")
            some = {"verb": move["verb"], **{name: first_of(field) for name, field in move["fields"].items() if name != "to"}}
            found = (await plugs[seat].ask("spots", choice=some, field="to", most=5))["data"]
            assert len(found["points"]) == 5
            assert found["cost"] == move.get("cost", {})
            assert all(match.game.question.asks[seat].refusal({**some, "to": point}) is None for point in found["points"])

    run(play())


def test_idle_rooms_are_closed_the_longest_unused_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = [await a_game(hall) for _ in range(4)]
            plugs = await sit_down(hall, made[0])
            for one in made[1:]:
                await hall.room(one.game)
            for k, room in enumerate(hall.rooms.values()):
                room.used -= SWEEP + 10 - k
            monkeypatch.setattr("wardogs.server.hall.OPEN", 2)
            hall.sweep()
            assert list(hall.rooms) == [made[0].game, made[3].game]
            hall.rooms[made[3].game].used -= 1000
            hall.sweep()
            assert list(hall.rooms) == [made[0].game]
            await plugs[1].leave()

    run(play())


def test_what_comes_too_soon_or_after_the_end_is_told_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall, options={"round_limit": 1})
            plugs = await sit_down(hall, made)
            n = hall.rooms[made.game].standing.next
            early = await plugs[1].ask("choose", n=n + 40, choice={"verb": "concede"})
            assert (early["fact"], early["data"], early["text"][:8]) == ("late", {"next": n}, "too soon")
            await play_out(hall, made.game, plugs)
            after = await plugs[1].ask("choose", n=n, choice={"verb": "concede"})
            assert (after["type"], after["fact"]) == ("refused", "game_over")

    run(play())


def test_a_message_that_is_not_understood_is_answered_with_its_mark(tmp_path: Path) -> None:
    async def play() -> None:
        async with hall_over(tmp_path / "w.db") as hall:
            made = await a_game(hall)
            plugs = await sit_down(hall, made)
            answer = await plugs[1].ask("say", text="x", extra=1)
            assert (answer["type"], answer["id"]) == ("wrong", "mine")
            assert (await plugs[1].ask("sit", game=made.game, key="x"))["fact"] == "not_now"
            stranger = Plug(hall)
            for raw in ("{", "[]", "5", '{"do":"dance"}', '{"do":"sit"}'):
                stranger.raw(raw)
            closed = await stranger.until(lambda message: message["type"] == "closed")
            assert closed["code"] == 4408

    run(play())
