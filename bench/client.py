"""The browser client on this machine: how soon a choice is drawn, how smoothly a crowded table moves, what the first page weighs.

    python -m bench.client            # some minutes; needs Chromium and a built client (make client)

Its peer is the browser itself: an empty page's frames are measured beside the table's, in one run.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import chromium
from tests.server.outside import served

DESK = {"width": 1280, "height": 800}
HINT = "What would you do?"
MODELS = 60

CLOCK = """() => {
  window.drawn = [];
  const log = document.querySelector("#panel");
  let begun = 0;
  const confirms = ".confirm .main, .acts button";
  addEventListener("click", (event) => { if (event.target.closest(confirms)) begun = performance.now(); }, true);
  new MutationObserver(() => {
    if (!begun) return;
    const at = begun;
    begun = 0;
    requestAnimationFrame(() => setTimeout(() => window.drawn.push(performance.now() - at)));
  }).observe(log, { childList: true, subtree: true });
}"""

FRAMES = """(milliseconds) => new Promise((resolve) => {
  const frames = [];
  let last = performance.now();
  const until = last + milliseconds;
  const frame = (now) => {
    frames.push(now - last);
    last = now;
    if (now < until) requestAnimationFrame(frame); else resolve(frames.slice(1));
  };
  requestAnimationFrame(frame);
})"""

WHEEL = """([x, y]) => {
  const board = document.querySelector(".frame svg");
  let k = 0;
  window.turning = setInterval(() => {
    k += 1;
    const deltaY = Math.sin(k / 12) * 60;
    const clientX = x + 60 * Math.cos(k / 9);
    board.dispatchEvent(new WheelEvent("wheel", { deltaY, clientX, clientY: y, bubbles: true, cancelable: true }));
  }, 16);
}"""


def spread(figures: list[float]) -> str:
    ordered = sorted(figures)
    late = ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    return f"median {statistics.median(figures):6.1f} ms, p95 {late:6.1f}, worst {ordered[-1]:6.1f} ({len(figures)})"


class Table(NamedTuple):
    url: str
    game: str
    key: str

    def play_by(self, player: str) -> None:
        """Who plays the first seat from now on."""
        said = {"do": "take_over", "seat": 1, "player": player}
        bearing = {"authorization": f"Bearer {self.key}"}
        httpx.post(f"{self.url}/api/games/{self.game}/do", json=said, headers=bearing, timeout=60).raise_for_status()


@contextmanager
def table(browser: Browser, url: str, **wanted: Any) -> Iterator[tuple[Page, Table]]:
    made = httpx.post(f"{url}/api/games", json=wanted, timeout=60).raise_for_status().json()
    page = browser.new_page(viewport=DESK)
    page.goto(f"{url}/#/table/{made['game']}/{made['keys']['1']}")
    page.get_by_role("button", name="Enough of the guide").click(timeout=60_000)
    yield page, Table(url, made["game"], made["keys"]["1"])
    page.close()


def choices(browser: Browser, url: str, system: str, scenario: str, many: int) -> list[float]:
    """From the click that confirms to the frame in which its first line stands in the log; what a bot does then is not in it."""
    with table(browser, url, system=system, scenario=scenario, players={"2": "drill"}) as (page, _):
        page.evaluate(CLOCK)
        asked = page.get_by_role("region", name="Your turn")
        for _ in range(many):
            if asked.get_by_role("link", name="Watch it again").count():
                break
            asked.get_by_role("button", name=HINT, disabled=False).wait_for(timeout=60_000)
            said = asked.get_by_text("The drill sergeant says: ")
            while not said.count():
                asked.get_by_role("button", name=HINT).click()
                page.wait_for_timeout(400)
            choice = said.inner_text().removeprefix("The drill sergeant says: ")
            asked.get_by_role("button", name=re.compile(f"^(Yes: )?{re.escape(choice)}$", re.IGNORECASE)).last.click()
            page.wait_for_timeout(250)
        drawn: list[float] = page.evaluate("() => window.drawn")
    return drawn


def crowded() -> dict[str, Any]:
    """Generated ground, and forces large enough for sixty models."""
    return {"theme": "village", "seed": 3, "size": [60, 60], "points": 1500, "turns": 4}


def frames(browser: Browser, url: str, seconds: float) -> tuple[list[float], list[float], int]:
    """All are on the table, and nobody moves."""
    with table(browser, url, system="dogs", scenario=crowded(), players={"2": "drill"}) as (page, game):
        game.play_by("drill")
        tokens = 0
        while tokens < MODELS:
            page.wait_for_timeout(500)
            tokens = page.locator(".token").count()
        game.play_by("person")
        page.wait_for_timeout(4000)
        still: list[float] = page.evaluate(FRAMES, 1000 * seconds)
        page.evaluate(WHEEL, [450, 400])
        moving: list[float] = page.evaluate(FRAMES, 1000 * seconds)
    return still, moving, tokens


def first_page(browser: Browser, url: str) -> dict[str, int]:
    page = browser.new_page(viewport=DESK)
    sizes: dict[str, int] = {}
    page.on("response", lambda got: sizes.update({got.url.removeprefix(url): int(got.headers.get("content-length", 0))}))
    page.goto(url)
    page.get_by_role("heading", level=3).first.wait_for(timeout=60_000)
    page.close()
    return sizes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--choices", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    told: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as serving, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.found(playwright), args=chromium.QUIET)
        sizes = first_page(browser, serving.url)
        own = {path: size for path, size in sizes.items() if not path.startswith("/api/")}
        told["first_page_bytes"] = sum(own.values())
        for system, scenario in (("dawgs", "dawn_patrol"), ("dogs", "crossroads")):
            told[f"choice_{system}"] = choices(browser, serving.url, system, scenario, wanted.choices)
        still, moving, tokens = frames(browser, serving.url, wanted.seconds)
        told |= {"still": still, "moving": moving, "tokens": tokens}
        browser.close()
    if wanted.json:
        print(json.dumps(told))
        return
    print(f"first page, compressed, without pictures and data: {told['first_page_bytes'] / 1000:.1f} kB")
    for name in ("choice_dawgs", "choice_dogs"):
        print(f"{name.removeprefix('choice_')}: a choice to its drawn result: {spread(told[name])}")
    print(f"frames with {tokens} models: at rest {spread(still)}\n{' ' * 22}while zooming and panning {spread(moving)}")


if __name__ == "__main__":
    main()
