"""Why not: what is barred, reason by reason on one screen, or one thing in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from msgspec.structs import replace

from wardogs.kernel.offers import Ask, Barred
from wardogs.kernel.phrases import Phrasebook

SCREEN = 18  # lines of reasons; those without room are named below


def doer(shut: Barred) -> Any:
    """Who would do it: the first field after the verb."""
    return next((value for name, value in shut.choice.items() if name != "verb"), None)


def detail(book: Phrasebook, ask: Ask, barred: Sequence[Barred], word: str) -> list[str]:
    """Each thing of this name that is barred, and every reason."""
    return [f"  not {book.choice(shut.choice)}: {book.refusal(shut.refusal)}" for shut in named(book, ask, barred, word)]


def named(book: Phrasebook, ask: Ask, barred: Sequence[Barred], word: str) -> list[Barred]:
    """By the whole name; else, unless it can be chosen, by how its name begins; else by a word of how it is told."""
    wanted = word.lower().replace(" ", "_")
    whole = [shut for shut in barred if shut.choice["verb"] == wanted]
    if whole or any(offer.verb == wanted for offer in ask.open_offers):
        return whole
    begins = [shut for shut in barred if shut.choice["verb"].startswith(wanted)]
    return begins or [shut for shut in barred if word.lower() in book.choice(shut.choice).lower()]


def summary(book: Phrasebook, barred: Sequence[Barred], width: int) -> list[str]:
    """A line for each reason with all that it bars, as many as a screen holds; then the names of what is left."""
    everybody = dict.fromkeys(map(doer, barred))
    said: list[str] = []
    left: dict[str, None] = {}
    for reason, shut in _reasons(book, barred).items():
        verbs = dict.fromkeys(_verb(one) for one in shut)
        lines = wrap(
            f"{', '.join(verbs)}{_whose(shut, everybody)}: {reason}{_rules(shut)}",
            width - 2,
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
        if left or len(said) + len(lines) > SCREEN:
            left |= verbs
        else:
            said += lines
    rest = wrap(f"Also barred: {', '.join(left)}.", width - 2, subsequent_indent="    ", break_on_hyphens=False) if left else []
    return [*(f"  {line}" for line in [*said, *rest]), "  (why and one of these words: every reason, with its rule)"]


def _reasons(book: Phrasebook, barred: Sequence[Barred]) -> dict[str, list[Barred]]:
    """What each reason bars, whoever it is said of; several reasons against one act are only counted."""
    found: dict[str, list[Barred]] = {}
    ways = _ways(barred)
    for shut in barred:
        said = _anybody(book.refusal(replace(shut.refusal, rule="")), doer(shut))
        many = ways[_verb(shut)]
        found.setdefault(f"{many} reasons, which why {_verb(shut)} tells" if many else said, []).append(shut)
    return found


def _ways(barred: Sequence[Barred]) -> dict[str, int]:
    """How many reasons speak against a verb, where some man has more than one; else 0."""
    per: dict[tuple[str, Any], int] = {}
    for shut in barred:
        per[_verb(shut), doer(shut)] = per.get((_verb(shut), doer(shut)), 0) + 1
    severally = {verb for (verb, _), n in per.items() if n > 1}
    return {verb: sum(n for (other, _), n in per.items() if other == verb) if verb in severally else 0 for verb, _ in per}


def _anybody(said: str, who: Any) -> str:
    return said.replace(str(who), "he") if who is not None else said


def _verb(shut: Barred) -> str:
    return str(shut.choice["verb"]).replace("_", " ")


def _whose(shut: Sequence[Barred], everybody: dict[Any, None]) -> str:
    those = dict.fromkeys(map(doer, shut))
    return "" if len(those) == len(everybody) else f" ({', '.join(map(str, those))})"


def _rules(shut: Sequence[Barred]) -> str:
    """The rule, if it is one and the same."""
    (first, *more) = dict.fromkeys(one.refusal.rule for one in shut)
    return "" if more or not first else f" [{first}]"


def told(book: Phrasebook, ask: Ask | None, word: str, width: int) -> Iterator[str]:
    barred = ask.barred() if ask and ask.barred else ()
    if not ask or not barred:
        yield "Nothing is barred here; all there is to choose stands in the list."
    elif not word:
        yield from summary(book, barred, width)
    else:
        yield from detail(book, ask, barred, word) or [f"Nothing called {word} is barred here; why alone tells all that is."]
