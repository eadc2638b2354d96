"""The shotgun: a cone of shot, one die for each who is in it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from wardogs.kernel.dice import D10
from wardogs.kernel.offers import Ask, Choice, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import BODY, WEAPONS, load
from wardogs.systems.dogs.marks import is_legal
from wardogs.systems.dogs.measure import ahead, bearing, gap, within
from wardogs.systems.dogs.modifiers import Attack, need, to_hit_terms
from wardogs.systems.dogs.seeing import body, eye, looks, screened
from wardogs.systems.dogs.shooting import cost_of, hit_reading, shots, spend_rounds, why_impossible, why_not_attack
from wardogs.systems.dogs.state import Fight, Id, Model
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.verbs import Packed, Verb, ap, first_refusal, one, unpacked
from wardogs.systems.dogs.wounds import Round
from wardogs.table.templates import Cone, under


class Figures(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    length: float
    width: float
    source: Source


CONE = load("throwing.toml", "cone", Figures)
GUNS = tuple(weapon.id for weapon in WEAPONS.values() if weapon.template)

Plan = tuple[tuple[Id, bool | None], ...]  # of each man: hit, missed, or still to roll

# ---- offers ------------------------------------------------------------------------------------------------------------


def attack_of(choice: Choice, watch: bool = False) -> Attack:
    weapon = choice["weapon"]
    mode = next(iter(WEAPONS[weapon].modes))
    return Attack(choice["model"], weapon, mode, choice["target"], choice.get("aimed", False), False, "", watch)


def scatter_offers(g: Fight, man: Model) -> Iterator[Offer]:
    yield from offers_to_scatter(g, man, "scatter_shot", man.ap, False)


def offers_to_scatter(g: Fight, man: Model, verb: str, points: int, watch: bool) -> Iterator[Offer]:
    """DOW-HIT-08, DOW-OPF-03: at whoever may be shot at; sight, priority and aiming as with any weapon."""
    for held in man.weapons:
        for aimed in (False, True) if held.id in GUNS else ():
            base = {"model": man.id, "weapon": held.id, "aimed": aimed}
            found = tuple(
                enemy.id
                for enemy in g.state.enemies(man)
                if is_legal(why_not_attack(g, man, attack_of({**base, "target": enemy.id}, watch), points))
            )
            if found:
                fields = one(man.id, weapon=OneOf((held.id,)), target=OneOf(found), aimed=OneOf((aimed,)))
                yield Offer(verb, "DOW-HIT-08", fields, ap(cost_of(g, attack_of({**base, "target": found[0]}, watch))))


def why_not_scatter(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    weapon = choice.get("weapon") or next((held.id for held in man.weapons if held.id in GUNS), None)
    if weapon not in GUNS:
        return Refusal("DOW-HIT-08", "no_shotgun")
    if choice.get("target") not in {model.id for model in g.state.models}:
        return None
    return first_refusal(why_not_attack(g, man, attack_of({**choice, "weapon": weapon}), man.ap))


def scatter_cost(g: Fight, man: Model, choice: Choice) -> int:
    return cost_of(g, attack_of(choice))


# ---- firing ------------------------------------------------------------------------------------------------------------


def scatter_shot(g: Fight, args: Packed) -> None:
    """DOW-RNG-06, DOW-APT-06: declared; unless an interrupt has spoilt it."""
    attack = attack_of(unpacked(args))
    by = g.state[attack.by]
    if not by.able or not is_legal(why_impossible(g, by, attack)):
        g.report("DOW-APT-06", "act_lost", who=by.id)
        return
    g.then(let_fly, *attack)


def let_fly(g: Fight, *args: object) -> None:
    """DOW-APT-06, DOW-HIT-08: the shell is spent; who is in the cone."""
    attack = Attack(*args)  # type: ignore[arg-type]
    by = g.state[attack.by]
    if not by.able or not g.state[attack.target].on_table or not shots(by, attack):
        g.report("DOW-APT-06", "act_lost", who=attack.by)
        return
    plan = tuple((id_, None) for id_ in in_cone(g, attack))
    far = round(gap(by, g.state[attack.target]), 1)
    spend_rounds(g, by, attack, shots(by, attack), g.state[attack.target].at)
    g.report(
        "DOW-HIT-08", "scatters", who=by.id, at=attack.target, weapon=attack.weapon, caught=[id_ for id_, _ in plan], range=far
    )
    g.then(pellets, plan, *attack)


def in_cone(g: Fight, attack: Attack) -> list[Id]:
    """DOW-HIT-08, -04: the target; then everyone, friend or foe, whose base the cone touches and whom nobody screens."""
    by, target = g.state[attack.by], g.state[attack.target]
    line = bearing(by.at, target.at)
    cone = Cone((*ahead(by.at, line, BODY.base / 2), by.at[2]), (90.0 - line) % 360, CONE.length, CONE.width)
    others = [man for man in g.state.models if man.living and man.id not in (by.id, target.id) and under(cone, body(man), "base")]
    found = [man for man in others if within(gap(by, man), CONE.length) and _shows(g, by, man)]
    return [target.id, *(man.id for man in sorted(found, key=lambda man: gap(target, man)))]


def _shows(g: Fight, by: Model, man: Model) -> bool:
    return looks(g, by, man).reachable and screened(g, by, man) is None


def pellets(g: Fight, plan: Plan, *args: object) -> None:
    """DOW-HIT-02, -08: one D10 for each man, at his own range."""
    attack = Attack(*args)  # type: ignore[arg-type]
    for k, (id_, hit) in enumerate(plan):
        if hit is None:
            terms = to_hit_terms(g, attack, g.state[id_])
            rolled = g.roll("DOW-HIT-08", D10, hit_reading(g, attack, id_), who=attack.by, at=id_, need=need(terms), terms=terms)
            g.then(pellets, (*plan[:k], (id_, rolled), *plan[k + 1 :]), *attack)
            return
    g.then(pellets_again, plan, *attack)


def pellets_again(g: Fight, plan: Plan, *args: object) -> None:
    """DOW-TRT-01: an Expert Rifleman may roll one miss again."""
    attack = Attack(*args)  # type: ignore[arg-type]
    by = g.state[attack.by]
    missed = tuple(id_ for id_, hit in plan if not hit and any(hit_reading(g, attack, id_)))
    if by.expert_left and missed:
        offers = (Offer("reroll", "DOW-TRT-01", {"at": OneOf(missed)}), Offer("keep", "DOW-TRT-01"))
        answer = g.ask("DOW-TRT-01", by.side, Ask("reroll", offers, {"verb": "reroll", "at": missed[0]}))
        if answer["verb"] == "reroll":
            g.then(pellet_again, answer["at"], plan, *attack)
            return
    g.then(pellets_hit, hits_of(g, plan, attack), *attack)


def pellet_again(g: Fight, at: Id, plan: Plan, *args: object) -> None:
    """DOW-TRT-01: the second result stands."""
    attack = Attack(*args)  # type: ignore[arg-type]
    g.edit(attack.by, expert_left=False)
    terms = to_hit_terms(g, attack, g.state[at])
    hit = g.roll("DOW-TRT-01", D10, hit_reading(g, attack, at), who=attack.by, at=at, need=need(terms), terms=terms)
    g.then(pellets_hit, hits_of(g, tuple((id_, hit if id_ == at else was) for id_, was in plan), attack), *attack)


def hits_of(g: Fight, plan: Plan, attack: Attack) -> tuple[tuple[Id, int, Round], ...]:
    """DOW-HIT-08: each success gives the hits, the DPR and the ARM of its band; all ranges are those of the shot."""
    found = []
    for id_, hit in plan:
        band = WEAPONS[attack.weapon].band(gap(g.state[attack.by], g.state[id_]))
        if hit and band is not None:
            found.append((id_, *shell(g, attack, band)))
    return tuple(found)


def shell(g: Fight, attack: Attack, band: int) -> tuple[int, Round]:
    """How many hits a success gives in a band, and what each of them is."""
    weapon, by = WEAPONS[attack.weapon], g.state[attack.by]
    dpr, arm = weapon.ring_dpr[band], weapon.ring_arm[band]
    return weapon.ring_hits[band], Round(by.id, eye(by), dpr, arm, weapon.soft or 0, weapon.hard or 0, attack.aimed)


def pellets_hit(g: Fight, hits: tuple[tuple[Id, int, tuple[object, ...]], ...], *args: object) -> None:
    """DOW-HIT-06, -07: one at a time to its end; what is left over when a man dies is lost."""
    while hits and (hits[0][1] < 1 or not g.state[hits[0][0]].alive):
        hits = hits[1:]
    if hits:
        id_, n, shot = hits[0]
        later(g, "who_is_hit", id_, shot)
        g.then(pellets_hit, ((id_, n - 1, shot), *hits[1:]), *args)


def watcher_scatter(g: Fight, args: Packed) -> None:
    """DOW-OPF-03: the same, out of his six AP."""
    g.then(let_fly, *attack_of(unpacked(args), True))


VERBS = (Verb("scatter_shot", "DOW-HIT-08", scatter_offers, scatter_shot, why_not_scatter, scatter_cost),)
PARAGRAPHS = (scatter_shot, let_fly, pellets, pellets_again, pellet_again, pellets_hit, watcher_scatter)
