"""Rosters as text for a chat, and back: a heading for each team, a line for each man.

    Dogs of War: North gate, 300 of 500 points

    Al Qaeda terrorist fire team "guards", 300 points
    - Team Leader: AK-74, Soviet frag (+20)
    - Scout: AK-74, Jihad, deadman vest (+40)
    - Machine Gunner: RPK-74
    - Assistant Machine Gunner: AK-74, Jihad (+40)

What a man's list issues besides weapons is not told. Points are written for people and not read back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from wardogs.kernel.errors import WardogsError, unknown
from wardogs.systems.dogs.data import WEAPONS
from wardogs.systems.dogs.lists import PERKS, PURCHASES, ROUNDS, TEAMS, Role, TeamList
from wardogs.systems.dogs.roster_model import (
    Buy,
    Roster,
    Team,
    carried,
    cost,
    items,
    listed,
    man_bill,
    perks,
    roster_dict,
    roster_from,
    team_cost,
)
from wardogs.systems.dogs.roster_words import named

TITLE = "Dogs of War"
HEAD = re.compile(rf"{TITLE}:\s*(?:(.*),\s*)?\d+ of (\d+) points", re.IGNORECASE)
TEAM = re.compile(r'(.*?)(?: "(.*)")?(?:, -?\d+ points?)?')
MAN = re.compile(r"[-*•]\s*([^:]+?)\s*:\s*(.*?)(?:\s*\([+-]?\d+\))?")
PART = re.compile(r"(?:(\d{1,6}) x )?(.+)")
HUNDREDS = PURCHASES[ROUNDS].gives[ROUNDS]
SHOTS = re.compile(r"(\d{1,6}) rounds(?: of (\S+))?")
LONGEST = 1_000  # letters of a line
UNARMED, VEST = "no weapon", "deadman vest"
WORDS = {named(id_).lower(): id_ for group in (WEAPONS, PURCHASES, PERKS) for id_ in group}


class Man(Struct):
    """What the line of one man tells."""

    weapons: list[str] = field(default_factory=list)
    items: Counter[tuple[str, str]] = field(default_factory=Counter)  # an item and its calibre
    perks: Counter[str] = field(default_factory=Counter)
    vest: bool = False


# Writing --------------------------------------------------------------------------------------------------------------


def chat(roster: Roster) -> str:
    """The roster as a message."""
    name = f"{roster.name}, " if roster.name else ""
    blocks = [f"{TITLE}: {name}{cost(roster)} of {roster.points} points"]
    blocks += ["\n".join(_team_lines(team)) for team in roster.teams]
    return "\n\n".join(blocks) + "\n"


def _team_lines(team: Team) -> Iterator[str]:
    called = f' "{team.name}"' if team.name else ""
    yield f"{listed(team).name}{called}, {team_cost(team)} points"
    for role in listed(team).roles:
        bought = sum(line.points for line in man_bill(team, role))
        yield f"- {role.title}: {', '.join(_parts(_man(team, role)))}" + (f" (+{bought})" if bought else "")


def _man(team: Team, role: Role) -> Man:
    man = Man(list(carried(team, role)), perks=Counter(perks(team, role)), vest=role.role in team.vest)
    for buy in items(team, role):
        man.items[buy.item, buy.calibre] += buy.n
    return man


def _parts(man: Man) -> Iterator[str]:
    yield from (named(weapon) for weapon in man.weapons or [UNARMED])
    for (item, calibre), n in man.items.items():
        yield _shots(n, calibre) if item == ROUNDS else _many(n, item)
    yield from (_many(n, perk) for perk, n in man.perks.items())
    yield from [VEST] if man.vest else []


def _many(n: int, thing: str) -> str:
    return f"{n} x {named(thing)}" if n > 1 else named(thing)


def _shots(n: int, calibre: str) -> str:
    return f"{n * HUNDREDS} rounds" + (f" of {calibre}" if calibre else "")


# Tidying --------------------------------------------------------------------------------------------------------------


def tidy(roster: Roster) -> Roster:
    """The same force in its one shortest form: the form that a chat text is read back as."""
    teams = (_team(listed(team), team.name, [_man(team, role) for role in listed(team).roles]) for team in roster.teams)
    return Roster(roster.name, roster.points, tuple(teams))


def _team(own: TeamList, name: str, men: list[Man]) -> Team:
    common = _common(men)
    buys = [buy for role, man in zip(own.roles, men, strict=True) for buy in _buys(role.role, man, common)]
    weapons = {role.role: tuple(man.weapons) for role, man in zip(own.roles, men, strict=True) if not _is_printed(role, man)}
    chosen = [man.weapons[0] for role, man in zip(own.roles, men, strict=True) if role.weapons_choice and _is_printed(role, man)]
    vests = tuple(role.role for role, man in zip(own.roles, men, strict=True) if man.vest)
    return Team(own.id, name, "".join(chosen), weapons, tuple(common), tuple(buys), vests)


def _common(men: list[Man]) -> list[str]:
    """What everybody has one of, on every line."""
    return [item for (item, calibre), n in men[0].items.items() if not calibre and all(man.items[item, ""] == 1 for man in men)]


def _buys(role: str, man: Man, common: list[str]) -> Iterator[Buy]:
    for (item, calibre), n in man.items.items():
        if n and (calibre or item not in common):
            yield Buy(role, item, n=n, calibre=calibre)
    yield from (Buy(role, perk=perk, n=n) for perk, n in man.perks.items())


def _is_printed(role: Role, man: Man) -> bool:
    return tuple(man.weapons) in role.printed


# Reading --------------------------------------------------------------------------------------------------------------


def read_chat(text: str) -> Roster:
    """A roster from a message; what it says of points is left aside, save the limit."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if (long := next((number for number, line in lines if len(line) > LONGEST), None)) is not None:
        raise WardogsError(f"line {long}: more than {LONGEST:,} letters: a roster has a line for each man")
    if not lines or not (head := HEAD.fullmatch(lines[0][1])):
        raise WardogsError(f'line {lines[0][0] if lines else 1}: begin with "{TITLE}: NAME, 500 of 500 points"')
    teams = [_read_team(block) for block in _blocks(lines[1:])]
    return roster_from(roster_dict(Roster(head[1] or "", int(head[2]), tuple(teams))))


def _blocks(lines: Iterable[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Each team: its heading and the lines of its men."""
    block: list[tuple[int, str]] = []
    for number, line in lines:
        if block and not MAN.fullmatch(line):
            yield block
            block = []
        block.append((number, line))
    if block:
        yield block


def _read_team(block: list[tuple[int, str]]) -> Team:
    (number, heading), *lines = block
    match = TEAM.fullmatch(heading)
    own = next((own for own in TEAMS.values() if match and match[1].lower() in (own.name.lower(), own.id)), None)
    if own is None or match is None:
        raise WardogsError(f"line {number}: {unknown('team', heading, (own.name for own in TEAMS.values()))}")
    if len(lines) != len(own.roles):
        raise WardogsError(f"line {number}: {own.name} has {len(own.roles)} men, each on a line; here are {len(lines)}")
    men = [_read_man(number, line, role) for (number, line), role in zip(lines, own.roles, strict=True)]
    return _team(own, match[2] or "", men)


def _read_man(number: int, line: str, role: Role) -> Man:
    match = MAN.fullmatch(line)
    if not match or match[1].lower() not in (role.title.lower(), role.role):
        raise WardogsError(f'line {number}: this is the line of the {role.title}: begin it with "- {role.title}:"')
    man = Man()
    for part in match[2].split(","):
        if part.strip():
            _read_part(man, part.strip(), number)
    return man


def _read_part(man: Man, part: str, number: int) -> None:
    if part.lower() in (UNARMED, VEST):
        man.vest |= part.lower() == VEST
    elif shots := SHOTS.fullmatch(part):
        if int(shots[1]) % HUNDREDS or not int(shots[1]):
            raise WardogsError(f"line {number}: {part}: rounds are sold by the {HUNDREDS}")
        man.items[ROUNDS, shots[2] or ""] += int(shots[1]) // HUNDREDS
    else:
        _read_thing(man, part, number)


def _read_thing(man: Man, part: str, number: int) -> None:
    match = PART.fullmatch(part)
    assert match
    n, name = int(match[1] or 1), match[2].lower()
    id_ = WORDS.get(name, name)
    if id_ in WEAPONS:
        man.weapons += [id_] * n
    elif id_ in PERKS:
        man.perks[id_] += n
    elif id_ in PURCHASES:
        man.items[id_, ""] += n
    else:
        raise WardogsError(f"line {number}: {unknown('weapon, item or perk', part, (named(id_) for id_ in WORDS.values()))}")
