"""What a man must do before anything else: back to his leader, to a place where he can be bandaged, out of the line of fire."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from msgspec.structs import replace

from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.commanding import in_command, leader_of
from wardogs.systems.dogs.data import COSTS
from wardogs.systems.dogs.fleeing import affordable, in_cover, may_go, nearest_cover, watched_by
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.morale import must_go
from wardogs.systems.dogs.moving import begin_march, why_not_stand
from wardogs.systems.dogs.state import Fight, Id, Model, Stance
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, unpacked
from wardogs.systems.dogs.ways import MODES, Gait, Path, cost, factor, field, length, part, path_to, place_beside, point_at
from wardogs.table.reach import Field
from wardogs.table.units import Place

FREE_ACTS = ("turn", "prone", "drop", "put_down", "goggles", "demand", "blow_fuse")  # DOW-APT-07, DOW-HLT-03, DOW-EXP-04
GAITS: tuple[Gait, ...] = ("run", "walk", "crawl")
FAR = 250.0  # AP: enough to cross any table

# ---- what he may do (DOW-SEQ-14) -------------------------------------------------------------------------------------


@remembered
def compelled_verbs(g: Fight, man: Model) -> tuple[str, ...] | None:
    """DOW-SEQ-14, DOW-COM-06, DOW-HLT-03, DOW-DMG-10: the first compulsion that holds; None is free choice."""
    if must_return(g, man):
        return _known(_on_the_way_back(g, man))
    if man.ima:
        return _known(("take_cover", "bandage", *FREE_ACTS))
    if man.ducking and must_go(g, man, man.ducking):
        return _known(duties) if (duties := _ducks(g, man)) else None
    return None


def _known(names: tuple[str, ...]) -> tuple[str, ...]:
    from wardogs.systems.dogs.chapters import VERBS

    return tuple(name for name in names if name in VERBS)


def must_return(g: Fight, man: Model) -> bool:
    return man.returning and not in_command(g, man)


def _on_the_way_back(g: Fight, man: Model) -> tuple[str, ...]:
    """DOW-SEQ-14: one who must be bandaged is, as soon as he can get no nearer."""
    ways = any(True for _ in return_offers(g, man))
    if ways or not man.ima:
        return ("return", *(("stand",) if _may_stand(g, man) else ()), *FREE_ACTS)
    return ("bandage", *FREE_ACTS)


def _may_stand(g: Fight, man: Model) -> bool:
    return why_not_stand(g, man, {}) is None


def _ducks(g: Fight, man: Model) -> tuple[str, ...]:
    """DOW-DMG-10: to cover, on his feet first if he likes; if no cover is in reach the duty is over."""
    up = _may_stand(g, man) and _cover_if_he_stands(g, man)
    if not up and not any(True for _ in cover_offers(g, man)):
        return ()
    return ("take_cover", *(("stand",) if up else ()), *FREE_ACTS)


def _cover_if_he_stands(g: Fight, man: Model) -> bool:
    up = replace(man, stance="standing", ap=man.ap - COSTS.stand)
    return any(cover_path(g, up, gait) is not None for gait in GAITS if may_go(g, up, gait))


@remembered
def duty_is_over(g: Fight, man: Model) -> bool:
    """DOW-DMG-10: in cover by now, nobody left to hide from, or no cover in reach."""
    return not must_go(g, man, man.ducking) or not (must_return(g, man) or man.ima or _ducks(g, man))


def duty_over(g: Fight, who: Id) -> None:
    """Nobody ducks for ever."""
    if duty_is_over(g, g.state[who]):
        g.edit(who, ducking="")


# ---- to cover (DOW-COV-08) -------------------------------------------------------------------------------------------


def hides_from(g: Fight, man: Model) -> list[Model]:
    """DOW-HLT-03, DOW-DMG-10: from every enemy that sees him if he must be bandaged, else from the shooter."""
    if man.ima:
        return watched_by(g, man)
    return [g.state[man.ducking]] if man.ducking and must_go(g, man, man.ducking) else []


def stance_there(man: Model, gait: Gait) -> Stance:
    """Who ducks lies down there; one who is to be bandaged stays as he went."""
    return "standing" if man.ima and gait == "walk" else "prone"


@remembered
def cover_path(g: Fight, man: Model, gait: Gait) -> Path | None:
    """The way to the nearest cover that his AP reach; none if he is in cover."""
    threats = hides_from(g, man)
    if not threats or in_cover(g, man, threats, man.stance):
        return None
    reach = field(g, man, gait, float(man.ap))
    place = nearest_cover(g, man, reach, threats, stance_there(man, gait), away=False)
    path = None if place is None else path_to(reach, place)
    return path if path is not None and cost(g, man, gait, path) <= man.ap else None


def gaits_of(g: Fight, man: Model) -> tuple[Gait, ...]:
    return tuple(gait for gait in GAITS if may_go(g, man, gait))


def cover_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if not man.ima and not man.ducking:
        return
    for gait in gaits_of(g, man):
        if (path := cover_path(g, man, gait)) is not None:
            rule = "DOW-HLT-03" if man.ima else "DOW-DMG-10"
            yield Offer("take_cover", rule, one(man.id, gait=OneOf((gait,))), ap(cost(g, man, gait, path)))


def why_not_cover(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-COV-08: nothing to hide from, or no cover within his AP."""
    if not hides_from(g, man):
        return Refusal("DOW-DMG-10", "no_need_of_cover", {"who": man.id})
    return Refusal("DOW-COV-08", "no_cover_in_reach", {"who": man.id})


def cover_cost(g: Fight, man: Model, choice: Choice) -> int:
    path = cover_path(g, man, choice["gait"])
    assert path is not None, "an offer admits only what can be reached"
    return cost(g, man, choice["gait"], path)


def take_cover(g: Fight, args: Packed) -> None:
    """DOW-DMG-10, DOW-HLT-03: to the nearest cover; there who ducks lies down, and has done with it."""
    choice = unpacked(args)
    man, gait = g.state[choice["model"]], choice["gait"]
    before = replace(man, ap=man.ap_before)
    path = cover_path(g, before, gait)
    assert path is not None, "nobody may come between: no watcher is asked"
    ducks = not man.ima
    g.edit(man.id, ducking="")
    begin_march(g, g.state[man.id], gait, path, man.ap_before - man.ap, man.facing)
    if ducks:
        g.then(gone_to_ground, man.id)


def gone_to_ground(g: Fight, who: Id) -> None:
    man = g.state[who]
    if man.free and man.on_table and man.stance == "standing":
        g.edit(who, stance="prone", seen_moving="none")
        g.report("DOW-DMG-10", "lies_in_cover", who=who)


# ---- back to the leader (DOW-COM-06) ---------------------------------------------------------------------------------


@remembered
def way_back(g: Fight, man: Model, gait: Gait) -> Path | None:
    """DOW-COM-06: the shortest path towards his leader, as far as his AP go or until he is inside."""
    team = g.state.team(man.team)
    assert team is not None, "men without a team are always in command"
    leader = g.state[leader_of(g, team)]
    reach, place = beside(g, man, gait, leader)
    path = path_to(reach, place) if place is not None else None
    return None if path is None else affordable(g, man, gait, until_inside(g, man, path))


def beside(g: Fight, man: Model, gait: Gait, leader: Model) -> tuple[Field, Place | None]:
    """The cheapest place beside his leader, first near the straight way: one that is found well within the limit of a look is
    what a look over the whole table would find, and so is the way there."""
    straight, margin = hypot(leader.at[0] - man.at[0], leader.at[1] - man.at[1]), AROUND * DEAREST
    for limit in (*(detour * (straight + AROUND) * MODES[gait].open * factor(man) for detour in DETOURS), FAR):
        reach = field(g, man, gait, min(limit, FAR))
        found = place_beside(reach, leader.at, 1.0)
        if found is not None and found[1] + margin <= reach.limit:
            break
    return reach, None if found is None else found[0]


DETOURS = (1.5, 4.0)  # times the straight way
AROUND = 4.0  # inches: more than from any place to those of the lattice about it, and back
DEAREST = float(max(COSTS.walk_rubble_per_inch, COSTS.crawl_per_inch))  # AP for an inch


def until_inside(g: Fight, man: Model, path: Path) -> Path:
    """Up to the first inch that ends in command."""
    for far in range(1, int(length(path)) + 1):
        if in_command(g, replace(man, at=point_at(path, float(far)))):
            return part(path, 0.0, float(far))
    return path


def return_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if not must_return(g, man):
        return
    for gait in gaits_of(g, man):
        if (path := way_back(g, man, gait)) is not None:
            yield Offer("return", "DOW-COM-06", one(man.id, gait=OneOf((gait,))), ap(cost(g, man, gait, path)))


def why_not_return(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    if not must_return(g, man):
        return Refusal("DOW-COM-06", "not_returning", {"who": man.id})
    return Refusal("DOW-COM-06", "no_way_back", {"who": man.id})


def return_cost(g: Fight, man: Model, choice: Choice) -> int:
    path = way_back(g, man, choice["gait"])
    assert path is not None, "an offer admits only a way that is there"
    return cost(g, man, choice["gait"], path)


def go_back(g: Fight, args: Packed) -> None:
    """DOW-COM-06: towards his team by the shortest path, the gait is his owner's."""
    choice = unpacked(args)
    man, gait = g.state[choice["model"]], choice["gait"]
    path = way_back(g, replace(man, ap=man.ap_before), gait)
    assert path is not None, "nobody may come between: no watcher is asked"
    g.edit(man.id, ducking="")
    begin_march(g, g.state[man.id], gait, path, man.ap_before - man.ap, None)


VERBS = (
    Verb("take_cover", "DOW-COV-08", cover_offers, take_cover, why_not_cover, cover_cost, watched=False),
    Verb("return", "DOW-COM-06", return_offers, go_back, why_not_return, return_cost, watched=False),
)
PARAGRAPHS = (duty_over, take_cover, gone_to_ground, go_back)
