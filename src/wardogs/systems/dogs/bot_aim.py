"""What an attack is worth to a bot: the mean of the very readings that resolve it, in shares of a man put out of the fight."""

from __future__ import annotations

from functools import lru_cache
from math import hypot

from msgspec.structs import replace

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Seat
from wardogs.systems.dogs.data import BLASTS, BODY, LOCATIONS, TO_HIT, WEAPONS
from wardogs.systems.dogs.masonry import doors
from wardogs.systems.dogs.measure import gap
from wardogs.systems.dogs.modifiers import Attack
from wardogs.systems.dogs.seeing import Covered, looks, melee_of
from wardogs.systems.dogs.shooting import exposed_to, hit_reading, round_of, share_dice, shots
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.state import other as other_side
from wardogs.systems.dogs.victory import outcome_points, wanted_man
from wardogs.systems.dogs.wounds import Round, cover_score, damage_reading
from wardogs.table.units import Place, Point

COLUMNS = (0.8, 0.55, 0.2, 0.08)  # what each column of the wound chart is worth; a killed man is worth 1
ALIVE, DEAD, LAST = 0.2, 2.0, 4  # what the man they came for is worth as a target, and in the last turns
IN_THE_WAY = 0.5  # what a helpless man is worth who lies where others must pass
NEAR_VEST = 3  # inches from a vest: deadly
RING = 0.05  # of a man, for each point of DPR and each roll
FRIEND = -3.0  # DOW: never with a friend in the corridor unless it pays three times


def worth(g: Fight, man: Model) -> float:
    """A man who can still fight is worth one; leaders, gunners and zealots a little more, those out of it hardly anything."""
    if not man.alive:
        return 0.0
    if man.incapacitated:
        return IN_THE_WAY if blocks(g, man) else 0.01
    if is_wanted(g, man):
        return DEAD if is_better_dead(g, man) else ALIVE
    value = 1.25 if g.terms.who[man.id].role in ("leader", "gunner") or is_zealot(g, man) else 1.0
    return value * (0.5 if man.broken else 1.0)


def is_late(g: Fight) -> bool:
    """The last turns, in which risks are taken."""
    return g.state.turn > g.terms.scenario.turns - LAST


def is_better_dead(g: Fight, man: Model) -> bool:
    """In the last turns, if his death would win the game for those who came for him; in the very last a draw will do."""
    if not is_late(g):
        return False
    fallen = replace(man, alive=False, captured=False)
    models = tuple(fallen if other.id == man.id else other for other in g.state.models)
    points = outcome_points(replace(g.state, models=models), g.terms)
    ahead = points[other_side(man.side)] - points[man.side]
    return ahead > 0 or (ahead == 0 and g.state.turn >= g.terms.scenario.turns)


def blocks(g: Fight, man: Model) -> bool:
    """One is in a doorway or at the stairs, and nobody can pass him."""
    return man.living and any(hypot(man.at[0] - x, man.at[1] - y) < BODY.base for x, y in gates(g))


def gates(g: Fight) -> list[Point]:
    """Open doors, holes and stairs, which should be kept free."""
    open_ = [door.leg for door in doors(g) if door.state == "open"]
    stairs = [way.at for house in g.terms.map.buildings for way in house.stairs]
    holes = [(at[0], at[1]) for kind, _, at, *_ in g.state.changes if kind == "breach" and isinstance(at, tuple)]
    return [((ax + bx) / 2, (ay + by) / 2) for (ax, ay), (bx, by) in open_] + stairs + holes


def is_zealot(g: Fight, man: Model) -> bool:
    """He may wear a vest, and would use it."""
    return man.able and "jihad" in g.terms.who[man.id].perks


def takes_along(g: Fight, man: Model) -> bool:
    """If he falls, his vest may kill those beside him."""
    return is_zealot(g, man) and any(gap(man, enemy) <= NEAR_VEST for enemy in g.state.enemies(man))


def is_wanted(g: Fight, man: Model) -> bool:
    """Is he the one they came for, and better alive?"""
    return g.terms.scenario.hvt is not None and man.id == wanted_man(g.state, g.terms)


@lru_cache(maxsize=20_000)
def harm(round_: tuple[int, int | None, int, int], covers: tuple[Covered, ...], armor: tuple[int, ...]) -> float:
    """The mean worth of one hit, over location, cover, armor and damage."""
    dpr, arm, soft, hard = round_
    shot = Round("", None, dpr, arm, soft, hard)
    total = 0.0
    for location, behind, worn in zip(LOCATIONS, covers, armor, strict=True):
        through = 1.0
        if behind.klass:
            score = min(cover_score(shot, cover) for cover in behind.covers)
            through = min(10, max(0, score)) / 10
        saved = sum(at_most(D10, worn + arm, TO_HIT.natural_hit)) / 10 if worn and arm is not None else 0.0
        kill = 1.0 if location == "head" else COLUMNS[0]
        hurts = sum(kill if column == 0 else COLUMNS[column] for column in damage_reading(dpr)) / 10
        total += through * (1 - saved) * hurts / 10
    return total


def hit_worth(g: Fight, by: Model, at: Model, attack: Attack) -> float:
    """What one round that hits this man is worth."""
    seen, shot = looks(g, by, at), round_of(g, attack)
    ar = g.terms.who[at.id].ar
    covers = tuple(seen.at[location] for location in LOCATIONS)
    return harm((shot.dpr, shot.arm, shot.soft, shot.hard), covers, tuple(ar.get(location, 0) for location in LOCATIONS))


def attack_worth(g: Fight, attack: Attack) -> float:
    """Everyone exposed counted, friends three times against it."""
    by = g.state[attack.by]
    dice = shots(by, attack)
    total = 0.0
    for id_, n in share_dice(g, dice, exposed_to(g, attack)) if attack.mode == "FA" else _in_the_melee(g, attack.target, dice):
        man = g.state[id_]
        chance = sum(hit_reading(g, attack, id_)) / 10
        sign = FRIEND if man.side == by.side or takes_along(g, man) else 1.0
        hits = n * chance
        one = hit_worth(g, by, man, attack)
        total += sign * worth(g, man) * (1 - (1 - one) ** hits)
    return total


def _in_the_melee(g: Fight, target: Id, dice: int) -> list[tuple[Id, float]]:
    """DOW-CQC-19: any of those who fight hand to hand may be hit."""
    there = sorted(melee_of(g, g.state[target]))
    return [(id_, dice / len(there)) for id_ in there]


def firepower(g: Fight, man: Model) -> float:
    """How dangerous an enemy is who sees one in the open, about per activation; without arms not at all."""
    if not man.able or man.ima:
        return 0.0
    arms = [WEAPONS[held.id] for held in man.weapons if held.loaded and held.id == man.in_hand]
    best = max((mode.dice * min(2, 10 // mode.ap) for arm in arms for mode in arm.modes.values()), default=0)
    return 0.1 + 0.05 * best if best else 0.0


def blast_worth(g: Fight, seat: Seat, at: Place, kind: str) -> float:
    """A burst on this very place: those near it on its floor, by the rings; friends count three times against it."""
    rings = BLASTS[kind].rings
    total = 0.0
    for man in g.state.models:
        far = hypot(man.at[0] - at[0], man.at[1] - at[1])
        ring = next((ring for ring in rings if far <= ring.radius + BODY.base / 2), None)
        if ring is not None and man.living and abs(man.at[2] - at[2]) < BODY.height:
            total += RING * ring.dpr * ring.rolls * worth(g, man) * (1.0 if man.side != seat else FRIEND)
    return total
