"""The first page."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.site import Site
from tests.browser.visitor import Visitor


def test_the_start_page_opens_and_anyone_can_use_it(visitor: Visitor) -> None:
    page = visitor.open("/")
    expect(page).to_have_title("Wardogs")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert visitor.axe() == []
    assert visitor.wrong == []


def test_what_goes_wrong_in_a_page_is_noticed(visitor: Visitor, site: Site) -> None:
    """The harness itself: an error, a failed request and a page that nobody could read do not pass."""
    page = visitor.open("/")
    page.evaluate("() => { console.error('alas'); document.body.innerHTML = '<main><img src=\"/no/such.png\"></main>'; }")
    page.evaluate("() => fetch('/api/games/nowhere').then((answer) => answer.text())")
    assert any("alas" in line for line in visitor.wrong)
    assert any(line.startswith(f"GET {site.url}/api/games/nowhere: 4") for line in visitor.wrong)
    assert any("image-alt" in line for line in visitor.axe())
    visitor.wrong.clear()


def test_games_are_made_for_a_test(site: Site) -> None:
    table = site.table("dawgs", bots={2: "drill"}, scenario="dawn_patrol")
    assert [chair["player"] for chair in site.facts(table)["chairs"]] == ["person", "drill"]
    first, again = (site.seeded("7", "dawgs") for _ in range(2))
    assert site.facts(first)["commitment"] == site.facts(again)["commitment"]
    assert [chair["player"] for chair in site.facts(first)["chairs"]] == ["person", "person"]
    assert first.links[1] == f"{site.url}/#/table/{first.game}/{first.keys[1]}"
