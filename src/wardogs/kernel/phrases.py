"""Sentences from reports: facts inside, words at the edge.

A phrasebook is data: a template per fact. It travels in the header of every record, so that a record can be read in
words by a program that has never heard of its rules.

    {field}                        as it is
    {field:seat}  {field:seats}    by name
    {field:last}                   the last of a list
    {field:place}                  a point or a length in inches: 12, 4.5
    {field:@table}                 looked up in another table of the phrasebook
    {field:0=misses|1=hits|*=hits {field} times}    by value; * is any other
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from wardogs.kernel.offers import Choice, Refusal
from wardogs.kernel.report import Report

FORMS = ("", "seat", "seats", "last", "place")


class Hole(NamedTuple):
    """A place in a template: what goes there, and how; `cases` are the words by value."""

    field: str
    form: str
    cases: dict[str, str] | None


class Phrasebook:
    """Templates by kind (`reports`, `refusals`, `choices`, `questions`, `values`), and the names of the seats."""

    def __init__(self, templates: Mapping[str, Mapping[str, str]], names: Mapping[int, str]) -> None:
        self.templates, self.names, self.values = templates, names, templates.get("values", {})

    def report(self, report: Report) -> str:
        book, fact = self.templates.get("reports", {}), report.fact
        template = book.get(f"{fact}.{report.rule}") or book.get(fact) or KERNEL_REPORTS.get(fact)
        return self.fill(template, report.data) if template else _bare(fact, report.data)

    def refusal(self, refusal: Refusal) -> str:
        template = self.templates.get("refusals", {}).get(refusal.fact) or KERNEL_REFUSALS.get(refusal.fact)
        said = self.fill(template, refusal.data) if template else _bare(refusal.fact, refusal.data)
        return f"{said} [{refusal.rule}]" if refusal.rule else said

    def choice(self, choice: Choice) -> str:
        book = self.templates.get("choices", {})
        template = book.get(choice["verb"])
        return self.fill(template, choice) if template else _bare(choice["verb"], choice)

    def question(self, topic: str) -> str:
        return self.templates.get("questions", {}).get(topic, topic.replace("_", " "))

    def value(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return _listed([self.value(item) for item in value])
        text = str(value)
        return self.values.get(text, text)

    def name(self, seat: Any) -> str:
        if type(seat) is int and seat in self.names:
            return self.names[seat]
        return self.names.get(int(seat), f"seat {seat}") if str(seat).lstrip("-").isdigit() else str(seat)

    def fill(self, template: str, data: Mapping[str, Any]) -> str:
        """The template with its holes filled; the words chosen for a value may have holes of their own."""
        return "".join([part if type(part) is str else self._hole(part, data) for part in _holes(template)])  # type: ignore[arg-type]

    def _hole(self, hole: Hole, data: Mapping[str, Any]) -> str:
        field, form, cases = hole
        value = data.get(field)
        if cases is not None:
            chosen = cases.get(str(value), cases.get("*", str(value)))
            return self.fill(chosen, data) if "{" in chosen else chosen
        if form == "":
            return self.value(value)
        if form == "seat":
            return self.name(value)
        if form == "seats":
            return _listed([self.name(seat) for seat in value or ()])
        if form == "last":
            return self.value(value[-1]) if value else ""
        if form == "place":
            return _place(value)
        return self.templates.get(form[1:], {}).get(str(value), str(value))


KERNEL_REPORTS = {
    "ruling": "The umpire rules: {because}.",
    "ruled": "By that ruling: {changes}.",
    "took_back": "{who:seat} takes the last choice back; what followed is undone.",
    "rewound": "The umpire takes the game back to entry {to}: {because}.",
    "resigned": "{who:seat} resigns.",
    "agreed_draw": "All agree to a draw.",
}
KERNEL_REFUSALS = {
    "no_such_verb": "{verb} cannot be chosen here",
    "missing_field": "{field} is missing",
    "unknown_field": "{field} does not belong to this choice",
    "not_offered": "{field} cannot be {value} now",
    "not_a_choice": "a choice is a verb with its fields",
    "not_asked": "seat {seat} is not asked now",
    "no_throw_due": "no die is due now",
    "not_on_die": "{die:card={face} is not among the cards left|*={face} is not on the {die}}",
    "nothing_to_undo": "there is nothing to take back",
    "resigned_since": "somebody has resigned since: only an umpire takes the game back behind that",
    "game_over": "the game is over; nothing can be changed",
    "cannot_go_back": "the game cannot go back to entry {to}: name one before the last, from 1 on, that still stands",
    "not_at_the_table": "nobody plays seat {seat}",
    "gave_up": "{seat:seat} has given up already",
    "not_umpire": "seat {seat} is not the umpire",
    "cannot_be_ruled": "that ruling does not fit: {why}",
}


GROUND = 0.5  # inches: what lies no higher is told as lying on the ground


@lru_cache(4096)
def _holes(template: str) -> tuple[str | Hole, ...]:
    """A template taken apart, once: plain words, and holes."""
    parts: list[str | Hole] = []
    rest = template
    while "{" in rest:
        before, rest = rest.split("{", 1)
        end = _closing(rest)
        field, _, form = rest[:end].partition(":")
        by_value = form not in FORMS and not form.startswith("@")
        parts += [before, Hole(field, form, dict(part.split("=", 1) for part in _parts(form)) if by_value else None)]
        rest = rest[end + 1 :]
    return (*parts, rest)


def _closing(text: str) -> int:
    """Where the hole that has just been opened ends."""
    depth = 1
    for at, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            return at
    raise ValueError(f"a hole is not closed: {{{text}")


def _parts(form: str) -> list[str]:
    """The cases of a hole, split at the bars that stand outside inner holes."""
    parts, depth = [""], 0
    for letter in form:
        depth += (letter == "{") - (letter == "}")
        if letter == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _place(value: Any) -> str:
    """A point as on a ruler, its height only if it is above the ground; a single figure is a length."""
    if not isinstance(value, list | tuple):
        return "" if value is None else _ruled(value)
    if len(value) < 2:
        return _listed([_ruled(figure) for figure in value])
    x, y, *above = value
    tall = bool(above) and isinstance(above[0], int | float) and above[0] > GROUND
    height = f", {_ruled(above[0])} inches up" if tall else ""
    return f"{_ruled(x)}, {_ruled(y)}{height}"


def _ruled(figure: Any) -> str:
    """To a tenth of an inch, as one reads a ruler."""
    return f"{round(figure, 1):g}" if isinstance(figure, int | float) else str(figure)


def _listed(items: list[str]) -> str:
    return ", ".join(items[:-1]) + " and " + items[-1] if len(items) > 1 else "".join(items)


def _bare(fact: str, data: Mapping[str, Any]) -> str:
    figures = ", ".join(f"{key} {value}" for key, value in data.items() if key != "verb")
    return f"{fact.replace('_', ' ')}{': ' if figures else ''}{figures}"
