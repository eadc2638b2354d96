"""Marks: points of the ground, or men, that something is thrown or fired at; and why one may not be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from math import hypot

from wardogs.kernel.offers import Refusal
from wardogs.systems.dogs.commanding import knows_of, told_of
from wardogs.systems.dogs.data import BODY, SIGHTING
from wardogs.systems.dogs.flights import landed, on_a_surface
from wardogs.systems.dogs.measure import gap, gap_to, in_arc, in_contact, within
from wardogs.systems.dogs.seeing import eyes_on
from wardogs.systems.dogs.shooting import priority_targets
from wardogs.systems.dogs.state import Fight, Model
from wardogs.systems.dogs.verbs import first_refusal
from wardogs.table.units import Inches, Place


def place_in(choice: object) -> Place | None:
    """A mark as a choice has it."""
    if not isinstance(choice, list | tuple) or len(choice) != 3 or not all(type(part) in (int, float) for part in choice):
        return None
    return float(choice[0]), float(choice[1]), float(choice[2])


class Marks:
    """The ground of a question for a mark: any legal point; those on a lattice have numbers."""

    def __init__(self, g: Fight, man: Model, reach: Inches, step: Inches, why: Callable[[Fight, Place], Refusal | None]) -> None:
        self.twin, self.man, self.reach, self.step, self.why = g.copy(g.fate), man, reach, step, why

    def admits(self, place: tuple[float, ...]) -> bool:
        return len(place) == 3 and self.why(self.twin, (place[0], place[1], place[2])) is None

    @cached_property
    def points(self) -> list[tuple[float, float]]:
        """Nearest first."""
        (x, y, _), (wide, high) = self.man.at, self.twin.terms.map.size
        far = self.reach + BODY.base / 2
        steps = range(-int(min(far, max(wide, high)) // self.step), int(min(far, max(wide, high)) // self.step) + 1)
        found = [(x + self.step * i, y + self.step * j) for i in steps for j in steps]
        inside = [p for p in found if 0 <= p[0] <= wide and 0 <= p[1] <= high and within(hypot(p[0] - x, p[1] - y), far)]
        return sorted(inside, key=lambda p: hypot(p[0] - x, p[1] - y))

    @property
    def size(self) -> int:
        return len(self.points)

    def pick(self, index: int) -> Place:
        """The mark with this number, or the next one that is legal."""
        points = self.points
        for point in (*points[index:], *points[:index]):
            place = landed(self.twin, (*point, self.man.at[2] + BODY.height))
            if self.why(self.twin, place) is None:
                return place
        return landed(self.twin, self.man.at)


class Feet:
    """The marks of a watcher: any that is legal, and by number those under his enemies' feet."""

    def __init__(self, g: Fight, places: list[Place], why: Callable[[Fight, Place], Refusal | None]) -> None:
        self.twin, self.places, self.why = g.copy(g.fate), places, why

    def admits(self, place: tuple[float, ...]) -> bool:
        return len(place) == 3 and self.why(self.twin, (place[0], place[1], place[2])) is None

    @property
    def size(self) -> int:
        return len(self.places)

    def pick(self, index: int) -> Place:
        return self.places[index]


def under_feet(g: Fight, man: Model, why: Callable[[Fight, Place], Refusal | None]) -> Feet | None:
    """DOW-OPF-11: none if no enemy whom his side sees could be caught where he stands."""
    places = [enemy.at for enemy in g.state.enemies(man) if why(g, enemy.at) is None]
    return Feet(g, places, why) if places else None


# ---- men ---------------------------------------------------------------------------------------------------------------


def why_not_named(g: Fight, man: Model, target: Model, watch: bool) -> Iterator[Refusal]:
    """DOW-TAK-08, DOW-CQC-20, DOW-OPF-06, DOW-MOV-05, DOW-COM-07, -08: a man as the mark, seen or told of."""
    if target.side == man.side or not target.alive or not target.on_table or target.captured:
        yield Refusal("DOW-TAK-08", "no_target", {"target": target.id})
        return
    if in_contact(g, man, target):
        yield Refusal("DOW-CQC-20", "in_contact", {"target": target.id})
    if watch and not in_arc(man, target.at):
        yield Refusal("DOW-OPF-06", "out_of_arc", {"target": target.id})
    if man.moved == "run" and target.id not in man.saw and not told_of(g, man, target):
        yield Refusal("DOW-MOV-05", "running_blind", {"target": target.id})
    if not knows_of(g, man, target):
        yield Refusal("DOW-COM-08", "nobody_told_him", {"target": target.id})
    yield from why_not_before(g, man, gap(man, target), watch)


def why_not_before(g: Fight, man: Model, far: Inches, watch: bool) -> Iterator[Refusal]:
    """DOW-RNG-05: those within ten inches come first."""
    if not within(far, SIGHTING.priority) and (first := priority_targets(g, man, watch)):
        yield Refusal("DOW-RNG-05", "nearer_first", {"first": [enemy.id for enemy in first]})


# ---- ground ------------------------------------------------------------------------------------------------------------


def why_not_ground(g: Fight, man: Model, mark: Place, blast: Inches, watch: bool) -> Iterator[Refusal]:
    """DOW-GRN-03, DOW-OPF-06, -11, DOW-RNG-05, DOW-COM-08: a spot of the ground as the mark."""
    if not on_a_surface(g, mark):
        yield Refusal("DOW-GRN-03", "no_ground_there", {"mark": list(mark)})
        return
    if watch:
        yield from _why_not_watched(g, man, mark, blast)
    if g.terms.options.priority_ground:
        yield from why_not_before(g, man, gap_to(man, mark), watch)
    if g.terms.options.strict_unknown and (unknown := only_unknown(g, man, mark, blast)):
        yield Refusal("DOW-COM-08", "nobody_told_him", {"target": unknown[0].id})


def _why_not_watched(g: Fight, man: Model, mark: Place, blast: Inches) -> Iterator[Refusal]:
    """DOW-OPF-11: a watcher throws only where an enemy whom his side sees would be caught."""
    if not in_arc(man, mark):
        yield Refusal("DOW-OPF-06", "mark_out_of_arc", {"mark": list(mark)})
    if not any(side_sees(g, man, enemy) for enemy in enemies_near(g, man, mark, blast)):
        yield Refusal("DOW-OPF-11", "nobody_there", {"mark": list(mark)})


def enemies_near(g: Fight, man: Model, mark: Place, blast: Inches) -> list[Model]:
    return [enemy for enemy in g.state.enemies(man) if within(gap_to(enemy, mark), blast) and not enemy.captured]


def side_sees(g: Fight, man: Model, enemy: Model) -> bool:
    return any(friend.free for friend in eyes_on(g, man.side, enemy))


def only_unknown(g: Fight, man: Model, mark: Place, blast: Inches) -> list[Model]:
    """DOW-COM-08 by the house rules: the enemies within the blast, if he knows of none of them."""
    near = enemies_near(g, man, mark, blast)
    return [] if any(knows_of(g, man, enemy) for enemy in near) else near


def is_legal(reasons: Iterator[Refusal]) -> bool:
    return first_refusal(reasons) is None


def is_spoilt(reasons: Iterator[Refusal]) -> bool:
    """DOW-APT-06: has an interrupt made it impossible? Who was nearest counted when it was declared (DOW-RNG-05)."""
    return any(refusal.rule != "DOW-RNG-05" for refusal in reasons)
