"""Somebody who visits the site with a browser of his own, and all that went wrong in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response, expect

ROOT = Path(__file__).parents[2]
AXE = ROOT / "client" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 20_000.0  # milliseconds for anything to appear: other tests may keep all cores busy
GRAVE = ("serious", "critical")
BROKEN_OFF = "net::ERR_ABORTED"  # by the page itself, when it goes elsewhere

expect.set_options(timeout=PATIENCE)

RUN_AXE = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, at: nodes.map((node) => node.target.join(" ")) }));
}"""


class Visitor:
    """A page in a context of its own: no memory is shared with other visitors. `wrong` must be empty when the test is over."""

    def __init__(self, browser: Browser, url: str, **settings: Any) -> None:
        self.context = browser.new_context(base_url=url, **settings)
        self.context.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.wrong.append(f"uncaught: {error}"))
        page.on("requestfailed", self._failed)
        page.on("response", self._answered)
        return page

    def open(self, link: str = "/") -> Page:
        """A link, or a path of the site; the client has drawn something when this returns."""
        self.page.goto("about:blank")  # a link that differs only after its # would not be loaded anew
        self.page.goto(link)
        self.page.locator("#app > *").first.wait_for()
        return self.page

    def axe(self) -> list[str]:
        """What axe-core finds grave on the page as it is now. The server's policy admits no other scripts: it is evaluated."""
        self.page.evaluate(AXE.read_text(encoding="utf-8"))
        found: list[dict[str, Any]] = self.page.evaluate(RUN_AXE)
        return [f"{one['impact']} {one['id']}: {one['help']} at {one['at']}" for one in found if one["impact"] in GRAVE]

    def close(self) -> list[str]:
        """Gone; what went wrong while he was there."""
        told = list(self.wrong)
        self.context.close()
        return told

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.wrong.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        if request.failure != BROKEN_OFF:
            self.wrong.append(f"{request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.wrong.append(f"{response.request.method} {response.url}: {response.status}")
