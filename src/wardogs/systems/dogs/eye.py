"""What a man could see from where he stands: all that stands about, and every other man, point by point as sight judges him."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from wardogs.kernel.errors import unknown
from wardogs.kernel.fate import Fast
from wardogs.kernel.game import Game, Rules
from wardogs.scene.board import Beheld, Eye, Probe
from wardogs.systems.dogs.chapters import paragraphs
from wardogs.systems.dogs.eye_solids import solids
from wardogs.systems.dogs.ground import terrain_now
from wardogs.systems.dogs.measure import in_arc
from wardogs.systems.dogs.seeing import Look, body, dark_between, eye, looks, screened
from wardogs.systems.dogs.state import Battle, Fight, Id, Model, Terms
from wardogs.systems.dogs.tokens import COLOURS, angle
from wardogs.systems.dogs.view import Sight, imagine
from wardogs.table.bodies import BASE, figure
from wardogs.table.glimpse import CLEAR, HARD, LOST, SOFT, THIN
from wardogs.table.lookout import point
from wardogs.table.sight import look
from wardogs.table.units import Place

JUDGED = {CLEAR: "clear", THIN: "thin", SOFT: "soft", HARD: "hard", LOST: "hidden"}
Box = tuple[float, float, float, float, float]


def eye_of(terms: Terms, sight: Sight, who: Id) -> Eye:
    """DOW-LOS-01, -03: from a view, so it shows nothing that the seat may not know."""
    g: Fight = Game(_rules(), terms, imagine(terms, sight), Fast(0))
    g.silent = True
    there = {man.id: man for man in g.state.models if man.living}
    if who not in there:
        raise unknown("man on the table", str(who), there)
    viewer = there.pop(who)
    foes_first = sorted(there.values(), key=lambda other: other.side == viewer.side)
    return Eye(
        id=who,
        at=eye(viewer),
        angle=angle(viewer.facing),
        size=terms.map.size,
        solids=tuple(solids(g)),
        others=tuple(beheld(g, viewer, other) for other in foes_first),
    )


@cache
def _rules() -> Rules:
    return Rules("dogs", paragraphs(), frozenset(), Battle)


def beheld(g: Fight, viewer: Model, other: Model) -> Beheld:
    """The very look that decides who may be a target."""
    seen = looks(g, viewer, other)
    parts, _, states, _ = seen.samples
    points = [point(look(terrain_now(g), eye(viewer), body(other)), sample) for sample in range(len(states))]
    return Beheld(
        id=other.id,
        name=other.id,
        colour=COLOURS[other.side],
        shape=tuple(boxes(other, parts, points)),
        probes=tuple(Probe(points[sample], name, JUDGED[states[sample]]) for name, a, b in parts for sample in range(a, b)),
        shares=tuple((spoken(name), f"{share(states[a:b]):.0%}") for name, a, b in parts),
        text=f"{sentence(seen)}{beside(g, viewer, other)}",
    )


def share(states: Sequence[int]) -> float:
    """DOW-LOS-04, -17: thin cover hides nothing."""
    return sum(state in (CLEAR, THIN) for state in states) / len(states)


def spoken(part: str) -> str:
    return part.replace("_", " ")


def boxes(man: Model, parts: Sequence[tuple[str, int, int]], points: Sequence[Place]) -> Iterator[Box]:
    """His parts as upright boxes about their samples; those of one who lies are cut along him."""
    for name, first, last in parts:
        if name == BASE:
            continue
        cells = figure(man.stance).parts[name]
        cuts = cells.grid[0] if cells.along else 1
        half, size = (cells.across[1] - cells.across[0]) / 2, (last - first) // cuts
        if cells.along:
            half = max(half, (cells.along[1] - cells.along[0]) / cuts / 2)
        for k in range(cuts):
            own = points[first + k * size : first + (k + 1) * size]
            x, y = (sum(at[axis] for at in own) / size for axis in (0, 1))
            yield round(x, 3), round(y, 3), man.at[2] + cells.up[0], man.at[2] + cells.up[1], round(half, 3)


# ---- in words --------------------------------------------------------------------------------------------------------


def sentence(seen: Look) -> str:
    """'sees 62% of him: head and chest; legs behind brick'."""
    parts, _, states, _ = seen.samples
    shows = {name: share(states[a:b]) for name, a, b in parts if name != BASE}
    if not seen.glimpse:
        return f"sees nothing of him, behind {covers(seen, shows)}"
    if seen.visible == 1:
        return "sees all of him" + ("" if seen.clear == 1 else f", through {covers(seen, shows)}")
    out, hidden = ([name for name in shows if (shows[name] >= HALF) is shown] for shown in (True, False))
    told = [listed(out)] if out else []
    told += [f"{listed(hidden)} behind {covers(seen, hidden)}"] if hidden else []
    return f"sees {seen.visible:.0%} of him: {'; '.join(told)}"


HALF = 0.5


def covers(seen: Look, names: Iterable[str]) -> str:
    """What these parts lie behind."""
    met = dict.fromkeys(spoken(cover) for name in names for cover in seen.at[name].covers)
    return " and ".join(met) or "something"


PAIRS = (("right_arm", "left_arm", "arms"), ("right_leg", "left_leg", "legs"))


def listed(names: Sequence[str]) -> str:
    """Both arms are the arms."""
    found = list(names)
    for right, left, both in PAIRS:
        if right in found and left in found:
            found = [both if name == right else name for name in found if name != left]
    words = [spoken(name) for name in found]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def beside(g: Fight, viewer: Model, other: Model) -> str:
    """DOW-LOS-02, -09, -14: what else keeps him from being a target."""
    reasons = (
        (not in_arc(viewer, other.at), "outside his arc"),
        (dark_between(g, viewer, other), "too dark"),
        ((screen := screened(g, viewer, other)) is not None, f"{screen.id if screen else ''} stands between"),
    )
    return "".join(f"; {words}" for holds, words in reasons if holds)
