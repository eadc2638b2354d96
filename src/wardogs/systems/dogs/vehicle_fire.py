"""Fire at vehicles, damage to them, and wrecks."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, hypot

from wardogs.kernel.dice import D10, at_most, reading
from wardogs.kernel.offers import Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.darkness import has_night_eyes
from wardogs.systems.dogs.data import BODY, COVERS, SIGHTING, STRUCTURE_DAMAGE, TO_HIT, VEHICLES, WEAPONS, wound_column
from wardogs.systems.dogs.ground import terrain_now
from wardogs.systems.dogs.measure import CLOSE, in_arc, within
from wardogs.systems.dogs.modifiers import Attack, aim_terms, firer_terms, need, night_term
from wardogs.systems.dogs.places import nearest_free
from wardogs.systems.dogs.rotors import HELICOPTER, RIDE, door_reasons, plan_gap_to_hull, rotor_terms
from wardogs.systems.dogs.seeing import eye, hull, smoke_between
from wardogs.systems.dogs.shooting import spend_rounds, why_no_weapon, why_not_mode, why_not_shoot_now
from wardogs.systems.dogs.state import Fight, Id, Model, Term, Vehicle, other
from wardogs.systems.dogs.vehicles import leave_seat, riders, vehicle_of
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, unpacked
from wardogs.systems.dogs.wounds import Round, strike
from wardogs.table.sight import look
from wardogs.table.units import Inches

# ---- fire at one -----------------------------------------------------------------------------------------------------


def gap_to_hull(man: Model, vehicle: Vehicle) -> Inches:
    """DOW-GEN-12: base to hull, in three dimensions."""
    return hypot(plan_gap_to_hull(man, vehicle), vehicle.at[2] + vehicle.altitude - man.at[2])


def shows(g: Fight, man: Model, vehicle: Vehicle) -> float:
    """DOW-VEH-02: the share of its sides that he sees."""
    return look(terrain_now(g), eye(man), hull(vehicle)).visible()


def vehicle_terms(g: Fight, man: Model, weapon: str, mode: str, vehicle: Vehicle) -> tuple[Term, ...]:
    """DOW-VEH-03, DOW-MOD-17: as at a man, but large; fast or slow by the AP of its driver."""
    found = [Term("DOW-MOD-17", g.terms.who[man.id].wp), Term("DOW-VEH-03", RIDE.large)]
    if in_range := WEAPONS[weapon].at_range(gap_to_hull(man, vehicle)):
        found.append(Term("DOW-RNG-09", in_range))
    found += [*aim_terms(Attack(man.id, weapon, mode, "")), *firer_terms(g, man)]
    if vehicle.spent:
        moves = TO_HIT.target_running if vehicle.spent >= RIDE.fast_from else TO_HIT.target_walking
        found.append(Term("DOW-VEH-03", moves))
    if smoke_between(g, man, Model("", man.side, at=vehicle.at)):
        found.append(Term("DOW-MOD-12", TO_HIT.smoke))
    if g.terms.night and (dark := night_term(g, man, is_near(man, vehicle))).value:
        found.append(dark)
    return (*found, *(Term(rule, value) for rule, value in rotor_terms(g, man)))


def is_near(man: Model, vehicle: Vehicle) -> bool:
    """DOW-LOS-09: near enough to be seen by night."""
    return within(gap_to_hull(man, vehicle), SIGHTING.darkness)


def why_hidden(g: Fight, man: Model, vehicle: Vehicle) -> Iterator[Refusal]:
    """DOW-LOS-08, -09, DOW-VEH-02: by night ten inches without goggles; and a quarter of it shows."""
    if g.terms.night and not has_night_eyes(g, man) and not is_near(man, vehicle):
        yield Refusal("DOW-LOS-09", "too_dark", {"range": SIGHTING.darkness, "target": vehicle.id})
    if shows(g, man, vehicle) < SIGHTING.vehicle:
        yield Refusal("DOW-VEH-02", "less_than_a_quarter", {"target": vehicle.id})


def fire_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from offers_at_vehicles(g, man, "fire_at_vehicle", man.ap)


def watched_vehicles(g: Fight, man: Model, points: int) -> Iterator[Offer]:
    """DOW-OPF-03, -06: a watcher's, in his arc."""
    for offer in offers_at_vehicles(g, man, "op_fire_at_vehicle", points):
        if in_arc(man, g.state.vehicle(offer.pick(0)["vehicle"]).at):
            yield offer


def offers_at_vehicles(g: Fight, man: Model, verb: str, points: int) -> Iterator[Offer]:
    for vehicle in g.state.vehicles:
        for held in man.weapons:
            for mode, figures in WEAPONS[held.id].modes.items():
                if WEAPONS[held.id].dpr and first_refusal(reasons(g, man, held.id, mode, vehicle, points)) is None:
                    fields = one(man.id, weapon=OneOf((held.id,)), mode=OneOf((mode,)), vehicle=OneOf((vehicle.id,)))
                    yield Offer(verb, "DOW-VEH-04", fields, ap(figures.ap))


def reasons(g: Fight, man: Model, weapon: str, mode: str, vehicle: Vehicle, points: int) -> Iterator[Refusal]:
    """DOW-VEH-02: what forbids it; a vehicle of the enemy, a quarter of it in sight."""
    crew = [g.state[id_] for id_ in vehicle.seats if id_]
    enemy = vehicle.side == other(man.side) or any(one.side != man.side and not one.captured for one in crew)
    if not vehicle.there or vehicle.wrecked or not enemy:
        yield Refusal("DOW-VEH-02", "no_target", {"target": vehicle.id})
    yield from why_not_shoot_now(g, man)
    yield from why_no_weapon(g, man, weapon)
    yield from why_not_mode(g, man, Attack(man.id, weapon, mode, ""))
    if mode in WEAPONS[weapon].modes and (needs := WEAPONS[weapon].modes[mode].ap) > points:
        yield Refusal("DOW-APT-02", "needs_ap", {"needs": needs, "has": points})
    yield from door_reasons(g, man, weapon, vehicle)
    yield from why_hidden(g, man, vehicle)


def why_not_fire_at(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    vehicle = vehicle_of(g, choice.get("vehicle"))
    if vehicle is None or choice.get("weapon") not in WEAPONS:
        return Refusal("DOW-VEH-02", "no_target", {"target": choice.get("vehicle")})
    return first_refusal(reasons(g, man, choice["weapon"], choice.get("mode", ""), vehicle, man.ap))


def fire_at_cost(g: Fight, man: Model, choice: Choice) -> int:
    return WEAPONS[choice["weapon"]].modes[choice["mode"]].ap


def fire_at_vehicle(g: Fight, args: Packed) -> None:
    """DOW-VEH-04: rounds leave the barrel; each is rolled for."""
    choice = unpacked(args)
    man, vehicle = g.state[choice["model"]], g.state.vehicle(choice["vehicle"])
    weapon, mode = choice["weapon"], choice["mode"]
    held = man.weapon(weapon)
    if not man.able or held is None or vehicle.wrecked:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    dice = min(WEAPONS[weapon].modes[mode].dice, held.loaded)
    spend_rounds(g, man, Attack(man.id, weapon, mode, ""), dice, vehicle.at)
    g.report("DOW-VEH-04", "fires_at_vehicle", who=man.id, vehicle=vehicle.id, weapon=weapon, mode=mode, dice=dice)
    for _ in range(dice):
        g.then(shot_at_vehicle, man.id, weapon, mode, vehicle.id)


def watcher_fire_at_vehicle(g: Fight, args: Packed) -> None:
    """DOW-OPF-03: the same, out of his six AP."""
    g.then(fire_at_vehicle, args)


def shot_at_vehicle(g: Fight, who: Id, weapon: str, mode: str, vehicle_id: str) -> None:
    """DOW-VEH-03, DOW-RNG-07: one D10 a shot; 1 hits, 10 misses; beyond the range nothing does."""
    man, vehicle = g.state[who], g.state.vehicle(vehicle_id)
    terms = vehicle_terms(g, man, weapon, mode, vehicle)
    reach = WEAPONS[weapon].at_range(gap_to_hull(man, vehicle)) is not None
    means = at_most(D10, need(terms), TO_HIT.natural_hit, TO_HIT.natural_miss) if reach else (False,) * len(D10.faces)
    if g.roll("DOW-VEH-03", D10, means, who=who, at=vehicle_id, need=need(terms), terms=terms):
        g.then(vehicle_hit, vehicle_id, weapon, who)


# ---- damage ----------------------------------------------------------------------------------------------------------


def vehicle_blast(g: Fight, vehicle_id: str, dpr: int, by: Id) -> None:
    """DOW-VEH-04, DOW-STR-04: a direct hit by what bursts: D10 less the structural DPR, against its structure points."""
    vehicle = g.state.vehicle(vehicle_id)
    if vehicle.wrecked:
        return
    whole = VEHICLES[vehicle.kind].sp
    means = reading(D10, lambda face: whole if face - dpr <= STRUCTURE_DAMAGE.level_destroyed_at else points_lost(face - dpr))
    g.then(lose_points, vehicle_id, g.roll("DOW-VEH-04", D10, means, who=by, vehicle=vehicle_id, dpr=dpr), by)


def points_lost(figure: int) -> int:
    return STRUCTURE_DAMAGE.by_column[wound_column(figure)]


def vehicle_hit(g: Fight, vehicle_id: str, weapon: str, by: Id) -> None:
    """DOW-VEH-04: a round strikes: the body, or somebody in it."""
    vehicle = g.state.vehicle(vehicle_id)
    if vehicle.wrecked:
        return
    if g.roll("DOW-VEH-04", D10, at_most(D10, RIDE.body_up_to), who=by, vehicle=vehicle_id, part=True):
        g.then(body_hit, vehicle_id, weapon, by)
    else:
        g.then(rider_hit, vehicle_id, weapon, by)


def body_hit(g: Fight, vehicle_id: str, weapon: str, by: Id) -> None:
    """DOW-VEH-04: only a soft skin gives way: D10 less DPR at 0 or below, one point."""
    dpr = WEAPONS[weapon].dpr or 0
    if not VEHICLES[g.state.vehicle(vehicle_id).kind].soft_skin:
        g.report("DOW-VEH-04", "glances_off", vehicle=vehicle_id)
    elif g.roll("DOW-VEH-04", D10, at_most(D10, dpr), who=by, vehicle=vehicle_id, dpr=dpr):
        g.then(lose_points, vehicle_id, 1, by)


def rider_hit(g: Fight, vehicle_id: str, weapon: str, by: Id) -> None:
    """DOW-VEH-04: somebody aboard, by lot; the body of the vehicle is hard cover."""
    exposed = tuple(man.id for man in riders(g, g.state.vehicle(vehicle_id)) if man.alive)
    if not exposed:
        return
    arm = WEAPONS[weapon]
    who = g.draw("DOW-VEH-04", exposed, who=by, vehicle=vehicle_id)
    need = (arm.hard or 0) + COVERS[VEHICLES[g.state.vehicle(vehicle_id).kind].cover].mod
    if g.roll("DOW-COV-03", D10, at_most(D10, need), who=who, by=by, need=need, cover="vehicle_body", location=""):
        g.then(strike, who, Round(by, None, arm.dpr or 0, arm.arm))


def lose_points(g: Fight, vehicle_id: str, points: int, by: Id) -> None:
    vehicle = g.state.vehicle(vehicle_id)
    left = max(0, vehicle.sp - points)
    g.edit(("vehicles", vehicle_id), sp=left)
    g.report("DOW-VEH-04", "vehicle_damaged", vehicle=vehicle_id, points=points, left=left)
    if left == 0 and not vehicle.wrecked:
        g.then(wreck, vehicle_id, by)


def wreck(g: Fight, vehicle_id: str, by: Id) -> None:
    """DOW-VEH-05, DOW-AIR-08: hard cover from now on; one hit on everybody aboard, harder if it falls from the sky."""
    vehicle = g.state.vehicle(vehicle_id)
    in_the_air = vehicle.altitude > 0
    dpr = HELICOPTER.crash_dpr if in_the_air else ceil(VEHICLES[vehicle.kind].sp / 2)
    aboard = tuple(man.id for man in riders(g, vehicle))
    g.edit(("vehicles", vehicle_id), wrecked=True, altitude=0.0, hovering=False)
    g.report("DOW-AIR-08" if in_the_air else "DOW-VEH-05", "wrecked", vehicle=vehicle_id, crash=in_the_air)
    under = caught_below(g, g.state.vehicle(vehicle_id)) if in_the_air else ()
    for id_ in aboard:
        g.then(thrown_clear, id_)
    for id_ in aboard:
        g.then(strike, id_, Round(by, None, dpr, None))
    for id_ in under:
        g.then(strike, id_, Round(by, None, HELICOPTER.crash_ground_dpr, None))


def caught_below(g: Fight, vehicle: Vehicle) -> tuple[Id, ...]:
    """DOW-AIR-08: everybody within the radius of the crash."""
    near = [man for man in g.state.models if man.living and not man.vehicle]
    x, y, _ = vehicle.at
    return tuple(man.id for man in near if hypot(man.at[0] - x, man.at[1] - y) - BODY.base / 2 <= HELICOPTER.crash_radius + CLOSE)


def thrown_clear(g: Fight, who: Id) -> None:
    """Whoever was in a vehicle that is now a wreck lies beside it."""
    man = g.state[who]
    vehicle = g.state.vehicle(man.vehicle)
    leave_seat(g, man, nearest_free(g, vehicle.at, who))
    g.edit(who, away="", stance="prone")


VERBS = (Verb("fire_at_vehicle", "DOW-VEH-04", fire_offers, fire_at_vehicle, why_not_fire_at, fire_at_cost),)
PARAGRAPHS = (
    fire_at_vehicle, watcher_fire_at_vehicle, shot_at_vehicle, vehicle_blast, vehicle_hit, body_hit, rider_hit, lose_points,
    wreck, thrown_clear,
)  # fmt: skip
