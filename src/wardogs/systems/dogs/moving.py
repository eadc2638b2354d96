"""Movement: walking, running and crawling inch by inch, going prone, standing up, turning."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, hypot
from typing import Any, NamedTuple

from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Ask, Choice, Flag, Number, Offer, Refusal, Spot
from wardogs.systems.dogs.closing import breaks_contact
from wardogs.systems.dogs.commanding import in_command
from wardogs.systems.dogs.data import BODY, COSTS
from wardogs.systems.dogs.figures import MOVES
from wardogs.systems.dogs.measure import CLOSE, bearing, in_contact, in_melee, within
from wardogs.systems.dogs.seeing import sees_now
from wardogs.systems.dogs.state import Fight, Id, Model, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, short_of_ap, unpacked
from wardogs.systems.dogs.ways import (
    Gait,
    Lazily,
    Path,
    cost,
    factor,
    field,
    has_floor,
    length,
    part,
    path_to,
    plain_cost,
    point_at,
    runs,
    touches_rubble,
)
from wardogs.table.units import Inches, Place

JUST_BEFORE = 0.06  # inches between two bases that are about to touch (DOW-OPF-05 a)

# ---- may he move? ----------------------------------------------------------------------------------------------------


def why_not_move(g: Fight, man: Model, gait: Gait) -> Iterator[Refusal]:
    """DOW-HLT-04, DOW-MOV-06, -08, -25, DOW-CAR-03, DOW-TAK-07: legs, stance, load, a prisoner who walks."""
    if man.immobilized:
        yield Refusal("DOW-HLT-04", "immobilized")
    if man.climbing:
        yield Refusal("DOW-MOV-11", "on_the_face")
    if man.halted:
        yield Refusal("DOW-MOV-19", "fired_standing")
    if man.vehicle:
        yield Refusal("DOW-VEH-06", "aboard")
    if gait == "crawl" and man.stance != "prone":
        yield Refusal("DOW-MOV-06", "not_prone")
    if gait == "crawl" and man.leading:
        yield Refusal("DOW-TAK-07", "leads_a_prisoner")
    if gait != "crawl" and man.stance == "prone":
        yield Refusal("DOW-MOV-08", "prone")
    if gait == "run":
        yield from _why_not_run(man)


def _why_not_run(man: Model) -> Iterator[Refusal]:
    if man.slow:
        yield Refusal("DOW-MOV-25", "too_slow_to_run")
    if man.ima:
        yield Refusal("DOW-HLT-03", "must_bandage")
    if man.carrying and not man.may_run_loaded:
        yield Refusal("DOW-CAR-03", "load_too_heavy")
    if man.leading:
        yield Refusal("DOW-TAK-07", "leads_a_prisoner")


def least_cost(g: Fight, man: Model, gait: Gait) -> int:
    """What the first inch, or the first run, costs at the very least."""
    least = {"walk": COSTS.walk_per_inch, "run": COSTS.run.ap, "crawl": COSTS.crawl_per_inch}
    return factor(man) * least[gait]


def move_offers(g: Fight, man: Model, gait: Gait) -> Iterator[Offer]:
    if first_refusal(why_not_move(g, man, gait)) is None and man.ap >= least_cost(g, man, gait):
        spot = Spot.on(gait, Lazily(g, man, gait))
        yield Offer(gait, MOVE_RULES[gait], one(man.id, to=spot, face=Number(0, 345, 15, "degrees")))


MOVE_RULES: dict[Gait, str] = {"walk": "DOW-MOV-01", "run": "DOW-MOV-03", "crawl": "DOW-MOV-06"}


def why_not_there(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """Why he cannot go where somebody wants him."""
    gait: Gait = choice["verb"]
    if (refusal := first_refusal(why_not_move(g, man, gait))) is not None:
        return refusal
    to = choice.get("to")
    if not isinstance(to, list) or len(to) != 3:
        return None
    far = field(g, man, gait, 100.0)
    path = path_to(far, (float(to[0]), float(to[1]), float(to[2])))
    if path is None:
        return Refusal(MOVE_RULES[gait], "no_way", {"to": to})
    return short_of_ap(man, cost(g, man, gait, path), MOVE_RULES[gait])


def path_of(g: Fight, man: Model, choice: Choice) -> Path:
    gait: Gait = choice["verb"]
    x, y, z = choice["to"]
    path = path_to(field(g, man, gait, float(man.ap)), (float(x), float(y), float(z)))
    assert path is not None, "an offer admits only what can be reached"
    return path


def move_cost(g: Fight, man: Model, choice: Choice) -> int:
    return cost(g, man, choice["verb"], path_of(g, man, choice))


# ---- carrying it out -------------------------------------------------------------------------------------------------


def move(g: Fight, args: Packed) -> None:
    """DOW-MOV-27: declared as a whole path; those whom he leaves may strike first (DOW-CQC-16)."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    gait: Gait = choice["verb"]
    spent = man.ap_before - man.ap
    path = path_to(field(g, man, gait, float(man.ap_before)), tuple(choice["to"]))
    if path is None:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    begin_march(g, man, gait, path, spent, float(choice["face"]))


class March(NamedTuple):
    """A move under way."""

    who: Id
    gait: Gait
    path: Path
    paid: int
    face: float | None
    flight: bool  # he was broken when he set out
    hurt: bool = False  # he had a wound to be bound when he set out
    met: tuple[Id, ...] = ()  # enemies who have had their chance to strike at him on this move


def begin_march(g: Fight, man: Model, gait: Gait, path: Path, paid: int, face: float | None) -> None:
    if man.cancelled or man.pressing:
        g.edit(man.id, cancelled=False, pressing=False)
    if gait == "run":
        saw = tuple(enemy.id for enemy in g.state.enemies(man) if sees_now(g, man, enemy)) if man.moved != "run" else man.saw
        g.edit(man.id, saw=saw, ran=True)
    g.report(MOVE_RULES[gait], "sets_out", who=man.id, gait=gait, to=path[-1], ap=paid)
    if man.returning and in_command(g, man):
        later(g, "inside_again", man.id)  # DOW-COM-06: his leader has come to him
    if near := in_melee(g, man):
        later(g, "parting", man.id, path)
    g.then(march, 0.0, *March(man.id, gait, path, paid, face, man.broken, man.ima, tuple(foe.id for foe in near)))


def march(g: Fight, done: float, *figures: Any) -> None:
    """DOW-MOV-01, -03, -06: the next inch; then all that may come of it."""
    move = March(*figures)
    man = g.state[move.who]
    if not can_go_on(man, move):
        g.then(halt, done, *move._replace(face=None))
        return
    far = length(move.path)
    to = min(floor(done + CLOSE) + 1.0, far)
    near = _beside(g, man, part(move.path, done, to))
    if near and (touch := first_touch(g, man, move.path, done, to)) is not None:
        to = touch
    brushed = first_brush(g, man, move, done, to) if near else None
    if brushed is not None:
        place_man(g, man, move.path, brushed[0], move.gait, done)
        g.then(brushes_past, *brushed, *move)
        return
    while to < far and not has_floor(g, point_at(move.path, to)):
        to = min(to + MOVES.least, far)
    place_man(g, man, move.path, to, move.gait, done)
    g.then(inch_done if within(far, to) or not is_quiet(g, g.state[man.id]) else march, to, *move)


def is_quiet(g: Fight, man: Model) -> bool:
    """Nothing that follows an inch could come of this one: no mine lies anywhere, nobody watches, his leader has him in hand."""
    if man.leading or g.state.interrupted or man.returning or man.courage_ok:
        return False
    if g.state.mined or any(enemy.ready for enemy in g.state.enemies(man)):
        return False
    return man.broken or in_command(g, man)


def first_brush(g: Fight, man: Model, move: March, done: float, to: float) -> tuple[float, tuple[Id, ...]] | None:
    """DOW-CQC-16: where, within this inch, he touches enemies from whom the rest of his path parts him again; and who."""
    corners = part(move.path, done, to)
    foes = [foe for foe in _beside(g, man, corners) if foe.able and foe.id not in move.met]
    for k in range(20 if foes else 0):
        far = done + (to - done) * k / 20
        there = replace(man, at=point_at(move.path, far))
        if met := [foe for foe in foes if in_contact(g, there, foe)]:
            rest = part(move.path, far, length(move.path))
            if touched := tuple(foe.id for foe in met if breaks_contact(g, there, foe, rest)):
                return far, touched
    return None


def brushes_past(g: Fight, done: float, foes: tuple[Id, ...], *figures: Any) -> None:
    """DOW-CQC-16, DOW-OPF-08: whom he touches on his way watches no more, and may strike before he is past."""
    move = March(*figures)
    lose_watches(g, g.state[move.who])
    later(g, "parting", move.who, part(move.path, done, length(move.path)), move.met)
    g.then(march, done, *move._replace(met=(*move.met, *foes)))


def can_go_on(man: Model, move: March) -> bool:
    """DOW-MOV-27, DOW-HLT-03: not one made unable, prone by a wound, ducking or broken; nor one whose courage has failed him."""
    upright = man.stance == "standing" or move.gait == "crawl"
    stopped = man.ducking or man.cancelled or (man.broken and not move.flight) or (man.ima and not move.hurt)
    return man.free and not man.immobilized and upright and man.on_table and not stopped


def place_man(g: Fight, man: Model, path: Path, to: float, gait: Gait, done: float) -> None:
    before, at = point_at(path, done), point_at(path, to)
    heading = bearing(before, at) if before[:2] != at[:2] else man.facing
    marks = {"run": "run", "walk": "walk", "crawl": "none"}
    moved = marks[gait]
    if man.moved == "run" or (man.moved == "walk" and gait == "crawl"):
        moved = man.moved
    g.edit(man.id, at=at, facing=round(heading, 1), moved=moved, seen_moving=_seen(man, gait), ducking=man.ducking)
    if man.carrying:
        g.edit(man.carrying, at=at)
    leave_contacts(g, g.state[man.id])


def _seen(man: Model, gait: Gait) -> str:
    return "none" if gait == "crawl" else "run" if gait == "run" or man.seen_moving == "run" else "walk"


def leave_contacts(g: Fight, man: Model) -> None:
    """DOW-CQC-15, DOW-TAK-03: who parts loses the edge, and lets go whom he held."""
    for enemy in g.state.enemies(man):
        tied = enemy.id in man.edge or man.id in enemy.edge or enemy.held_by == man.id
        if not tied or in_contact(g, man, enemy):
            continue
        if enemy.id in man.edge:
            g.edit(man.id, edge=tuple(id_ for id_ in g.state[man.id].edge if id_ != enemy.id))
        if man.id in enemy.edge:
            g.edit(enemy.id, edge=tuple(id_ for id_ in enemy.edge if id_ != man.id))
        if enemy.held_by == man.id:
            g.edit(enemy.id, held_by="")


def first_touch(g: Fight, man: Model, path: Path, done: float, to: float) -> float | None:
    """Where, within this inch, he would come into contact with an enemy: just before the bases touch."""
    corners = part(path, done, to)
    enemies = [enemy for enemy in _beside(g, man, corners) if not in_contact(g, man, enemy)]
    steps = 20 if enemies else 0
    for k in range(1, steps + 1):
        far = done + (to - done) * k / steps
        there = point_at(path, far)
        for enemy in enemies:
            if abs(enemy.at[2] - there[2]) <= BODY.contact_rise and _gap_there(there, enemy) <= JUST_BEFORE:
                before = done + (to - done) * (k - 1) / steps
                return before if before > done + MOVES.least / 2 else None
    return None


def _beside(g: Fight, man: Model, corners: Path) -> list[Model]:
    """The enemies who stand within or near the box around a piece of a path."""
    near, (xs, ys, _) = BODY.base + JUST_BEFORE, zip(*corners, strict=True)
    west, east, south, north = min(xs) - near, max(xs) + near, min(ys) - near, max(ys) + near
    return [enemy for enemy in g.state.enemies(man) if west <= enemy.at[0] <= east and south <= enemy.at[1] <= north]


def _gap_there(place: Place, enemy: Model) -> Inches:
    return max(0.0, hypot(place[0] - enemy.at[0], place[1] - enemy.at[1]) - BODY.base)


def inch_done(g: Fight, done: float, *figures: Any) -> None:
    """After each inch: mines, courage, watchers, and then the mover himself."""
    move = March(*figures)
    who, path, man = move.who, move.path, g.state[move.who]
    if man.leading:
        later(g, "keep_beside", who)
        later(g, "mines_under", man.leading)
    before = point_at(path, max(0.0, done - 1.0))
    later(g, "mines_under", who, before)
    if not man.broken and within(min(1.0, length(path)), done):
        later(g, "courage", who, before)
    later(g, "window", other(man.side), "move", who)
    g.then(march_on, done, *move)


def march_on(g: Fight, done: float, *figures: Any) -> None:
    """DOW-MOV-27: go on along the path, or stop here, if something has come in between."""
    move = March(*figures)
    man, over = g.state[move.who], within(length(move.path), done)
    if over or not can_go_on(man, move):
        g.then(halt, done, *(move if over else move._replace(face=None)))
        return
    if g.state.interrupted and not man.broken:
        offers = (Offer("march", "DOW-MOV-27", {"on": Flag()}),)
        if not g.ask("DOW-MOV-27", man.side, Ask("march", offers, {"verb": "march", "on": True}))["on"]:
            g.then(halt, done, *move._replace(face=None))
            return
        g.then(not_interrupted)
    g.then(march, done, *move)


def not_interrupted(g: Fight) -> None:
    g.change(interrupted=False)


def halt(g: Fight, done: float, *figures: Any) -> None:
    """DOW-MOV-27: a walk or crawl pays for the inches done, a run in full; then what the end of a move brings."""
    move = March(*figures)
    who, gait, path, man = move.who, move.gait, move.path, g.state[move.who]
    if gait != "run" and done > 0 and not within(length(path), done):
        g.edit(who, ap=man.ap + refund(g, move, done) if man.conscious else 0)
    if move.face is not None and man.free:
        g.edit(who, facing=move.face)
    g.change(interrupted=False)
    g.report(MOVE_RULES[gait], "arrives", who=who, at=man.at, gait=gait)
    lose_watches(g, man)
    walked = part(path, 0.0, done) if done > 0 else ()
    if gait == "run" and walked and any(touches_rubble(g, leg) for leg in runs(walked)) and man.free:
        g.then(footing, who)
    later(g, "came_to", who, gait, done, path[0])


def refund(g: Fight, move: March, done: float) -> int:
    """DOW-MOV-27: what the inches not done had cost, at the rates at which he set out, sound or slow, loaded or not."""
    whole = plain_cost(g, move.gait, move.path)
    return max(0, move.paid - move.paid * plain_cost(g, move.gait, part(move.path, 0.0, done)) // whole)


def lose_watches(g: Fight, man: Model) -> None:
    """DOW-OPF-08: a watcher whom an enemy moves into contact with watches no more."""
    for enemy in g.state.enemies(man):
        if enemy.opfire and in_contact(g, man, enemy):
            g.edit(enemy.id, opfire=False)


def footing(g: Fight, who: Id) -> None:
    """DOW-MOV-10: after a run in rubble, D10 at most ST or he falls prone."""
    need = g.terms.who[who].st
    if not g.roll("DOW-MOV-10", D10, at_most(D10, need), who=who, need=need):
        g.edit(who, stance="prone")
        g.report("DOW-MOV-10", "stumbles", who=who)
        if g.state[who].carrying:
            later(g, "drop_load", who)


# ---- stance and facing -----------------------------------------------------------------------------------------------


def prone_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_prone(g, man, {}) is None:
        yield Offer("prone", "DOW-MOV-07", one(man.id), ap(COSTS.prone))


def why_not_prone(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-MOV-07, -20, DOW-APT-07: from standing, and once between two acts that cost AP."""
    if man.stance == "prone" or man.climbing or man.vehicle:
        return Refusal("DOW-MOV-07", "prone_already")
    return why_not_free(man, "prone")


def why_not_free(man: Model, kind: str) -> Refusal | None:
    """DOW-APT-07: each kind of free act once between two that cost AP."""
    return Refusal("DOW-APT-07", "once_between_acts", {"act": kind}) if kind in man.free_used else None


def go_prone(g: Fight, args: Packed) -> None:
    """DOW-MOV-07: free; enemies no longer fire at one who moves, his own fire still is that of one who moved."""
    who = unpacked(args)["model"]
    g.edit(who, stance="prone", seen_moving="none")
    g.report("DOW-MOV-07", "goes_prone", who=who)
    if g.state[who].carrying:
        later(g, "drop_load", who)


def stand_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_stand(g, man, {}) is None:
        yield Offer("stand", "DOW-MOV-08", one(man.id), ap(COSTS.stand))


def why_not_stand(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    if man.immobilized:
        return Refusal("DOW-HLT-04", "immobilized")
    if man.ima:
        return Refusal("DOW-HLT-03", "must_bandage")
    if man.stance == "standing":
        return Refusal("DOW-MOV-08", "standing_already")
    return short_of_ap(man, COSTS.stand, "DOW-MOV-08")


def stand(g: Fight, args: Packed) -> None:
    """DOW-MOV-08, DOW-OPF-05 c: up again, and watchers see it."""
    who = unpacked(args)["model"]
    man = g.state[who]
    if not man.able or why_not_stand(g, replace(man, ap=man.ap_before), {}) is not None:
        g.report("DOW-APT-06", "act_lost", who=who)
        return
    g.edit(who, stance="standing")
    g.report("DOW-MOV-08", "stands_up", who=who)
    later(g, "window", other(man.side), "stood", who)


def turn_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_turn(g, man, {}) is None:
        yield Offer("turn", "DOW-MOV-17", one(man.id, face=Number(0, 345, 15, "degrees")), ap(COSTS.facing))


def why_not_turn(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-MOV-17, DOW-ACT-06: in his own activation; but who has gone on Op-Fire keeps his arc (DOW-OPF-06)."""
    return Refusal("DOW-OPF-06", "arc_is_fixed") if man.opfire else why_not_free(man, "turn")


def turn(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    g.edit(choice["model"], facing=float(choice["face"]))
    g.report("DOW-MOV-17", "turns", who=choice["model"], face=choice["face"])


def press_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if g.terms.options.move_fire == "interleaved" and why_not_press(g, man, {}) is None:
        yield Offer("press_on", "DOW-MOV-19", one(man.id))


def why_not_press(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-MOV-19, with move_fire = interleaved: one who has moved, and has not yet fired as one who stands."""
    if g.terms.options.move_fire != "interleaved":
        return None
    if man.halted:
        return Refusal("DOW-MOV-19", "fired_standing")
    if man.moved == "none":
        return Refusal("DOW-MOV-19", "has_not_moved")
    return Refusal("DOW-MOV-19", "presses_on_already") if man.pressing else why_not_free(man, "press_on")


def press_on(g: Fight, args: Packed) -> None:
    """DOW-MOV-19: he will move again; until he does, he fires as one who walks or runs."""
    who = unpacked(args)["model"]
    g.edit(who, pressing=True)
    g.report("DOW-MOV-19", "presses_on", who=who)


def nothing(g: Fight, man: Model, choice: Choice) -> int:
    return 0


def stand_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.stand


def _mover(gait: Gait) -> Verb:
    return Verb(gait, MOVE_RULES[gait], lambda g, man: move_offers(g, man, gait), move, why_not_there, move_cost, watched=False)


VERBS = (
    _mover("walk"),
    _mover("run"),
    _mover("crawl"),
    Verb("prone", "DOW-MOV-07", prone_offers, go_prone, why_not_prone, nothing, watched=False),
    Verb("stand", "DOW-MOV-08", stand_offers, stand, why_not_stand, stand_cost),
    Verb("turn", "DOW-MOV-17", turn_offers, turn, why_not_turn, nothing, watched=False),
    Verb("press_on", "DOW-MOV-19", press_offers, press_on, why_not_press, nothing, watched=False),
)
PARAGRAPHS = (
    move, march, brushes_past, inch_done, march_on, not_interrupted, halt, footing, go_prone, stand, turn, press_on,
)  # fmt: skip
