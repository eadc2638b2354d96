"""What each seat may know: all that stands on the table, but not the enemy's devices, vests and standing orders."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from wardogs.kernel.game import Position, Step
from wardogs.kernel.offers import Choice, Seat
from wardogs.systems.dogs.state import Battle, Fight, Model, Order, SideState, Terms


class Sight(Struct, frozen=True, gc=False):
    """The table as one seat sees it (seat None: a spectator)."""

    seat: Seat | None
    battle: Battle
    agenda: tuple[Step, ...]
    committed: tuple[Seat, ...]
    commitments: dict[Seat, Choice]  # one's own


def view(g: Fight, seat: Seat | None) -> Sight:
    """DOW-EXP-14, -15: rosters, perks and states are open; vests and devices only to those who know of them.

    Fire missions on their way are open too: a call is an act declared at the table, with its mark (DOW-IND-02).
    """
    battle = g.position.state
    return Sight(
        seat,
        replace(
            battle,
            models=tuple(seen_model(g.terms, model, seat) for model in battle.models),
            sides=tuple(seen_side(side, seat) for side in battle.sides),
            devices=tuple(device for device in battle.devices if seat in device.known),
            laid=seen_count(battle.laid, seat),
        ),
        tuple(seen_step(battle, step, seat) for step in g.agenda if not is_secret(battle, step, seat)),
        tuple(g.answers),
        {other: choice for other, choice in g.answers.items() if other == seat},
    )


SECRET = (
    "place_mine", "emplace_claymore", "set_c4", "add_c4", "set_shaped_charge", "lift_mine", "blow_fuse", "trigger",
    "hand_trigger", "take_trigger",
)  # fmt: skip


def is_secret(battle: Battle, step: Step, seat: Seat | None) -> bool:
    """DOW-EXP-15: what an enemy is about to lay, blow or hand on where nobody sees it."""
    choice = declared(step)
    return choice.get("verb") in SECRET and not is_own(battle, choice, seat)


def seen_step(battle: Battle, step: Step, seat: Seat | None) -> Step:
    """DOW-OPF-11: the order with which an enemy goes on Op-Fire stays his affair."""
    choice = declared(step)
    if "order" not in choice or is_own(battle, choice, seat):
        return step
    told = tuple((key, "ask" if key == "order" else value) for key, value in step.args[0])
    return step._replace(args=(told, *step.args[1:]))


def declared(step: Step) -> Choice:
    """The act that a step carries out, if it does."""
    if not step.args or not isinstance(step.args[0], tuple):
        return {}
    return dict(pair for pair in step.args[0] if isinstance(pair, tuple) and len(pair) == 2)


def is_own(battle: Battle, choice: Choice, seat: Seat | None) -> bool:
    return any(man.id == choice["model"] and man.side == seat for man in battle.models)


def seen_count(laid: tuple[int, int], seat: Seat | None) -> tuple[int, int]:
    """DOW-EXP-15: how many devices he has laid is his own affair; a number beyond all stands for the other's."""
    first, second = (count if side == seat else UNKNOWN for side, count in enumerate(laid, 1))
    return first, second


UNKNOWN = 1_000_000


def seen_model(terms: Terms, model: Model, seat: Seat | None) -> Model:
    """What a man has been told is his side's own affair, and so is what he wears under his coat."""
    if model.side == seat:
        return model
    vest = 0 if terms.options.vests_hidden else model.vest
    return _disguised(model, vest) if model.vest != vest or model.order != NO_ORDER else model


NO_ORDER = Order()


@lru_cache(maxsize=8192)
def _disguised(model: Model, vest: int) -> Model:
    """The very same thing as long as he has not changed, so that whoever compares two views has nothing to do."""
    return replace(model, vest=vest, order=NO_ORDER)


def seen_side(side: SideState, seat: Seat | None) -> SideState:
    return replace(side, holds=False) if side.holds and side.seat != seat else side


def imagine(terms: Terms, sight: Sight) -> Position[Battle]:
    """A position that could be the real one: no mine where none is known, no vest that has not shown itself."""
    return Position(sight.battle, sight.agenda)
