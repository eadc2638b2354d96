"""The docs do not lie: links lead somewhere, maps are sound, examples run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wardogs.table.check import faults
from wardogs.table.mapfile import load_map, parse_map

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)


def blocks(page: str, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall((ROOT / page).read_text()) if kind == language]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    assert [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("path", sorted(ROOT.glob("docs/maps/*.toml")), ids=lambda path: path.name)
def test_example_maps_are_sound(path: Path) -> None:
    assert faults(load_map(path)) == []


def test_the_pieces_of_the_map_guide_make_a_map() -> None:
    yard, bamboo = blocks("docs/maps.md", "toml")
    table = parse_map(f"{yard}\n[[area]]\nkind = 'bamboo'\nrect = [16, 16, 20, 19]\n{bamboo}", "docs/maps.md")
    assert faults(table) == []
    assert len(table.buildings[0].openings) == 2


def test_the_sight_guide_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    (code,) = blocks("docs/sight.md", "python")
    names: dict[str, object] = {}
    exec(code, names)
    assert any("brick wall" in line for line in names["seen"].explain())  # type: ignore[attr-defined]
