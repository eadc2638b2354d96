"""Rule cases: a set-up, a scripted fate, choices and what must come of them, as data. docs/cases.md is the manual."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.kernel.fate import Fast, Scripted, ScriptError
from wardogs.kernel.game import Game
from wardogs.kernel.odds import Odds, choosing, odds
from wardogs.kernel.offers import Barred, Choice, Question, Refused, Seat
from wardogs.kernel.record import Outcome
from wardogs.kernel.report import Report, heard
from wardogs.kernel.system import System, frozen

Pattern = dict[str, Any]


class Do(Struct, frozen=True, forbid_unknown_fields=True):
    """One move of a case: who chooses what, which faces fall, what must be true then."""

    seat: Seat | None = None
    choose: Choice | None = None
    answers: dict[Seat, Choice] = {}
    others: Literal["", "default"] = ""
    fate: tuple[Any, ...] = ()
    refused: str | Pattern = ""
    expect: dict[str, Any] = {}
    reports: tuple[Pattern, ...] = ()
    never: tuple[Pattern, ...] = ()
    hears: dict[Seat, tuple[Pattern, ...]] = {}
    hears_not: dict[Seat, tuple[Pattern, ...]] = {}
    asked: tuple[Seat, ...] | None = None
    topic: str = ""
    offered: dict[Seat, tuple[Choice, ...]] = {}
    barred: dict[Seat, tuple[Pattern, ...]] = {}
    views: dict[Seat, dict[str, Any]] = {}
    scores: dict[Seat, tuple[Pattern, ...]] = {}
    previews: dict[Seat, tuple[Pattern, ...]] = {}
    briefings: dict[Seat, str] = {}
    drawn: tuple[Pattern, ...] = ()
    shows: tuple[str, ...] = ()
    over: bool | None = None
    outcome: Pattern = {}


CHECKED = tuple(name for name in Do.__struct_fields__ if name not in ("seat", "choose", "answers", "others", "fate"))


class OddsOf(Struct, frozen=True, forbid_unknown_fields=True):
    """Exact odds: of one figure or several, when the choices are made and the agenda is done."""

    of: str | tuple[str, ...] = ""
    expect: dict[str, str] = {}
    seat: Seat | None = None
    choose: Choice | None = None
    answers: dict[Seat, Choice] = {}
    until: str = ""
    dice: str = ""


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    system: str
    rules: tuple[str, ...]
    example: str = ""
    options: dict[str, Any] = {}
    setup: dict[str, Any] = {}
    do: tuple[Do, ...] = ()
    odds: tuple[OddsOf, ...] = ()
    facts: dict[str, Any] = {}
    cannot_be_set_up: str = ""  # words of the message that refuses the set-up


class CaseFailed(Exception):
    """The rules do not do what the case says."""


# ---- reading -----------------------------------------------------------------------------------------------------


def find_cases(paths: Iterable[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        if not path.exists():
            raise WardogsError(f"{path}: no such case or folder of cases")
        found += sorted(path.rglob("*.toml")) if path.is_dir() else [path]
    return found


def read_cases(path: Path) -> list[Case]:
    """The cases of a file: one at its top, or a list under [[case]] that shares what stands at the top."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise WardogsError(f"{path}: not a case: {error}") from None
    shared, cases = {key: value for key, value in raw.items() if key != "case"}, raw.get("case", [{}])
    if not isinstance(cases, list) or not all(isinstance(one, dict) for one in cases):
        raise WardogsError(f"{path}: several cases are written as [[case]], each a table")
    for key in ("setup", "options"):
        if not isinstance(shared.get(key, {}), dict):
            raise WardogsError(f"{path}: {key} must be a table")
    return [_read_case(path, n, _merged(shared, one)) for n, one in enumerate(cases, 1)]


def _merged(shared: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    merged = {**shared, **one}
    for key in ("setup", "options"):
        if key in shared and isinstance(one.get(key), dict):
            merged[key] = {**shared[key], **one[key]}
    return merged


def _read_case(path: Path, n: int, raw: dict[str, Any]) -> Case:
    try:
        case = msgspec.convert(raw, Case, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        raise WardogsError(f"{path}: case {n} ({raw.get('title', 'without a title')}): {error}") from None
    if not case.rules:
        raise WardogsError(f"{path}: case {n} ({case.title}): name the rules it shows")
    if fault := next(_faults(case), ""):
        raise WardogsError(f"{path}: case {n} ({case.title}): {fault}")
    return case


def _faults(case: Case) -> Iterator[str]:
    """What makes a case say less than it seems to."""
    if not (any(_checks(do) for do in case.do) or case.odds or case.facts or case.cannot_be_set_up):
        yield "it expects nothing"
    for do in case.do:
        if do.choose is not None and do.seat is None:
            yield "a move with 'choose' needs its 'seat'"
        if do.refused and do.choose is None and not do.answers:
            yield f"nothing is chosen that could be refused by {do.refused}"
        yield from (f"outcome has no {key}" for key in do.outcome if key not in Outcome.__struct_fields__)
        yield from (f"a score needs its 'score': {row}" for rows in do.scores.values() for row in rows if "score" not in row)
        yield from (
            f"a preview needs what it 'says': {row}" for rows in do.previews.values() for row in rows if "says" not in row
        )
    for odds_ in case.odds:
        if not odds_.expect and not odds_.dice:
            yield "one of its odds expects nothing"
        if odds_.choose is not None and odds_.seat is None:
            yield "odds with 'choose' need their 'seat'"
        yield from (
            f"{text!r} is not a fraction" for text in (*odds_.expect.values(), odds_.dice or "0") if not _is_fraction(text)
        )


def _is_fraction(text: str) -> bool:
    try:
        Fraction(text)
    except (ValueError, ZeroDivisionError):
        return False
    return True


def _checks(do: Do) -> bool:
    nothing = Do()
    return any(getattr(do, name) != getattr(nothing, name) for name in CHECKED)


# ---- running -----------------------------------------------------------------------------------------------------


def run_case(system: System, case: Case) -> None:
    """Raises CaseFailed if the rules disagree, WardogsError if the case itself is wrong."""
    for rule in case.rules:
        if rule not in system.register.ids:
            raise WardogsError(f"{case.title}: {rule} is not in the register of {system.title}")
    for name, value in case.facts.items():
        _same(name, frozen(system.fact(name)), frozen(value))
    if case.cannot_be_set_up:
        _check_refused_setup(system, case)
    if not case.do and not case.odds:
        return
    terms, position = system.stage(case.setup, case.options)
    fate = Scripted()
    game = Game(system.rules, terms, position, fate)
    for n, do in enumerate(case.do, 1):
        _run_do(system, game, fate, do, n)
    for asked in case.odds:
        _run_odds(system, game, asked)


def _check_refused_setup(system: System, case: Case) -> None:
    try:
        system.stage(case.setup, case.options)
    except WardogsError as error:
        if case.cannot_be_set_up not in str(error):
            raise CaseFailed(f"the set-up is refused with: {error}") from None
        return
    raise CaseFailed("the set-up is not refused")


def _run_do(system: System, game: Game[Any, Any], fate: Scripted, do: Do, n: int) -> None:
    fate.faces, fate.at = list(do.fate), 0
    game.reports = []
    try:
        game.advance()
        _answer(game, do)
    except ScriptError as error:
        raise WardogsError(f"move {n}: {error}") from None
    if fate.left:
        raise WardogsError(f"move {n}: too many faces: {fate.left} were never thrown")
    try:
        for check in CHECKS:
            check(system, game, do)
    except CaseFailed as failed:
        raise CaseFailed(f"move {n}: {failed}") from None


def _answer(game: Game[Any, Any], do: Do) -> None:
    answers = dict(do.answers)
    if do.choose is not None and do.seat is not None:
        answers[do.seat] = do.choose
    for seat, choice in answers.items():
        _answer_one(game, seat, choice, do.refused)
    if do.others == "default" and isinstance(game.question, Question):
        asks = game.question.asks
        for seat in game.waiting:
            game.answer(seat, asks[seat].default)


def _answer_one(game: Game[Any, Any], seat: Seat, choice: Choice, refused: str | Pattern) -> None:
    before = game.position
    try:
        game.answer(seat, choice)
    except Refused as error:
        if not refused:
            raise CaseFailed(f"seat {seat} is refused: {error}") from None
        wanted = {"rule": refused} if isinstance(refused, str) else refused
        said = {**error.refusal.data, "rule": error.refusal.rule, "fact": error.refusal.fact}
        for key, value in wanted.items():
            _same(f"the {key} of the refusal of {choice}", said.get(key), value)
        _same("the position after a refusal", game.position, before)
        return
    if refused:
        raise CaseFailed(f"seat {seat} may choose {choice}, which {refused} should refuse")


# ---- what must be true -------------------------------------------------------------------------------------------


def _same(what: str, is_: Any, should: Any) -> None:
    if should == "none" and is_ is None:
        return
    if is_ != should or isinstance(is_, bool) != isinstance(should, bool):
        raise CaseFailed(f"{what} is {is_!r}, expected {should!r}")


def _check_expect(system: System, game: Game[Any, Any], do: Do) -> None:
    for path, value in do.expect.items():
        _same(path, frozen(system.look(game.terms, game.position.state, path)), frozen(value))


def _check_reports(system: System, game: Game[Any, Any], do: Do) -> None:
    _in_order(game.reports, do.reports)
    for pattern in do.never:
        if any(_matches(report, pattern) for report in game.reports):
            raise CaseFailed(f"{pattern} was reported")
    for seat, patterns in do.hears.items():
        _in_order(heard(game.reports, seat), patterns)
    for seat, patterns in do.hears_not.items():
        for pattern in patterns:
            if any(_matches(report, pattern) for report in heard(game.reports, seat)):
                raise CaseFailed(f"seat {seat} heard {pattern}")


def _in_order(reports: list[Report], patterns: Iterable[Pattern]) -> None:
    rest = iter(reports)
    for pattern in patterns:
        if not any(_matches(report, pattern) for report in rest):
            said = "; ".join(f"{r.rule} {r.fact} {r.data}" for r in reports)
            raise CaseFailed(f"{pattern} was not reported in its place; there were: {said}")


def _matches(report: Report, pattern: Pattern) -> bool:
    flat = {**report.data, "rule": report.rule, "fact": report.fact}
    return all(key in flat and frozen(flat[key]) == frozen(value) for key, value in pattern.items())


def _check_question(system: System, game: Game[Any, Any], do: Do) -> None:
    if do.asked is not None:
        _same("who is asked", game.waiting, do.asked)
    asks = game.question.asks if isinstance(game.question, Question) else {}
    if do.topic:
        _same("the question", {ask.topic for ask in asks.values()}, {do.topic})
    for seat, choices in do.offered.items():
        if seat not in asks:
            raise CaseFailed(f"seat {seat} is not asked")
        _same(f"what seat {seat} is offered", _sorted(asks[seat].choices), _sorted(choices))
    for seat, patterns in do.barred.items():
        if seat not in asks:
            raise CaseFailed(f"seat {seat} is not asked")
        shut = asks[seat].barred
        rows = [_barred_row(barred) for barred in (shut() if shut else ())]
        named = all(any(pattern.items() <= row.items() for pattern in patterns) for row in rows)
        if not named or len(rows) != len(patterns):
            raise CaseFailed(f"what is barred to seat {seat} is {rows}, expected {list(patterns)}")


def _barred_row(barred: Barred) -> Pattern:
    return {**barred.refusal.data, **barred.choice, "rule": barred.refusal.rule, "fact": barred.refusal.fact}


def _sorted(choices: Iterable[Choice]) -> list[str]:
    return sorted(str(sorted(choice.items(), key=str)) for choice in choices)


def _check_views(system: System, game: Game[Any, Any], do: Do) -> None:
    for seat, expected in do.views.items():
        view = system.view(game, seat)
        for path, value in expected.items():
            _same(f"seat {seat}'s view of {path}", frozen(system.look(game.terms, view, path)), frozen(value))


def _check_bots(system: System, game: Game[Any, Any], do: Do) -> None:
    for seat, patterns in do.scores.items():
        seen = _seen(system, game, seat)
        by_choice = seen.scored()
        for pattern in patterns:
            wanted = {key: value for key, value in pattern.items() if key != "score"}
            found = [s for choice, s in by_choice if all(choice.get(key) == value for key, value in wanted.items())]
            if pattern["score"] == "none":
                if found:
                    raise CaseFailed(f"seat {seat} scores {wanted} at {found[0]}, expected no thought of it")
                continue
            if not found:
                error = CaseFailed if system.advice else WardogsError
                raise error(f"seat {seat} has no choice {wanted} to score")
            if abs(found[0] - pattern["score"]) > 1e-6:
                raise CaseFailed(f"seat {seat} scores {wanted} at {found[0]}, expected {pattern['score']}")
    for seat, patterns in do.previews.items():
        seen = _seen(system, game, seat)
        for pattern in patterns:
            choice = {key: value for key, value in pattern.items() if key != "says"}
            _same(f"the preview of {choice}", system.preview(seen, choice), pattern["says"])


def _seen(system: System, game: Game[Any, Any], seat: Seat) -> Any:
    if not isinstance(game.question, Question) or seat not in game.question.asks:
        raise CaseFailed(f"seat {seat} is not asked")
    return system.seen(game, seat, game.question.asks[seat])


def _check_briefings(system: System, game: Game[Any, Any], do: Do) -> None:
    for seat, said in do.briefings.items():
        _same(f"the briefing of seat {seat}", system.briefing(game.terms, seat), said)


def _check_scene(system: System, game: Game[Any, Any], do: Do) -> None:
    if not do.drawn and not do.shows:
        return
    scene = system.scene(game.terms, system.view(game, None))
    marks = msgspec.to_builtins(scene)["marks"]
    for pattern in do.drawn:
        if not any(all(_even(mark.get(k)) == _even(v) for k, v in pattern.items()) for mark in marks):
            raise CaseFailed(f"{pattern} is not drawn")
    lines = [*scene.text.split("\n"), *scene.words]
    for line in do.shows:
        if line not in lines:
            raise CaseFailed(f"{line!r} is not shown")


def _even(value: Any) -> Any:
    """Lists and tuples alike, in tables too: marks may lie inside a window."""
    if isinstance(value, dict):
        return {key: _even(part) for key, part in value.items()}
    return tuple(_even(part) for part in value) if isinstance(value, list | tuple) else value


def _check_end(system: System, game: Game[Any, Any], do: Do) -> None:
    over = not game.agenda
    if do.over is not None:
        _same("the game being over", over, do.over)
    if do.outcome:
        outcome = msgspec.to_builtins(system.outcome(game.terms, game.state))
        if outcome is None:
            raise CaseFailed("the game is not over")
        for key, value in do.outcome.items():
            _same(f"outcome.{key}", outcome.get(key), value)


CHECKS: tuple[Callable[[System, Game[Any, Any], Do], None], ...] = (
    _check_expect, _check_reports, _check_question, _check_views, _check_bots, _check_briefings, _check_scene, _check_end,
)  # fmt: skip


# ---- odds --------------------------------------------------------------------------------------------------------


def _run_odds(system: System, game: Game[Any, Any], asked: OddsOf) -> None:
    answers = dict(asked.answers)
    if asked.choose is not None and asked.seat is not None:
        answers[asked.seat] = asked.choose
    found = _found_odds(system, game, asked, answers)
    if asked.expect:
        expected = {key: Fraction(value) for key, value in asked.expect.items()}
        _same(
            f"the odds of {asked.of}",
            {k: str(v) for k, v in found.of.items()},
            {k: str(v) for k, v in expected.items()},
        )
    if asked.dice:
        _same("the mean number of dice", found.mean_dice, Fraction(asked.dice))


def _found_odds(system: System, game: Game[Any, Any], asked: OddsOf, answers: dict[Seat, Choice]) -> Odds:
    paths = (asked.of,) if isinstance(asked.of, str) else asked.of
    if asked.until and asked.until not in system.rules.paragraphs:
        raise unknown("paragraph", asked.until, system.rules.paragraphs)
    _check_answers(game, answers)

    def read(state: Any) -> str:
        return ",".join(_key(system.look(game.terms, state, path)) for path in paths if path)

    def until(state: Any, agenda: tuple[Any, ...]) -> bool:
        return bool(agenda[0].paragraph == asked.until)

    return odds(game, choosing(answers), read, until if asked.until else None)


def _check_answers(game: Game[Any, Any], answers: dict[Seat, Choice]) -> None:
    """The choices whose odds are wanted must be there to be made."""
    twin = game.copy(Fast(0))
    twin.advance()
    for seat, choice in answers.items():
        if not isinstance(twin.question, Question):
            raise CaseFailed(f"odds: nobody is asked, seat {seat} cannot choose {choice}")
        if refusal := twin.question.refusal(seat, choice):
            raise CaseFailed(f"odds: seat {seat} may not choose {choice}: {refusal}")


def _key(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def shown_by(cases: Iterable[Case], system: str) -> Iterator[str]:
    """The rule ids that these cases show."""
    for case in cases:
        if case.system == system:
            yield from case.rules
