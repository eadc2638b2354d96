"""Op-Fire: watchers who may fire at any later moment, and the windows in which they are asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from wardogs.kernel.dice import D10
from wardogs.kernel.offers import Ask, Choice, Number, Offer, OneOf, Refusal, Seat
from wardogs.systems.dogs.data import COSTS, POOL
from wardogs.systems.dogs.launching import launch_cost, offers_to_launch
from wardogs.systems.dogs.measure import gap, in_arc, within
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.seeing import sees
from wardogs.systems.dogs.shooting import attack_of, attack_offers, cost_of, declare, why_not_attack
from wardogs.systems.dogs.shotguns import offers_to_scatter, scatter_cost
from wardogs.systems.dogs.state import Fight, Id, Model, Order, other
from wardogs.systems.dogs.steps import later
from wardogs.systems.dogs.vehicle_fire import fire_at_cost, watched_vehicles
from wardogs.systems.dogs.verbs import Packed, Verb, ap, doer, first_refusal, one, packed, short_of_ap, unpacked
from wardogs.systems.dogs.view import is_secret
from wardogs.systems.dogs.watch_devices import device_offers, throw_offers

HOLD, STOP = {"verb": "hold"}, {"verb": "stop"}

# ---- going on Op-Fire ------------------------------------------------------------------------------------------------


def watch_offers(g: Fight, man: Model) -> Iterator[Offer]:
    """DOW-OPF-01, -06: the whole fresh pool; his facing is his arc."""
    if why_not_watch(g, man, {}) is None:
        fields = one(man.id, face=Number(0, 345, 15, "degrees"), order=OneOf(ORDERS))
        yield Offer("watch", "DOW-OPF-01", fields, ap(POOL.opfire_cost))


ORDERS = ("ask", "never", "within 6", "within 12", "within 18", "within 24", "runs")


def order_of(words: str) -> Order:
    if words.startswith("within "):
        return Order("within", int(words.removeprefix("within ")))
    return Order(words)  # type: ignore[arg-type]


def why_not_watch(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-OPF-01, DOW-APT-04, DOW-MOV-11: ten AP, so never with a halved pool; nor on a face, where nobody shoots."""
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    return short_of_ap(man, POOL.opfire_cost, "DOW-OPF-01")


def watch(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.able or man.ducking:
        g.report("DOW-APT-06", "act_lost", who=man.id)
        return
    g.edit(man.id, opfire=True, facing=float(choice["face"]), order=order_of(choice["order"]))
    g.report("DOW-OPF-01", "watches", who=man.id, face=choice["face"])


def watch_cost(g: Fight, man: Model, choice: Choice) -> int:
    return POOL.opfire_cost


WATCH = Verb("watch", "DOW-OPF-01", watch_offers, watch, why_not_watch, watch_cost)


def order_offers(g: Fight, man: Model) -> Iterator[Offer]:
    """A standing order may be changed whenever its owner is at it: a comfort, no act of the book."""
    if man.opfire:
        yield Offer("order", "DOW-OPF-11", one(man.id, order=OneOf(other_orders(man))), minor=True)


def other_orders(man: Model) -> tuple[str, ...]:
    return tuple(order for order in ORDERS if order_of(order) != man.order)


# ---- the windows -----------------------------------------------------------------------------------------------------


def window(g: Fight, seat: Seat, why: str, about: Id = "") -> None:
    """DOW-OPF-05, -11: the watchers of a side who could fire now are put to its owner, who names one or holds."""
    if g.state.result or g.state.side(seat).holds:
        return
    offers = ready_offers(g, seat)
    if not offers:
        return
    if (own := by_order(g, offers)) is not None:
        g.then(answer, own, seat, why, about)
        return
    tell_owner(g, seat, why, about)
    hold = (Offer("hold", "DOW-OPF-11"), Offer("hold_on", "DOW-OPF-11"))
    choice = g.ask("DOW-OPF-02", seat, Ask("op_fire", (*offers, *hold), HOLD, _why_not(g, seat)))
    g.then(answer, packed(choice), seat, why, about)


def tell_owner(g: Fight, seat: Seat, why: str, about: Id = "") -> None:
    """DOW-OPF-05: what the enemy is at, told with the question to the watchers' owner alone."""
    if why == "declared":
        g.report("DOW-OPF-05", "op_fire", (seat,), why=why, who=about, **_declared(g, seat, about))
    elif why == "move" and about:
        man = g.state[about]
        g.report("DOW-OPF-05", "op_fire", (seat,), why=why, who=about, gait=man.seen_moving, at=list(man.at))
    else:
        g.report("DOW-OPF-05", "op_fire", (seat,), why=why, who=about)


def _declared(g: Fight, seat: Seat, about: Id) -> dict[str, str]:
    """DOW-OPF-05 b, DOW-EXP-15: the act that waits, and its target; not what is laid or blown where nobody sees it."""
    for step in g.agenda:
        if step.paragraph == "binds_his_wound" and step.args[0] == about:
            return {"verb": "bandage"}
        if step.paragraph == "carry_on" and (choice := unpacked(step.args[0]))["model"] == about:
            shown = {} if is_secret(g.state, step, seat) else choice
            return {name: shown[name] for name in ("verb", "target") if name in shown}
    return {}


def _why_not(g: Fight, seat: Seat, points: int = POOL.opfire_ap, firing: Id = "") -> Callable[[Choice], Refusal | None]:
    """The book's reason against what a watcher is not offered; `firing` is the one whose turn it is."""

    def why_not(choice: Choice) -> Refusal | None:
        if choice.get("verb") not in ("op_fire", "op_scatter", "op_launch", "op_throw", "op_trigger", "op_fire_at_vehicle"):
            return Refusal("DOW-OPF-03", "attacks_only")
        if choice["verb"] != "op_fire":
            return None
        try:
            man, _ = g.state[choice["model"]], g.state[choice["target"]]
            if man.side != seat or not man.watching:
                return Refusal("DOW-OPF-02", "not_watching", {"who": man.id})
            if firing and man.id != firing:
                return Refusal("DOW-OPF-09", "one_at_a_time", {"who": man.id, "first": firing})
            attack = attack_of({"aimed": False, "scope": False, **choice}, True)
            return first_refusal(why_not_attack(g, man, attack, points))
        except (TypeError, ValueError, LookupError, AttributeError):
            return None

    return why_not


def ready_offers(g: Fight, seat: Seat) -> tuple[Offer, ...]:
    """DOW-OPF-03, -04, -11: every attack and trigger that six AP buy a watcher; those whose orders say no are not listed."""
    return _ready_offers(g, seat) if any(man.ready for man in g.state.of(seat)) else ()


@remembered
def _ready_offers(g: Fight, seat: Seat) -> tuple[Offer, ...]:
    if not g.state.vehicles and not anybody_shows(g, seat):
        return ()
    return tuple(offer for man in g.state.of(seat) if man.ready for offer in watcher_offers(g, man, POOL.opfire_ap))


def anybody_shows(g: Fight, seat: Seat) -> bool:
    """Does any of a side see anything of an enemy? All that a watcher may do needs that: most windows end here."""
    men = list(g.state.of(seat))
    return any(in_arc(man, enemy.at) and sees(g, man, enemy, True) for enemy in g.state.of(other(seat)) for man in men)


def watcher_offers(g: Fight, man: Model, points: int) -> list[Offer]:
    fires = [offer for offer in attack_offers(g, man, "op_fire", points, True) if _ordered(g, man, offer)]
    if man.order.when != "ask":
        return fires
    thrown = throw_offers(g, man, points) if g.terms.options.opfire_grenades else ()
    launched = offers_to_launch(g, man, "op_launch", points, True)
    shot = [*fires, *watched_vehicles(g, man, points), *offers_to_scatter(g, man, "op_scatter", points, True)]
    return [*shot, *launched, *thrown, *device_offers(g, man, points)]


def _ordered(g: Fight, man: Model, offer: Offer) -> bool:
    """A standing order leaves a watcher out until somebody comes near enough, or runs."""
    if man.order.when == "ask":
        return True
    return any(_fits(g, man, g.state[target]) for target in offer.fields["target"].among)  # type: ignore[union-attr]


def _fits(g: Fight, man: Model, target: Model) -> bool:
    if man.order.when == "within":
        return within(gap(man, target), man.order.inches)
    return target.seen_moving == "run"


def by_order(g: Fight, offers: Sequence[Offer]) -> Packed | None:
    """A watcher with an order fires by himself: unaimed if he can, at the least cost, at the nearest who fits, while AP last."""
    ordered = [offer for offer in offers if g.state[doer(offer)].order.when in ("within", "runs")]
    if not ordered:
        return None
    man = g.state[doer(ordered[0])]
    own = [offer for offer in ordered if doer(offer) == man.id]
    best = min(own, key=lambda offer: (offer.pick(0)["aimed"], cost_of(g, attack_of(offer.pick(0)))))
    targets = [id_ for id_ in best.fields["target"].among if _fits(g, man, g.state[id_])]  # type: ignore[union-attr]
    nearest: Id = min(targets, key=lambda id_: (gap(man, g.state[id_]), id_))
    return packed({**best.pick(0), "target": nearest})


def answer(g: Fight, args: Packed, seat: Seat, why: str, about: Id) -> None:
    """DOW-OPF-09, -11: one watcher at a time, each to his end; then the enemy's watchers answer, then the next is asked."""
    choice = unpacked(args)
    if choice["verb"] == "hold":
        return
    if choice["verb"] == "hold_on":
        g.edit(("sides", seat), holds=True)
        return
    if why == "move":
        g.change(interrupted=True)
    g.then(watcher_acts, args, POOL.opfire_ap, about)
    g.then(window, other(seat), "answer", "")
    g.then(window, seat, why, about)


def watcher_acts(g: Fight, args: Packed, points: int, about: Id) -> None:
    """DOW-OPF-02 to -04: an attack with what is left of his six AP; never pre-empted."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if choice["verb"] == "op_fire":
        attack = attack_of(choice, True)
        left = points - cost_of(g, attack)
        g.then(declare, *attack)
    else:
        left = points - choice_cost(g, choice)
        later(g, f"watcher_{choice['verb'].removeprefix('op_')}", args)
    g.then(watch_on, man.id, left, about)


def choice_cost(g: Fight, choice: Choice) -> int:
    man = g.state[choice["model"]]
    if choice["verb"] == "op_launch":
        return launch_cost(g, man, choice)
    if choice["verb"] == "op_fire_at_vehicle":
        return fire_at_cost(g, man, choice)
    if choice["verb"] == "op_scatter":
        return scatter_cost(g, man, choice)
    return COSTS.trigger if choice["verb"] == "op_trigger" else COSTS.throw_grenade


def watch_on(g: Fight, who: Id, points: int, about: Id) -> None:
    """DOW-OPF-04, -11: again with what is left, or stop; then his Op-Fire is over."""
    man = g.state[who]
    again = [] if g.terms.options.opfire_single_attack or not man.watching else watcher_offers(g, man, points)
    if again:
        own = by_order(g, again)
        if own is None:
            ask = Ask("op_fire_again", (*again, Offer("stop", "DOW-OPF-11")), STOP, _why_not(g, man.side, points, who))
            own = packed(g.ask("DOW-OPF-04", man.side, ask))
        if own != packed(STOP):
            g.then(watcher_acts, own, points, about)
            return
    g.then(watch_over, who)


def watch_over(g: Fight, who: Id) -> None:
    """DOW-OPF-02: what is not used then is lost."""
    g.edit(who, opfire=False)


# ---- between slots ---------------------------------------------------------------------------------------------------


def boundary(g: Fight) -> None:
    """DOW-OPF-05 d, -09: both sides at once, and again until both hold; standing orders answer for themselves."""
    asks: dict[Seat, Ask] = {}
    firing: dict[Seat, Packed] = {}
    for seat in (1, 2):
        offers = () if g.state.side(seat).holds else ready_offers(g, seat)
        if (own := by_order(g, offers)) is not None:
            firing[seat] = own
        elif offers:
            tell_owner(g, seat, "between")
            hold = (Offer("hold", "DOW-OPF-11"),)
            asks[seat] = Ask("op_fire", (*offers, *hold), HOLD, _why_not(g, seat))
    answers = g.ask_all("DOW-OPF-09", asks)
    firing |= {seat: packed(choice) for seat, choice in answers.items() if choice["verb"] != "hold"}
    if firing:
        g.then(boundary_fire, tuple(sorted(firing.items())))
        g.then(boundary)


def boundary_fire(g: Fight, firing: tuple[tuple[Seat, Packed], ...]) -> None:
    """DOW-OPF-09: if both fire, low goes first; ties again."""
    if len(firing) == 2:
        rolls = [g.roll("DOW-OPF-09", D10, D10.faces, who=seat, side=True) for seat, _ in firing]
        if rolls[0] == rolls[1]:
            g.then(boundary_fire, firing)
            return
        firing = tuple(sorted(firing, key=lambda pair: rolls[firing.index(pair)]))
    for _, args in firing:
        g.then(boundary_shot, args)


def boundary_shot(g: Fight, args: Packed) -> None:
    """The second fires only if he is still able and his attack still legal."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if not man.watching or not any(offer.admits(choice) for offer in watcher_offers(g, man, POOL.opfire_ap)):
        return
    g.then(watcher_acts, args, POOL.opfire_ap, "")


VERBS = (WATCH,)
PARAGRAPHS = (watch, window, answer, watcher_acts, watch_on, watch_over, boundary, boundary_fire, boundary_shot)
