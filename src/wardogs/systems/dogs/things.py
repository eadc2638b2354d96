"""Things in hand and about: picking up, dropping, handing over, swapping, reloading; masks and goggles."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.offers import Choice, Flag, Offer, OneOf, Refusal
from wardogs.systems.dogs.arms import Source
from wardogs.systems.dogs.data import COSTS, WEAPONS, load
from wardogs.systems.dogs.healing import named
from wardogs.systems.dogs.holdings import LAUNCHER, given, kinds_of, launcher_goes_with, received, why_not_received
from wardogs.systems.dogs.measure import in_contact, touches
from wardogs.systems.dogs.memory import remembered
from wardogs.systems.dogs.moving import nothing, why_not_free
from wardogs.systems.dogs.shooting import hands_for, ready
from wardogs.systems.dogs.state import Fight, Item, Model, Weapon, counted
from wardogs.systems.dogs.verbs import Packed, Verb, ap, one, short_of_ap, unpacked


class Reloading(Struct, frozen=True, forbid_unknown_fields=True):
    """Weapons that are filled round by round; their cost is that of one."""

    one_by_one: tuple[str, ...]
    source: Source


RELOADING = load("aid.toml", "reloading", Reloading)


def why_no_hand(man: Model, rule: str) -> Refusal | None:
    """A hand that is free for small things."""
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    return Refusal(rule, "no_good_arm", {"who": man.id}) if len(man.useless) == 2 else None


def is_lost(g: Fight, man: Model, possible: bool) -> bool:
    """DOW-APT-06: what has become impossible is lost with its AP."""
    if man.able and possible:
        return False
    g.report("DOW-APT-06", "act_lost", who=man.id)
    return True


# ---- picking up ------------------------------------------------------------------------------------------------------


@remembered
def sources(g: Fight, man: Model) -> tuple[tuple[str, Model | Item], ...]:
    """DOW-ACT-01: the fallen and the things that he touches, each with the name by which it is chosen."""
    return tuple(_sources(g, man))


def _sources(g: Fight, man: Model) -> Iterator[tuple[str, Model | Item]]:
    for other in g.state.models:
        if is_fallen(other) and in_contact(g, man, other):
            yield other.id, other
    for item in g.state.items:
        if touches(g, man, item.at):
            yield f"#{item.id}", item


def is_fallen(man: Model) -> bool:
    """DOW-ACT-01, DOW-HLT-17: dead or unconscious, and there."""
    return man.on_table and (not man.alive or not man.conscious)


def things_at(source: Model | Item) -> tuple[str, ...]:
    return (source.kind,) if isinstance(source, Item) else kinds_of(source)


def parcel(source: Model | Item, kind: str) -> Item:
    """What one act takes from there: one grenade, one weapon with all that hangs on it, all rounds of a calibre."""
    if isinstance(source, Item):
        return replace(source, n=1) if is_single(kind) else source
    return given(source, kind)[1]


def is_single(kind: str) -> bool:
    """Everything but ammunition goes one by one."""
    return kind not in {weapon.calibre for weapon in WEAPONS.values()}


def why_not_pick_up(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-01: one AP an item, base contact, from a fallen model or a cache."""
    if (refusal := why_no_hand(man, "DOW-ACT-01")) is not None:
        return refusal
    source = dict(sources(g, man)).get(choice.get("source", ""))
    if source is None:
        return Refusal("DOW-ACT-01", "not_within_reach", {"who": choice.get("source", "")})
    kind = choice.get("item", "")
    if kind == LAUNCHER and isinstance(source, Model) and launcher_goes_with(source):
        return Refusal("DOW-RNG-15", "part_of_the_rifle", {"item": kind})
    if kind not in things_at(source):
        return Refusal("DOW-ACT-01", "not_there", {"item": kind})
    return why_not_received(man, parcel(source, kind)) or short_of_ap(man, COSTS.pick_up, "DOW-ACT-01")


def pick_up_offers(g: Fight, man: Model) -> Iterator[Offer]:
    for name, source in sources(g, man):
        here = {"source": name}
        kinds = tuple(kind for kind in things_at(source) if why_not_pick_up(g, man, {**here, "item": kind}) is None)
        if kinds:
            yield Offer("pick_up", "DOW-ACT-01", one(man.id, source=OneOf((name,)), item=OneOf(kinds)), ap(COSTS.pick_up))


def pick_up(g: Fight, args: Packed) -> None:
    """DOW-ACT-01: from there to him."""
    choice = unpacked(args)
    man, kind = g.state[choice["model"]], choice["item"]
    source = dict(sources(g, man)).get(choice["source"])
    if is_lost(g, man, source is not None and kind in things_at(source)) or source is None:
        return
    got = parcel(source, kind)
    if isinstance(source, Item):
        left = source.n - got.n
        rest = (replace(source, n=left),) if left else ()
        g.change(items=tuple(item for item in g.state.items if item.id != source.id) + rest)
    else:
        g.edit(source.id, **given(source, kind)[0])
    g.edit(man.id, **received(g.state[man.id], got))
    g.report("DOW-ACT-01", "picks_up", who=man.id, item=kind, source=choice["source"])


def pick_up_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.pick_up


# ---- dropping, handing over ------------------------------------------------------------------------------------------


def why_not_drop(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-02, DOW-APT-07: free; a launcher goes with its rifle."""
    if (refusal := why_not_held(man, choice.get("item", ""), "DOW-ACT-02")) is not None:
        return refusal
    return why_not_free(man, "drop")


def why_not_held(man: Model, kind: str, rule: str) -> Refusal | None:
    if kind == LAUNCHER and launcher_goes_with(man):
        return Refusal("DOW-RNG-15", "part_of_the_rifle", {"item": kind})
    return None if kind in kinds_of(man) else Refusal(rule, "lacks_item", {"item": kind})


def drop_offers(g: Fight, man: Model) -> Iterator[Offer]:
    kinds = kinds_of(man)
    if kinds and why_not_free(man, "drop") is None:
        yield Offer("drop", "DOW-ACT-02", one(man.id, item=OneOf(kinds)), minor=True)


def drop(g: Fight, args: Packed) -> None:
    """DOW-ACT-02: at his place."""
    choice = unpacked(args)
    lay_down(g, g.state[choice["model"]], choice["item"])


def lay_down(g: Fight, man: Model, kind: str) -> None:
    fields, item = given(man, kind)
    number = g.state.made + 1
    g.edit(man.id, **fields)
    g.change(items=(*g.state.items, replace(item, id=number, at=man.at)), made=number)
    g.report("DOW-ACT-02", "drops", who=man.id, item=kind)


def why_not_hand_over(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-08: one AP an item, base contact, to a friend who is free to take it."""
    if (refusal := why_no_hand(man, "DOW-ACT-08")) is not None:
        return refusal
    to = named(g, choice, "to")
    if to is None or to.id == man.id or not to.on_table or not in_contact(g, man, to):
        return Refusal("DOW-ACT-08", "not_within_reach", {"who": choice.get("to", "")})
    if to.side != man.side or not to.free or len(to.useless) == 2:
        return Refusal("DOW-ACT-08", "cannot_take_it", {"who": to.id})
    if (refusal := why_not_held(man, choice.get("item", ""), "DOW-ACT-08")) is not None:
        return refusal
    return why_not_received(to, given(man, choice["item"])[1]) or short_of_ap(man, COSTS.hand_over, "DOW-ACT-08")


def hand_over_offers(g: Fight, man: Model) -> Iterator[Offer]:
    for to in g.state.of(man.side):
        if in_contact(g, man, to):
            kinds = tuple(kind for kind in kinds_of(man) if why_not_hand_over(g, man, {"to": to.id, "item": kind}) is None)
            if kinds:
                fields = one(man.id, to=OneOf((to.id,)), item=OneOf(kinds))
                yield Offer("hand_over", "DOW-ACT-08", fields, ap(COSTS.hand_over), minor=True)


def hand_over(g: Fight, args: Packed) -> None:
    """DOW-ACT-08."""
    choice = unpacked(args)
    man, to, kind = g.state[choice["model"]], g.state[choice["to"]], choice["item"]
    if is_lost(g, man, to.free and in_contact(g, man, to) and kind in kinds_of(man)):
        return
    fields, item = given(man, kind)
    g.edit(man.id, **fields)
    g.edit(to.id, **received(to, item))
    g.report("DOW-ACT-08", "hands_over", who=man.id, to=to.id, item=kind)


def hand_over_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.hand_over


# ---- the weapon in hand ----------------------------------------------------------------------------------------------


def why_not_swap(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-11, DOW-RNG-15: one AP, the one in hand slung or dropped; a launcher is in hand with its rifle."""
    if (refusal := why_no_hand(man, "DOW-ACT-11")) is not None:
        return refusal
    weapon = choice.get("weapon", "")
    if weapon == LAUNCHER and launcher_goes_with(man):
        return Refusal("DOW-RNG-15", "part_of_the_rifle", {"item": weapon})
    if man.weapon(weapon) is None:
        return Refusal("DOW-ACT-11", "lacks_item", {"item": weapon})
    if man.in_hand == weapon or (choice.get("drop") and not man.in_hand):
        return Refusal("DOW-ACT-11", "in_hand_already", {"weapon": weapon})
    return short_of_ap(man, COSTS.swap_weapon, "DOW-ACT-11")


def swap_offers(g: Fight, man: Model) -> Iterator[Offer]:
    slung = tuple(held.id for held in man.weapons if why_not_swap(g, man, {"weapon": held.id}) is None)
    if slung:
        drop_it = Flag() if man.in_hand else OneOf((False,))
        yield Offer("swap", "DOW-ACT-11", one(man.id, weapon=OneOf(slung), drop=drop_it), ap(COSTS.swap_weapon))


def swap(g: Fight, args: Packed) -> None:
    """DOW-ACT-11."""
    choice = unpacked(args)
    man = g.state[choice["model"]]
    if is_lost(g, man, man.weapon(choice["weapon"]) is not None):
        return
    if choice["drop"]:
        lay_down(g, man, man.in_hand)
    g.edit(man.id, in_hand=choice["weapon"])
    g.report("DOW-ACT-11", "takes_in_hand", who=man.id, weapon=choice["weapon"])


def swap_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.swap_weapon


def why_not_reload(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-ACT-07, DOW-RNG-11, -12, DOW-DMG-09: a weapon in hand that is not full, rounds for it, and hands."""
    weapon = choice.get("weapon", man.in_hand)
    held = man.weapon(weapon)
    if man.climbing:
        return Refusal("DOW-MOV-11", "on_the_face")
    if held is None or not ready(man, weapon):
        return Refusal("DOW-ACT-07", "not_in_hand", {"weapon": weapon})
    if held.loaded >= WEAPONS[weapon].magazine:
        return Refusal("DOW-ACT-07", "fully_loaded", {"weapon": weapon})
    if not spare(man, weapon):
        return Refusal("DOW-RNG-11", "no_rounds", {"weapon": weapon})
    return hands_for(man, WEAPONS[weapon].hands) or short_of_ap(man, WEAPONS[weapon].reload_ap, "DOW-ACT-07")


def spare(man: Model, weapon: str) -> int:
    """DOW-BLD-07: rounds of its calibre; grenades and rockets from the stores."""
    arm = WEAPONS[weapon]
    return man.has(arm.fires) if arm.fires else dict(man.ammo).get(arm.calibre, 0)


def reload_offers(g: Fight, man: Model) -> Iterator[Offer]:
    for held in man.weapons:
        if why_not_reload(g, man, {"weapon": held.id}) is None:
            yield Offer("reload", "DOW-ACT-07", one(man.id, weapon=OneOf((held.id,))), ap(WEAPONS[held.id].reload_ap))


def reload(g: Fight, args: Packed) -> None:
    """DOW-ACT-07: a full magazine as far as the rounds go; a shotgun shell by shell."""
    choice = unpacked(args)
    man, weapon = g.state[choice["model"]], choice["weapon"]
    if is_lost(g, man, ready(man, weapon) and spare(man, weapon) > 0):
        return
    arm, held = WEAPONS[weapon], man.weapon(weapon)
    loaded = held.loaded if held else 0
    rounds = min(1 if weapon in RELOADING.one_by_one else arm.magazine - loaded, spare(man, weapon))
    pot = {"stores": counted(man.stores, arm.fires, -rounds)} if arm.fires else {"ammo": counted(man.ammo, arm.calibre, -rounds)}
    weapons = tuple(Weapon(w.id, w.loaded + rounds, w.bayonet) if w.id == weapon else w for w in man.weapons)
    pain = tuple(sorted({*man.pain_used, *man.painful})) if arm.hands == 2 else man.pain_used
    g.edit(man.id, weapons=weapons, pain_used=pain, **pot)
    g.report("DOW-ACT-07", "reloads", who=man.id, weapon=weapon, loaded=loaded + rounds)


def reload_cost(g: Fight, man: Model, choice: Choice) -> int:
    return WEAPONS[choice["weapon"]].reload_ap


# ---- masks and goggles -----------------------------------------------------------------------------------------------


def why_not_mask(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-EQP-11: two AP, on or off."""
    if "gas_mask" not in man.gear:
        return Refusal("DOW-EQP-11", "lacks_item", {"item": "gas_mask"})
    if choice.get("on", not man.mask_on) == man.mask_on:
        return Refusal("DOW-EQP-11", "mask_is_so", {"on": man.mask_on})
    return why_no_hand(man, "DOW-EQP-11") or short_of_ap(man, COSTS.mask, "DOW-EQP-11")


def mask_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_mask(g, man, {}) is None:
        yield Offer("mask", "DOW-EQP-11", one(man.id, on=OneOf((not man.mask_on,))), ap(COSTS.mask))


def mask(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    if not is_lost(g, g.state[choice["model"]], True):
        g.edit(choice["model"], mask_on=choice["on"])
        g.report("DOW-EQP-11", "masks", who=choice["model"], on=choice["on"])


def mask_cost(g: Fight, man: Model, choice: Choice) -> int:
    return COSTS.mask


def why_not_goggles(g: Fight, man: Model, choice: Choice) -> Refusal | None:
    """DOW-MOD-14, DOW-APT-07: up or down, free; at night the better of the two counts by itself."""
    if "nvg" not in man.gear:
        return Refusal("DOW-MOD-14", "lacks_item", {"item": "nvg"})
    if choice.get("down", not man.nvg_down) == man.nvg_down:
        return Refusal("DOW-MOD-14", "goggles_are_so", {"down": man.nvg_down})
    return why_not_free(man, "goggles")


def goggles_offers(g: Fight, man: Model) -> Iterator[Offer]:
    if why_not_goggles(g, man, {}) is None:
        yield Offer("goggles", "DOW-MOD-14", one(man.id, down=OneOf((not man.nvg_down,))))


def goggles(g: Fight, args: Packed) -> None:
    choice = unpacked(args)
    g.edit(choice["model"], nvg_down=choice["down"])
    g.report("DOW-MOD-14", "goggles", who=choice["model"], down=choice["down"])


VERBS = (
    Verb("pick_up", "DOW-ACT-01", pick_up_offers, pick_up, why_not_pick_up, pick_up_cost),
    Verb("drop", "DOW-ACT-02", drop_offers, drop, why_not_drop, nothing, watched=False),
    Verb("hand_over", "DOW-ACT-08", hand_over_offers, hand_over, why_not_hand_over, hand_over_cost),
    Verb("swap", "DOW-ACT-11", swap_offers, swap, why_not_swap, swap_cost),
    Verb("reload", "DOW-ACT-07", reload_offers, reload, why_not_reload, reload_cost),
    Verb("mask", "DOW-EQP-11", mask_offers, mask, why_not_mask, mask_cost),
    Verb("goggles", "DOW-MOD-14", goggles_offers, goggles, why_not_goggles, nothing, watched=False),
)
PARAGRAPHS = (pick_up, drop, hand_over, swap, reload, mask, goggles)
