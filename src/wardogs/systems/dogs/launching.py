"""Launched rounds: the 40mm under a rifle and the RPG, at men, spots, buildings and vehicles."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from msgspec import Struct

from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal, Spot
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.blasts import burst
from wardogs.systems.dogs.data import BLASTS, BODY, COSTS, DEVIATION, SIGHTING, TO_HIT, WEAPONS, load
from wardogs.systems.dogs.data import Weapon as Arm
from wardogs.systems.dogs.deviation import deviate, try_to_hit
from wardogs.systems.dogs.facades import face_of, house_struck
from wardogs.systems.dogs.flights import SKY, flies, landed, lifted, sees_spot, within_what
from wardogs.systems.dogs.marks import (
    Feet,
    Marks,
    is_legal,
    is_spoilt,
    place_in,
    under_feet,
    why_not_before,
    why_not_ground,
    why_not_named,
)
from wardogs.systems.dogs.masonry import house_now
from wardogs.systems.dogs.measure import CLOSE, ahead, bearing, facing_to, gap, gap_to, in_arc, in_melee, off, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.modifiers import Attack, aim_terms, firer_terms, night_term, to_hit_terms
from wardogs.systems.dogs.rotors import RIDE, rotor_terms
from wardogs.systems.dogs.seeing import eye, sees, smoke_between
from wardogs.systems.dogs.shooting import notices_flash, why_no_weapon, why_not_mode, why_not_shoot_now, why_not_target
from wardogs.systems.dogs.state import Fight, Id, Model, Term, Vehicle, Weapon, counted, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.vehicle_fire import gap_to_hull, why_hidden
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, unpacked
from wardogs.table.faces import levels_standing
from wardogs.table.units import Inches, Place


class Figures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    lob: int
    lattice: float
    source: Source


LAUNCH = load("throwing.toml", "launch", Figures)
LAUNCHERS = tuple(weapon.id for weapon in WEAPONS.values() if weapon.fires)


class Shot(NamedTuple):
    """A launched round as it is declared: one of target, mark, building or vehicle."""

    by: Id
    weapon: str
    aimed: bool
    target: Id = ""
    mark: Place | None = None
    building: str = ""
    vehicle: str = ""
    watch: bool = False

    @property
    def arm(self) -> Arm:
        return WEAPONS[self.weapon]

    @property
    def mode(self) -> str:
        return next(iter(self.arm.modes))

    @property
    def attack(self) -> Attack:
        return Attack(self.by, self.weapon, self.mode, self.target, self.aimed, False, "", self.watch)

    @property
    def blast(self) -> str:
        return self.arm.fires or ""


class Aim(NamedTuple):
    """Where it is to burst, how far that is, and the level of a building."""

    place: Place
    far: Inches
    level: int = 0


def shot_of(choice: Choice, watch: bool = False) -> Shot:
    return Shot(
        choice["model"], choice["weapon"], choice.get("aimed", False), choice.get("target", ""), place_in(choice.get("mark")),
        choice.get("building", ""), choice.get("vehicle", ""), watch,
    )  # fmt: skip


def aim_of(g: Fight, shot: Shot) -> Aim | None:
    """DOW-BLS-12: the middle of a man's base, the spot, the nearest face of a building, a vehicle."""
    man = g.state[shot.by]
    if shot.target:
        return Aim(g.state[shot.target].at, gap(man, g.state[shot.target]))
    if shot.mark is not None:
        return Aim(shot.mark, gap_to(man, shot.mark))
    if shot.building:
        face = face_of(g, man, shot.building)
        return None if face is None else Aim(face.at, gap_to(man, face.at), face.level)
    vehicle = next((one for one in g.state.vehicles if one.id == shot.vehicle), None)
    return None if vehicle is None else Aim(vehicle.at, gap_to_hull(man, vehicle))


# ---- may he? -----------------------------------------------------------------------------------------------------------


def cost_of(shot: Shot) -> int:
    """DOW-RNG-04, DOW-MOD-01."""
    return shot.arm.modes[shot.mode].ap + COSTS.aimed * shot.aimed


def why_not_ready(g: Fight, man: Model, shot: Shot, points: int) -> Iterator[Refusal]:
    """DOW-RNG-02, -11, -15: the launcher at hand, loaded; the limits of its mode."""
    yield from why_not_shoot_now(g, man)
    yield from why_no_weapon(g, man, shot.weapon)
    yield from why_not_mode(g, man, shot.attack)
    if (needs := cost_of(shot)) > points:
        yield Refusal("DOW-APT-02", "needs_ap", {"needs": needs, "has": points})


def why_not_at(g: Fight, man: Model, shot: Shot) -> Iterator[Refusal]:
    """DOW-RNG-03, DOW-BLS-12, -13: who or what may be fired at."""
    if shot.target:
        yield from _why_not_man(g, man, shot)
    elif shot.mark is not None:
        yield from _why_not_mark(g, man, shot, shot.mark)
    elif shot.building:
        yield from _why_not_building(g, man, shot)
    elif shot.vehicle:
        yield from _why_not_vehicle(g, man, shot)


def _why_not_man(g: Fight, man: Model, shot: Shot) -> Iterator[Refusal]:
    target = g.state[shot.target]
    if not shot.arm.indirect or sees(g, man, target, shot.aimed):
        yield from why_not_target(g, man, target, shot.attack)
        return
    yield from why_not_named(g, man, target, shot.watch)
    yield from _why_no_lob(g, target.at)


def _why_no_lob(g: Fight, mark: Place) -> Iterator[Refusal]:
    """DOW-BLS-13: over cover, not through roofs."""
    if within_what(g, mark).room:
        yield Refusal("DOW-BLS-13", "no_way_in", {"mark": list(mark)})


def _why_not_mark(g: Fight, man: Model, shot: Shot, mark: Place) -> Iterator[Refusal]:
    yield from why_not_ground(g, man, mark, BLASTS[shot.blast].blast_number, shot.watch)
    if not sees_spot(g, man, mark) or not flies(g, eye(man), lifted(mark)):
        if not shot.arm.indirect:
            yield Refusal("DOW-RNG-02", "mark_unseen", {"mark": list(mark)})
        yield from _why_no_lob(g, mark)


def _why_not_building(g: Fight, man: Model, shot: Shot) -> Iterator[Refusal]:
    """DOW-STR-05: a building of which he sees a wall."""
    if house_now(g, shot.building) is None or (face := face_of(g, man, shot.building)) is None:
        yield Refusal("DOW-RNG-02", "building_unseen", {"building": shot.building})
        return
    if shot.watch:
        yield Refusal("DOW-OPF-11", "nobody_there", {"mark": list(face.at)})
    if g.terms.options.priority_ground:
        yield from why_not_before(g, man, gap_to(man, face.at), shot.watch)


def _why_not_vehicle(g: Fight, man: Model, shot: Shot) -> Iterator[Refusal]:
    """DOW-LOS-08, DOW-VEH-02: an enemy's, and in sight."""
    vehicle = next((one for one in g.state.vehicles if one.id == shot.vehicle), None)
    if vehicle is None or not vehicle.there or vehicle.wrecked or not _is_enemy(g, man, vehicle):
        yield Refusal("DOW-VEH-02", "no_target", {"target": shot.vehicle})
        return
    if shot.watch and not in_arc(man, vehicle.at):
        yield Refusal("DOW-OPF-06", "out_of_arc", {"target": vehicle.id})
    yield from why_hidden(g, man, vehicle)


def _is_enemy(g: Fight, man: Model, vehicle: Vehicle) -> bool:
    return vehicle.side == other(man.side) or any(g.state[id_].side != man.side for id_ in vehicle.seats if id_)


def why_not_launch(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """The rule against a launch that is not offered."""
    weapon = choice.get("weapon") or next((held.id for held in man.weapons if held.id in LAUNCHERS), None)
    if weapon not in LAUNCHERS or choice.get("target", man.id) not in {model.id for model in g.state.models}:
        return Refusal("DOW-RNG-02", "no_launcher") if weapon is None else None
    shot = shot_of({**choice, "model": man.id, "weapon": weapon})
    return first_refusal(why_not_ready(g, man, shot, man.ap)) or first_refusal(why_not_at(g, man, shot))


# ---- offers ------------------------------------------------------------------------------------------------------------


def launch_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from offers_to_launch(g, man, "launch", man.ap, False)


def offers_to_launch(g: Fight, man: Model, verb: str, points: int, watch: bool) -> Iterator[Offer]:
    """DOW-RNG-03, DOW-OPF-03: each launcher that is ready, aimed or not, at whatever it may have for a mark."""
    for held in man.weapons:
        for aimed in (False, True) if held.id in LAUNCHERS else ():
            shot = Shot(man.id, held.id, aimed, watch=watch)
            if is_legal(why_not_ready(g, man, shot, points)):
                yield from _offers(g, man, shot, verb)


def _offers(g: Fight, man: Model, shot: Shot, verb: str) -> Iterator[Offer]:
    men = [enemy.id for enemy in g.state.enemies(man) if is_legal(why_not_at(g, man, shot._replace(target=enemy.id)))]
    seen = () if shot.watch else _houses(g, man, shot._replace(aimed=False))
    hulls = [one.id for one in g.state.vehicles if is_legal(why_not_at(g, man, shot._replace(vehicle=one.id)))]
    for name, found in (("target", men), ("building", seen), ("vehicle", hulls)):
        if found:
            yield _offer(shot, verb, **{name: OneOf(tuple(found))})
    if (marks := _marks(g, man, shot)) is not None:
        yield _offer(shot, verb, mark=Spot.on("launch", marks))


@remembered
def _houses(g: Fight, man: Model, shot: Shot) -> tuple[str, ...]:
    """The buildings that he may fire at, aimed or not."""
    houses = (shot._replace(building=house.id) for house in g.terms.map.buildings)
    return tuple(one.building for one in houses if is_legal(why_not_at(g, man, one)))


def _offer(shot: Shot, verb: str, **field: Any) -> Offer:
    fields = one(shot.by, weapon=OneOf((shot.weapon,)), aimed=OneOf((shot.aimed,)), **field)
    return Offer(verb, "DOW-RNG-03", fields, ap(cost_of(shot)))


def _marks(g: Fight, man: Model, shot: Shot) -> Marks | Feet | None:
    def why(twin: Fight, mark: Place) -> Refusal | None:
        return first_refusal(why_not_at(twin, man, shot._replace(mark=mark)))

    return under_feet(g, man, why) if shot.watch else Marks(g, man, shot.arm.reach, LAUNCH.lattice, why)


def launch_cost(g: Fight, man: Model, choice: Choice) -> int:
    return cost_of(shot_of(choice))


# ---- the roll ----------------------------------------------------------------------------------------------------------


def launch_terms(g: Fight, shot: Shot, aim: Aim) -> tuple[Term, ...]:
    """DOW-MOD-17, DOW-BLS-13: as any shot; two less for a lob at what he does not see."""
    man = g.state[shot.by]
    if shot.target:
        target = g.state[shot.target]
        lob = [] if sees(g, man, target, shot.aimed) else [Term("DOW-BLS-13", LAUNCH.lob)]
        return (*to_hit_terms(g, shot.attack, target), *lob)
    return tuple(_ground_terms(g, man, shot, aim))


def _ground_terms(g: Fight, man: Model, shot: Shot, aim: Aim) -> Iterator[Term]:
    yield Term("DOW-MOD-17", g.terms.who[man.id].wp)
    if in_range := shot.arm.at_range(aim.far):
        yield Term("DOW-RNG-09", in_range)
    yield from aim_terms(shot.attack)
    yield from firer_terms(g, man)
    if smoke_between(g, man, Model("", man.side, at=aim.place)):
        yield Term("DOW-MOD-12", TO_HIT.smoke)
    if g.terms.night and (dark := night_term(g, man, within(aim.far, SIGHTING.darkness))).value:
        yield dark
    yield from (Term(rule, value) for rule, value in rotor_terms(g, man))
    if shot.building and (house := house_now(g, shot.building)) is not None:
        yield Term("DOW-MOD-16", TO_HIT.per_building_level * levels_standing(house))
    elif shot.vehicle:
        yield from vehicle_terms(g.state.vehicle(shot.vehicle))
    elif not sees_spot(g, man, aim.place) or not flies(g, eye(man), lifted(aim.place)):
        yield Term("DOW-BLS-13", LAUNCH.lob)


def vehicle_terms(vehicle: Vehicle) -> Iterator[Term]:
    """DOW-VEH-03: large; and moving, as a man who runs or walks."""
    yield Term("DOW-VEH-03", RIDE.large)
    if vehicle.spent:
        yield Term("DOW-VEH-03", TO_HIT.target_running if vehicle.spent >= RIDE.fast_from else TO_HIT.target_walking)


def launch(g: Fight, args: Packed) -> None:
    """DOW-RNG-06, DOW-APT-06: declared; if he still can."""
    shot = shot_of(unpacked(args))
    man = g.state[shot.by]
    reasons = chain(why_not_shoot_now(g, man), why_no_weapon(g, man, shot.weapon), why_not_at(g, man, shot))
    if not man.able or is_spoilt(reasons):
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    g.then(loose, *shot)


def loose(g: Fight, *args: object) -> None:
    """DOW-RNG-07, -11, DOW-LOS-06: the round is gone, with its flash; out of range it comes down short."""
    shot = Shot(*args)  # type: ignore[arg-type]
    man = g.state[shot.by]
    gone = shot.target and not (g.state[shot.target].alive and g.state[shot.target].on_table)
    aim = None if not man.able or gone else aim_of(g, shot)
    held = man.weapon(shot.weapon)
    if aim is None or held is None or held.loaded < 1:
        g.report("DOW-APT-06", "act_lost", who=shot.by)
        return
    spend_round(g, man, shot, aim.place)
    g.report(
        "DOW-RNG-06", "launches", who=man.id, weapon=shot.weapon, at=shot.target, building=shot.building, vehicle=shot.vehicle,
        mark=aim.place, range=round(aim.far, 1),
    )  # fmt: skip
    g.then(round_away, *shot)


def spend_round(g: Fight, man: Model, shot: Shot, place: Place) -> None:
    weapons = tuple(Weapon(held.id, held.loaded - (held.id == shot.weapon), held.bayonet) for held in man.weapons)
    fields: dict[str, object] = {"weapons": weapons, "uses": counted(man.uses, f"{shot.weapon}/{shot.mode}", 1)}
    if off(man.facing, bearing(man.at, place)) > BODY.arc / 2:
        fields["facing"] = facing_to(man.at, place)
    if not shot.arm.flash_suppressor:
        saw = {enemy.id for enemy in g.state.enemies(man) if notices_flash(g, enemy, man)}
        fields["flash"] = tuple(sorted({*man.flash, *saw}))
    if man.painful:
        fields["pain_used"] = man.painful
    if in_melee(g, man):
        fields["distracted"] = True
    if g.terms.options.move_fire == "interleaved" and man.moved != "none" and not man.pressing:
        fields["halted"] = True
    g.edit(man.id, **fields)


def round_away(g: Fight, *args: object) -> None:
    """DOW-HIT-01, DOW-RNG-07, DOW-BLS-08: one D10; a miss goes astray."""
    shot = Shot(*args)  # type: ignore[arg-type]
    man, aim = g.state[shot.by], aim_of(g, shot)
    assert aim is not None
    line = bearing(man.at, aim.place) if man.at[:2] != aim.place[:2] else man.facing
    if shot.arm.at_range(aim.far) is None:
        short = landed(g, (*ahead(man.at, line, shot.arm.reach + BODY.base / 2), SKY))
        g.report("DOW-RNG-07", "falls_short", who=man.id, range=round(aim.far, 1), reach=shot.arm.reach)
        g.then(deviate, short, line, 1, False, "round", "comes_to_earth", (man.id, shot.weapon))
        return
    halved = aim.far < DEVIATION.half_if_nearer_than - CLOSE
    after = (man.id, shot.weapon, aim.place, line, halved, shot.building, aim.level, shot.vehicle)
    g.then(try_to_hit, "DOW-HIT-01", man.id, launch_terms(g, shot, aim), True, "launched", after)


def launched(
    g: Fight, hit: bool, by: Id, weapon: str, place: Place, line: float, halved: bool, building: str, level: int, vehicle: str
) -> None:
    """DOW-BLS-08, -12: on the mark, or astray from it."""
    if hit:
        g.then(strikes_home, place, by, weapon, building, level, vehicle)
    else:
        g.then(deviate, place, line, 1, halved, "round", "comes_to_earth", (by, weapon))


def comes_to_earth(g: Fight, where: Place | None, by: Id, weapon: str) -> None:
    """DOW-STR-05, DOW-GRN-11: what goes astray may still strike a building; off the table it is gone."""
    if where is None:
        g.report("DOW-GRN-11", "off_the_table", who=by, kind=WEAPONS[weapon].fires)
        return
    house, level = house_struck(g, where) or ("", 0)
    g.then(strikes_home, where, by, weapon, house, level, "")


def strikes_home(g: Fight, where: Place, by: Id, weapon: str, building: str, level: int, vehicle: str) -> None:
    """DOW-BLS-12, DOW-STR-03, DOW-VEH-04: nearer than its least range it does not burst; a direct hit hurts what it strikes."""
    arm = WEAPONS[weapon]
    blast = BLASTS[arm.fires or ""]
    if gap_to(g.state[by], where) < arm.min_range - CLOSE:
        g.report("DOW-BLS-12", "too_near", who=by, weapon=weapon, least=arm.min_range)
        return
    g.then(burst, blast.id, where, by)
    if building:
        later(g, "structure_hit", building, level, blast.sdpr, where, by, False)
    if vehicle:
        later(g, "vehicle_blast", vehicle, blast.sdpr, by)


# ---- on Op-Fire --------------------------------------------------------------------------------------------------------


def watcher_launch(g: Fight, args: Packed) -> None:
    """DOW-OPF-03: the same, out of his six AP."""
    g.then(loose, *shot_of(unpacked(args), True))


VERBS = (Verb("launch", "DOW-RNG-03", launch_offers, launch, why_not_launch, launch_cost),)
PARAGRAPHS = (launch, loose, round_away, launched, comes_to_earth, strikes_home, watcher_launch)
