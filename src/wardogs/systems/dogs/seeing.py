"""Line of sight: who can be seen, how much of him, and which of his parts lie behind what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot, sqrt
from typing import Any, NamedTuple, TypeAlias

from wardogs.kernel.offers import Refusal, Seat
from wardogs.systems.dogs.darkness import has_night_eyes
from wardogs.systems.dogs.data import BODY, CLOUDS, COVERS, SIGHTING, VEHICLES
from wardogs.systems.dogs.ground import KINDS, THIN_LIMIT, cover_of, table_now
from wardogs.systems.dogs.measure import gap, in_arc, opponents, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.state import Fight, Id, Model, Vehicle
from wardogs.table.bodies import Body, Hull, figure, samples
from wardogs.table.compiled import FAST
from wardogs.table.glimpse import CLEAR, COUNTS, HARD, THIN, Covers, glimpse
from wardogs.table.sight import Parts, in_the_way
from wardogs.table.terrain import FULL, Same, Terrain
from wardogs.table.units import Place


class Covered(NamedTuple):
    """DOW-COV-06: what a location lies behind: "" is clear; the covers in the way of its samples."""

    klass: str
    covers: tuple[str, ...] = ()


@dataclass(eq=False)
class Look:
    """How an eye sees a man."""

    visible: float  # share of his body
    base: float  # share of his base
    glimpse: bool  # some of his body is visible (DOW-LOS-07)
    reachable: bool  # some of him is clear or behind soft cover only (DOW-LOS-06, DOW-HIT-04)
    clear: float  # share of his body with nothing in the way (DOW-COV-08)
    parts: Parts
    found: Any  # counts, then bits and states of all samples, as the kernel has them
    same: Same  # the table

    @cached_property
    def samples(self) -> tuple[Parts, list[int], list[int], dict[int, tuple[str, ...]]]:
        """Of each location: bits, states; covers by bits."""
        size = self.parts[-1][2]
        masks, states = plain(self.found[COUNTS : COUNTS + size]), plain(self.found[COUNTS + size :])
        return self.parts, masks, states, {mask: covers_met(self.same, mask) for mask in set(masks)}

    @cached_property
    def at(self) -> dict[str, Covered]:
        """What each location lies behind."""
        (*locations, _), masks, states, kinds = self.samples
        return {name: _covered(states[a:b], masks[a:b], kinds) for name, a, b in locations}


def body(model: Model) -> Body:
    return Body(id=model.id, at=model.at, facing=(90.0 - model.facing) % 360, stance=model.stance, radius=BODY.base / 2)


def eye(model: Model) -> Place:
    """DOW-LOS-03: over his head and shoulders."""
    x, y, z = model.at
    return x, y, z + figure(model.stance).eye


def hull(vehicle: Vehicle) -> Hull:
    long, wide, high = VEHICLES[vehicle.kind].size
    x, y, z = vehicle.at
    return Hull(
        id=vehicle.id, at=(x, y, z + vehicle.altitude), facing=(90.0 - vehicle.facing) % 360, size=(long, wide), height=high
    )


def looks(g: Fight, viewer: Model, target: Model) -> Look:
    """DOW-LOS-01, -13, -16: what he sees of another, by literal lines, whichever way he faces."""
    if g.state.vehicles:
        return look_from(g, eye(viewer), target, viewer.vehicle)
    found, view = _looks(g)
    pair = viewer.at, viewer.stance, target.at, target.stance, target.facing
    if (known := found.get(pair)) is None:
        if len(found) >= MOST_LOOKS:
            found.clear()
        known = found[pair] = judged(view, eye(viewer), body(target), ())
    return known


Looks: TypeAlias = dict[tuple[Place, str, Place, str, float], Look]
MOST_LOOKS = 5_000  # kept of one table
_last: tuple[Any, Any, tuple[Looks, View]] | None = None  # the table asked about last, which most questions are about


def _looks(g: Fight) -> tuple[Looks, View]:
    """What is known of the looks across the table as it stands, between any two men without vehicles about."""
    global _last
    if _last is None or _last[0] is not g.terms or _last[1] is not g.state.changes:
        _last = (g.terms, g.state.changes, _looks_across(Same(table_now(g)), g.terms.options.thin_depth))
    return _last[2]


@lru_cache(maxsize=16)
def _looks_across(same: Same, thin_depth: float) -> tuple[Looks, View]:
    return {}, view_of(same, thin_depth)


def look_from(g: Fight, point: Place, target: Model, aboard: str = "", own_hull: bool = False) -> Look:
    """The same from any point, such as a burst, against which a rider's own vehicle covers him too (DOW-VEH-04)."""
    clear = (aboard,) if own_hull else (aboard, target.vehicle)
    hulls = tuple(hull(vehicle) for vehicle in g.state.vehicles if vehicle.there and vehicle.id not in clear)
    return _look(Same(table_now(g)), point, body(target), hulls, g.terms.options.thin_depth)


@lru_cache(maxsize=5_000)
def _look(same: Same, point: Place, target: Body, hulls: tuple[Hull, ...], thin_depth: float) -> Look:
    return judged(view_of(same, thin_depth), point, target, hulls)


class View(NamedTuple):
    """What a look needs of a table."""

    same: Same
    terrain: Terrain
    covers: Covers


@lru_cache(maxsize=64)
def view_of(same: Same, thin_depth: float) -> View:
    """DOW-LOS-04, -17: hard and soft cover hide; thin cover and glass do not, and yet may stop a round."""
    terrain, bits = Terrain.of(same.map), {"hard": 0, "soft": 0, "thin": 0}
    for bit, name in enumerate(terrain.kinds):
        if cover := cover_of(name):
            solid = KINDS[name].sight == "solid"
            bits["thin" if not solid else "hard" if COVERS[cover].klass == "hard" else "soft"] |= 1 << bit
    return View(same, terrain, Covers(bits["hard"], bits["soft"], bits["thin"], FULL * thin_depth / THIN_LIMIT + 1e-6))


def judged(view: View, point: Place, target: Body, hulls: tuple[Hull, ...]) -> Look:
    shape = samples(target.stance, target.scale)
    _, first, last = shape.parts[-1]  # the base comes last
    found, points = glimpse(view.terrain, point, target, shape, first, view.covers)
    if hulls:
        found = _behind_hulls(point, points, plain(found), first, last, hulls)
    clear, thin, base, hard = plain(found[:COUNTS])
    return Look(
        visible=(clear + thin) / first,
        base=base / (last - first),
        glimpse=clear + thin > 0,
        reachable=hard < last,
        clear=clear / first,
        parts=shape.parts,
        found=found,
        same=view.same,
    )


def plain(values: Any) -> list[Any]:
    """An array as a list, which Python reads faster."""
    return values.tolist() if FAST and not isinstance(values, list) else list(values)


HULL = -1  # stands for the bits of a ray that a vehicle stops


def _behind_hulls(point: Place, points: Any, found: list[int], body: int, size: int, hulls: tuple[Hull, ...]) -> list[int]:
    """DOW-VEH-02: what a vehicle hides is behind its body."""
    masks, states = found[COUNTS : COUNTS + size], found[COUNTS + size :]
    for rays in in_the_way(point, points, hulls).values():
        for sample in rays:
            masks[sample], states[sample] = HULL, HARD
    whole, base = states[:body], states[body:]
    counts = [whole.count(CLEAR), whole.count(THIN), base.count(CLEAR) + base.count(THIN), states.count(HARD)]
    return [*counts, *masks, *states]


@lru_cache(maxsize=20_000)
def covers_met(same: Same, mask: int) -> tuple[str, ...]:
    """The covers whose bits a ray has met."""
    if mask == HULL:
        return ("vehicle_body",)
    return tuple(cover for bit, name in enumerate(Terrain.of(same.map).kinds) if mask >> bit & 1 and (cover := cover_of(name)))


def _covered(states: list[int], masks: list[int], kinds: dict[int, tuple[str, ...]]) -> Covered:
    """DOW-COV-05, -06: clear if at least half of it is; else the class of most of the rest (hard if equal) and its pieces."""
    clear = states.count(CLEAR)
    if 2 * clear >= len(states):
        return UNCOVERED
    hard = 2 * states.count(HARD) >= len(states) - clear
    behind = {mask for mask, state in zip(masks, states, strict=True) if state != CLEAR and (state == HARD) is hard}
    met = {cover for mask in behind for cover in kinds[mask]}
    return Covered("hard" if hard else "soft", tuple(sorted(met)))


UNCOVERED = Covered("")


# ---- who may be a target -----------------------------------------------------------------------------------------


def half_shows(g: Fight, seen: Look) -> bool:
    """DOW-LOS-04, -05: half of the body or half of the base."""
    if g.terms.options.los_half == "gt":
        return seen.visible > SIGHTING.half or seen.base > SIGHTING.half
    return seen.visible >= SIGHTING.half or seen.base >= SIGHTING.half


def dark_between(g: Fight, viewer: Model, target: Model) -> bool:
    """DOW-LOS-09, -10, -11: by night he sees ten inches, farther with goggles, or if a flash gives the other away."""
    far = g.terms.night and not within(gap(viewer, target), SIGHTING.darkness)
    return far and not has_night_eyes(g, viewer) and viewer.id not in target.flash


def sees(g: Fight, viewer: Model, target: Model, aimed: bool = False) -> bool:
    """Could he be a target as far as eyes go: enough of him shows, it is not too dark, nobody stands between."""
    if dark_between(g, viewer, target) or not shows_enough(g, viewer, target, looks(g, viewer, target), aimed):
        return False
    return screened(g, viewer, target) is None


def shows_enough(g: Fight, viewer: Model, target: Model, seen: Look, aimed: bool) -> bool:
    """DOW-LOS-05, -06, -07: half of him; less of one whose flash was seen, or for an aimed shot."""
    return half_shows(g, seen) or (seen.reachable if viewer.id in target.flash else aimed and seen.glimpse)


def why_unseen(g: Fight, viewer: Model, target: Model, aimed: bool = False) -> Iterator[Refusal]:
    """Why somebody cannot be targeted, whichever way the viewer faces."""
    if dark_between(g, viewer, target):
        yield Refusal("DOW-LOS-09", "too_dark", {"range": SIGHTING.darkness, "target": target.id})
    seen = looks(g, viewer, target)
    if not shows_enough(g, viewer, target, seen, aimed):
        if viewer.id in target.flash:
            yield Refusal("DOW-LOS-06", "nothing_to_hit", {"target": target.id})
        elif aimed:
            yield Refusal("DOW-LOS-07", "nothing_shows", {"target": target.id})
        else:
            yield Refusal("DOW-LOS-05", "less_than_half", {"target": target.id, "shows": round(100 * seen.visible)})
    if screen := screened(g, viewer, target):
        yield Refusal("DOW-LOS-14", "somebody_between", {"target": target.id, "who": screen.id})


def sees_now(g: Fight, viewer: Model, target: Model) -> bool:
    """In his arc and in sight: a witness, a sentry (DOW-LOS-02, DOW-MOR-05)."""
    return in_arc(viewer, target.at) and sees(g, viewer, target)


@remembered
def eyes_on(g: Fight, seat: Seat, target: Model) -> tuple[Model, ...]:
    """All of a side who have him in their arc and in sight, whatever state they are in."""
    return tuple(man for man in g.state.of(seat) if sees_now(g, man, target))


def screened(g: Fight, viewer: Model, target: Model) -> Model | None:
    """DOW-LOS-14, -15: no shooting through the living, save from above, over the prone, or into a melee that he is in."""
    for between in _on_the_line(g, viewer, target):
        if {between.id, target.id} & {viewer.carrying, target.carrying, between.carrying} - {""}:
            continue
        if not _shoots_over(viewer, between) and between.id not in melee_of(g, target):
            return between
    return None


def _shoots_over(viewer: Model, between: Model) -> bool:
    higher = within(SIGHTING.over_models, viewer.at[2] - between.at[2])
    return higher or (viewer.stance == "standing" and between.stance == "prone")


def melee_of(g: Fight, man: Model) -> set[Id]:
    """DOW-CQC-19: the living who are linked with him by base contact with enemies, himself among them."""
    found, waiting = {man.id}, [man]
    while waiting:
        new = [foe for foe in opponents(g, waiting.pop()) if foe.id not in found]
        found |= {foe.id for foe in new}
        waiting += new
    return found


def _on_the_line(g: Fight, viewer: Model, target: Model) -> Iterator[Model]:
    """The living whose base the line of the base centres crosses, and who stand up into the line of fire there."""
    (ax, ay, _), (bx, by, _) = viewer.at, target.at
    dx, dy = bx - ax, by - ay
    square = hypot(dx, dy) ** 2
    for man in g.state.models if square else ():
        x, y, _ = man.at
        share = ((x - ax) * dx + (y - ay) * dy) / square
        crosses = 0 < share < 1 and hypot(ax + share * dx - x, ay + share * dy - y) < BODY.base / 2
        if crosses and man.living and man.id not in (viewer.id, target.id) and _stands_up_to(viewer, target, share, man):
            yield man


def _stands_up_to(viewer: Model, target: Model, share: float, man: Model) -> bool:
    """So far along it, does the line of fire run between his feet and his top?"""
    height = eye(viewer)[2] + share * (target.at[2] + figure(target.stance).height / 2 - eye(viewer)[2])
    return man.at[2] <= height <= man.at[2] + figure(man.stance).height


# ---- smoke -----------------------------------------------------------------------------------------------------------


def smoke_between(g: Fight, viewer: Model, target: Model) -> bool:
    """DOW-LOS-12, DOW-MOD-12: the target is in or beyond smoke, or the firer is in it."""
    if not g.state.clouds:
        return False
    a, b = eye(viewer), (target.at[0], target.at[1], target.at[2] + figure(target.stance).height / 2)
    return any(
        _through(a, b, cloud.at, cloud.radius, CLOUDS[cloud.kind].height)
        for cloud in g.state.clouds
        if cloud.kind == "smoke_grenade"
    )


def _through(a: Place, b: Place, at: Place, radius: float, height: float) -> bool:
    """Does a line run through an upright drum?"""
    first, last = _part(a[2] - at[2], b[2] - a[2], height)
    dx, dy, x, y = b[0] - a[0], b[1] - a[1], a[0] - at[0], a[1] - at[1]
    square, half, rest = dx * dx + dy * dy, x * dx + y * dy, x * x + y * y - radius * radius
    if square == 0:
        return rest <= 0 and first <= last
    root = half * half - square * rest
    if root < 0:
        return False
    low, high = (-half - sqrt(root)) / square, (-half + sqrt(root)) / square
    return max(first, low, 0.0) <= min(last, high, 1.0)


def _part(start: float, rise: float, height: float) -> tuple[float, float]:
    """The share of a line that lies between a floor and a height above it."""
    if rise == 0:
        return (0.0, 1.0) if 0 <= start <= height else (1.0, 0.0)
    ends = sorted((-start / rise, (height - start) / rise))
    return max(0.0, ends[0]), min(1.0, ends[1])


# ---- places ----------------------------------------------------------------------------------------------------------


def in_cover_from(g: Fight, model: Model, enemy: Model) -> bool:
    """DOW-COV-08: less than half of him is clear from that enemy's eye."""
    return looks(g, enemy, model).clear < SIGHTING.half
