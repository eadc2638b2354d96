"""The activation of a slot: what its models must do, what their owner has them do, and the end of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.offers import Ask, Barred, Choice, Offer, Offers, Refusal
from wardogs.systems.dogs.chapters import VERBS
from wardogs.systems.dogs.compulsions import FREE_ACTS, compelled_verbs, duty_is_over
from wardogs.systems.dogs.data import POOL, WEAPONS
from wardogs.systems.dogs.memory import just_asked
from wardogs.systems.dogs.modifiers import Attack
from wardogs.systems.dogs.morale import is_high
from wardogs.systems.dogs.opfire import order_of, order_offers
from wardogs.systems.dogs.shooting import cost_of, is_plain, why_no_weapon, why_not_mode, why_not_shoot_now, why_not_target
from wardogs.systems.dogs.state import Fight, Id, Model, other
from wardogs.systems.dogs.steps import later, watch_again
from wardogs.systems.dogs.verbs import Packed, first_refusal, packed, short_of_ap, unpacked

END = {"verb": "end_slot"}

# ---- A1: the start ---------------------------------------------------------------------------------------------------


def activate(g: Fight, who: tuple[Id, ...]) -> None:
    """DOW-SEQ-09, -10: Op-Fire lapses, marks go, AP are set; then each step for all before the next."""
    sleepers = tuple(id_ for id_ in team_sleepers(g, who) if id_ not in who)
    for id_ in who:
        man = g.state[id_]
        points = POOL.breathless_ap if man.breathless else POOL.ap
        g.edit(id_, **FRESH, ap=points, activated=True, breathless=False)
    g.change(active=who, interrupted=False)
    g.report("DOW-SEQ-06", "activated", side=g.state.slot_side, who=list(who))
    steps = ("wake_up", "rally", "gas_check", "load_check", "break_free")
    for step in steps:
        for id_ in (*who, *(sleepers if step == "wake_up" else ())):
            later(g, step, id_)
    g.then(act)


FRESH = {
    "opfire": False, "moved": "none", "seen_moving": "none", "halted": False, "pressing": False, "flash": (), "saw": (),
    "free_used": (), "demanded": (), "failing": (), "charged": "", "charge_run": 0.0, "charge_from": None, "cancelled": False,
}  # fmt: skip


def team_sleepers(g: Fight, who: tuple[Id, ...]) -> tuple[Id, ...]:
    """DOW-SEQ-13: the unconscious of a team have their wake-up check when the first of it is activated."""
    teams = {g.state[id_].team for id_ in who} - {""}
    return tuple(
        man.id for man in g.state.models
        if man.team in teams and man.alive and man.on_table and not man.conscious and not man.activated
    )  # fmt: skip


# ---- A2: acts --------------------------------------------------------------------------------------------------------


def act(g: Fight) -> None:
    """DOW-APT-08, DOW-SEQ-08, -14: the slot side spends AP of its active men in any order, or ends the slot."""
    side = g.state.slot_side
    if side is None or g.state.result is not None:
        return
    if (compelled := compulsion(g)) is not None:
        watch_again(g)
        later(g, *compelled)
        g.then(act)
        return
    if not any(g.state[id_].able for id_ in g.state.active):
        g.then(end_slot)
        return
    choice = g.ask("DOW-APT-08", side, act_question(g))
    if choice["verb"] == "end_slot":
        g.then(end_slot)
        return
    g.then(begin_act, packed(choice))
    g.then(act)


@just_asked
def act_question(g: Fight) -> Ask:
    now = g.copy(g.fate)
    return Ask("act", act_offers(now), END, lambda choice: why_not(now, choice), lambda: barred(now))


def compulsion(g: Fight) -> tuple[str, Id] | None:
    """DOW-SEQ-14: flight is forced, in list order, before anything else is asked."""
    for id_ in g.state.active:
        man = g.state[id_]
        if man.broken and man.free and man.on_table and man.ap > 0:
            return ("flee", id_)
        if man.able and man.ducking and duty_is_over(g, man):
            return ("duty_over", id_)
    return None


def act_offers(g: Fight) -> Offers:
    """Everything that the active men may do now, worked out verb by verb when somebody looks."""
    return Acts(g)


class Acts(Offers):
    """The offers of each active man, verb by verb; then new orders for watchers; then the end of the slot."""

    def __init__(self, g: Fight) -> None:
        active = [g.state[id_] for id_ in g.state.active]
        self.g, self.men = g, [Allowed(g, man) for man in active if man.able and not man.carried_by]
        self.watchers = [man for man in g.state.models if man.opfire and man.side == g.state.slot_side]
        self._made: dict[int, tuple[Offer, ...]] = {}
        self._groups = range(len(self.men) * len(NAMES) + len(self.watchers) + 1)  # type: ignore[assignment]

    def _group(self, k: int) -> tuple[Offer, ...]:
        found = self._made.get(k)
        if found is None:
            found = self._made[k] = self._worked_out(k)
        return found

    def _worked_out(self, k: int) -> tuple[Offer, ...]:
        who, verb = divmod(k, len(NAMES))
        if who < len(self.men):
            return self.men[who].offers(NAMES[verb])
        k -= len(self.men) * len(NAMES)
        return tuple(order_offers(self.g, self.watchers[k])) if k < len(self.watchers) else (Offer("end_slot", "DOW-APT-08"),)

    def like(self, choice: Mapping[str, Any]) -> Iterator[Offer]:
        """Those of the man and verb that a choice names."""
        verb = choice.get("verb")
        named = self._named(verb) if isinstance(verb, str) else ()
        for k, id_ in named:
            if choice.get("model", id_) == id_ or verb == "end_slot":
                yield from self._group(k)

    def _named(self, verb: str) -> Iterator[tuple[int, Id]]:
        after = len(self.men) * len(NAMES)
        if verb in NUMBERS:
            yield from ((who * len(NAMES) + NUMBERS[verb], allowed.man.id) for who, allowed in enumerate(self.men))
        if verb == "order":
            yield from ((after + k, man.id) for k, man in enumerate(self.watchers))
        if verb == "end_slot":
            yield after + len(self.watchers), ""

    doer = "model"

    @property
    def doers(self) -> tuple[Id, ...]:
        return tuple(dict.fromkeys([*(allowed.man.id for allowed in self.men), *(man.id for man in self.watchers)]))

    def of(self, doer: Any) -> Iterator[Offer]:
        after = len(self.men) * len(NAMES)
        if doer is None:
            yield from self._group(after + len(self.watchers))
        else:
            yield from self._acts_of(doer)
            yield from (offer for k, man in enumerate(self.watchers) if man.id == doer for offer in self._group(after + k))

    def _acts_of(self, doer: Any) -> Iterator[Offer]:
        at = next((at for at, allowed in enumerate(self.men) if allowed.man.id == doer), None)
        if at is None:
            return
        made, allowed = self._made, self.men[at]
        for k, name in enumerate(NAMES, at * len(NAMES)):
            found = made.get(k)
            if found is None:
                found = made[k] = allowed.offers(name)
            yield from found

    @cached_property
    def _all(self) -> tuple[Offer, ...]:
        return tuple(super().__iter__())

    def __iter__(self) -> Iterator[Offer]:
        return iter(self._all) if "_all" in self.__dict__ else super().__iter__()

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]


NAMES = tuple(VERBS)
NUMBERS = {name: number for number, name in enumerate(NAMES)}


class Allowed:
    """DOW-SEQ-14: a man under compulsion is offered only what carries it out."""

    def __init__(self, g: Fight, man: Model) -> None:
        self.g, self.man = g, man

    @cached_property
    def verbs(self) -> tuple[str, ...] | None:
        return compelled_verbs(self.g, self.man)

    def offers(self, name: str) -> tuple[Offer, ...]:
        if (verbs := self.verbs) is not None and name not in verbs:
            return ()
        return tuple(VERBS[name].offers(self.g, self.man))


def why_not(g: Fight, choice: Choice) -> Refusal | None:
    """The book's own reason against a choice that is not offered."""
    try:
        man = g.state[choice.get("model", "")]
    except LookupError:
        return None
    if man.id not in g.state.active:
        return Refusal("DOW-SEQ-06", "not_active", {"who": man.id})
    if man.free and man.broken:
        return Refusal("DOW-SEQ-14", "compelled", {"who": man.id})
    if not man.able or man.carried_by:
        return Refusal("DOW-APT-05", "not_able", {"who": man.id})
    verb = VERBS.get(choice["verb"])
    if verb is None:
        return None
    if (allowed := compelled_verbs(g, man)) is not None and choice["verb"] not in allowed:
        return Refusal("DOW-SEQ-14", "compelled", {"who": man.id})
    try:
        return verb.why_not(g, man, choice)
    except NONSENSE:
        return _why_no_fire_at(g, man, choice) if "target" in choice and choice["verb"] == "fire" else None


def _why_no_fire_at(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """A shot that is only half said: what forbids it however it is fired."""
    if (reason := why_no_fire(g, man)) is not None:
        return reason
    target = next((enemy for enemy in g.state.enemies(man) if enemy.id == choice.get("target")), None)
    return None if target is None or target.id in _fired_at(g, man) else why_never_target(g, man, target)


def _fired_at(g: Fight, man: Model) -> set[Id]:
    """All whom he may fire at, in one way or another."""
    offers = VERBS["fire"].offers(g, man)
    return {target for offer in offers for target in offer.fields["target"].among}  # type: ignore[union-attr]


NONSENSE = (TypeError, ValueError, LookupError, AttributeError)  # fields that no choice of this kind could have


def barred(g: Fight) -> tuple[Barred, ...]:
    """What the active men cannot do at all just now, and whom they cannot fire at, each with its reason."""
    found: list[Barred] = []
    for id_ in g.state.active:
        man = g.state[id_]
        if man.able:
            for name in VERBS:
                found += _barred_verb(g, man, name)
    return tuple(found)


def _barred_verb(g: Fight, man: Model, name: str) -> Iterator[Barred]:
    reason = _reason(g, man, name)
    if reason is not None and not any(True for _ in VERBS[name].offers(g, man)):
        yield Barred({"verb": name, "model": man.id}, reason)
    elif name == "fire" and reason is None:
        yield from _barred_fire(g, man)


def _barred_fire(g: Fight, man: Model) -> Iterator[Barred]:
    """What keeps him from firing at all; then each enemy who is no target for him, with the rule that says so."""
    choice = {"verb": "fire", "model": man.id}
    targets = _fired_at(g, man)
    if not targets and (reason := why_no_fire(g, man)) is not None:
        yield Barred(choice, reason)
    for enemy in g.state.enemies(man):
        if enemy.id not in targets and (reason := why_never_target(g, man, enemy)) is not None:
            yield Barred({**choice, "target": enemy.id}, reason)


def why_no_fire(g: Fight, man: Model) -> Refusal | None:
    """DOW-RNG-02 to -04, DOW-APT-02: whoever the target; the weapon in his hands, fired in the cheapest way."""
    held = man.weapon(man.in_hand)
    if held is None:
        return first_refusal(why_not_shoot_now(g, man)) or Refusal("DOW-RNG-02", "no_weapon_in_hand")
    if not is_plain(held.id):
        return first_refusal(why_not_shoot_now(g, man)) or Refusal("DOW-RNG-04", "fired_otherwise", {"weapon": held.id})
    ways = [Attack(man.id, held.id, mode, "") for mode in WEAPONS[held.id].modes]
    needs = min(cost_of(g, attack) for attack in ways)
    limits = [first_refusal(why_not_mode(g, man, attack)) for attack in ways]
    return (
        first_refusal(why_not_shoot_now(g, man))
        or first_refusal(why_no_weapon(g, man, held.id))
        or short_of_ap(man, needs)
        or (limits[0] if all(limits) else None)
    )


def why_never_target(g: Fight, man: Model, enemy: Model) -> Refusal | None:
    """What forbids even an aimed shot at him, or else, where that is not to be had, a plain one."""
    shot = Attack(man.id, man.in_hand, "", enemy.id)
    return first_refusal(why_not_target(g, man, enemy, shot._replace(aimed=True))) or first_refusal(
        why_not_target(g, man, enemy, shot)
    )


def _reason(g: Fight, man: Model, name: str) -> Refusal | None:
    try:
        return why_not(g, {"verb": name, "model": man.id})
    except NONSENSE:
        return None


def begin_act(g: Fight, args: Packed) -> None:
    """DOW-APT-02, -06, -07, DOW-GEN-11: paid from his own pool when declared; free acts once between two; then watchers."""
    choice = unpacked(args)
    man, name = g.state[choice["model"]], choice["verb"]
    if name == "order":
        g.edit(man.id, order=order_of(choice["order"]))
        return
    verb = VERBS[name]
    needs = verb.cost(g, man, choice)
    used = () if needs else tuple(sorted({*man.free_used, name}))
    distracted = man.distracted and not needs  # DOW-CQC-14: his last act in contact; firing will say so again
    g.edit(man.id, ap=man.ap - needs, ap_before=man.ap, free_used=used, distracted=distracted)
    forget_moves(g)
    if g.state.interrupted:
        g.change(interrupted=False)
    watch_again(g)
    if needs and verb.watched:
        later(g, "window", other(man.side), "declared", man.id)
    if needs and man.failing and name != "learn" and g.terms.options.wk_lockout == "first_other_action":
        g.then(lock_out, man.id)
    g.then(carry_on, args)
    later(g, "check_at_once")


def carry_on(g: Fight, args: Packed) -> None:
    """DOW-APT-06, DOW-HLT-03: the act itself; who must be bandaged by now does nothing else."""
    choice = unpacked(args)
    if g.state[choice["model"]].ima and choice["verb"] not in WHILE_HURT:
        g.report("DOW-APT-06", "act_lost", who=choice["model"])
        return
    later(g, VERBS[choice["verb"]].carry_out.__name__, args)


WHILE_HURT = ("bandage", "take_cover", "return", *FREE_ACTS)


# ---- A3: the end -----------------------------------------------------------------------------------------------------


def end_slot(g: Fight) -> None:
    """DOW-APT-08, DOW-SEQ-11: what is left is lost; bleeding, fortitude, lock-out, in list order."""
    who = g.state.active
    for id_ in who:
        g.edit(id_, ap=0)
    g.report("DOW-APT-08", "slot_over", side=g.state.slot_side)
    for step in ("bleed", "fatigue", "lock_out"):
        for id_ in who:
            later(g, step, id_)
    g.then(slot_over)


def slot_over(g: Fight) -> None:
    watch_again(g)
    forget_moves(g)
    g.change(active=())


def forget_moves(g: Fight) -> None:
    """DOW-MOV-19 with target_move_memory = only_while_moving: a move that is over is no mark any more."""
    if g.terms.options.target_move_memory == "only_while_moving":
        for id_ in g.state.active:
            g.edit(id_, seen_moving="none")


def fatigue(g: Fight, who: Id) -> None:
    """DOW-MOV-04, DOW-ABL-10, DOW-TRT-03, -04: two running turns in a row; Marines and the high do not tire."""
    man = g.state[who]
    streak = man.run_streak + 1 if man.ran else 0
    if streak != man.run_streak:
        g.edit(who, run_streak=streak)
    tireless = "go_faster" in g.terms.who[who].traits or is_high(g, man)
    if streak < 2 or tireless or not man.free:
        return
    need = g.terms.who[who].ft
    if not g.roll("DOW-MOV-04", D10, at_most(D10, need), who=who, need=need):
        g.edit(who, breathless=True)
        g.report("DOW-MOV-04", "breathless", who=who)


def lock_out(g: Fight, who: Id) -> None:
    """DOW-ABL-05: a series of attempts that failed ends it for the game."""
    man = g.state[who]
    if man.failing:
        g.edit(who, locked_out=tuple(sorted({*man.locked_out, *man.failing})), failing=())
        g.report("DOW-ABL-05", "locked_out", who=who, weapons=list(man.failing))


PARAGRAPHS = (activate, act, begin_act, carry_on, end_slot, slot_over, fatigue, lock_out)
