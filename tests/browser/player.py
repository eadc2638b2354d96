"""Somebody at a table, who sees the screen and does what it lets him do."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic, sleep
from typing import NamedTuple

from playwright.sync_api import Locator, Page, expect

from tests.browser.visitor import Visitor

HINT = "What would you do?"
SAID = "The drill sergeant says: "
NO_TIME = "no advice in time"  # a busy machine: one asks again
ANSWERED = "Your answer is in"
PATIENCE = 20.0  # seconds for the table to go on
LOOKS = 0.02  # seconds between two looks


# a drawing may be larger than the frame that one sees it through
SHOWN = """(one) => {
  const box = one.getBoundingClientRect();
  let shown = [box.left, box.top, box.right, box.bottom];
  for (let frame = one.parentElement; frame; frame = frame.parentElement) {
    if (getComputedStyle(frame).overflow === "visible") continue;
    const [{ left, top, right, bottom }, [a, b, c, d]] = [frame.getBoundingClientRect(), shown];
    shown = [Math.max(a, left), Math.max(b, top), Math.min(c, right), Math.min(d, bottom)];
  }
  return shown;
}"""


class Player:
    """One seat in one browser, without the guide unless it is wanted.

    `asked` is the part of the screen where he is asked, `log` what has happened.
    """

    def __init__(self, visitor: Visitor, link: str = "", guided: bool = False) -> None:
        self.visitor = visitor
        self.page: Page = visitor.open(link) if link else visitor.page
        self.asked = self.page.get_by_role("region", name="Your turn")
        self.log = self.page.get_by_role("list", name="What has happened")
        self.board = self.page.get_by_role("group", name=re.compile("Arrow keys move"))
        self.question = self.asked.get_by_role("heading", level=2)
        expect(self.asked).to_be_visible()
        if not guided:
            self.button("Enough of the guide").click()

    # ---- what he sees ----------------------------------------------------------------------------------------------

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.asked.get_by_role("button", name=name)

    def token(self, name: str | re.Pattern[str]) -> Locator:
        """Somebody on the board, as he is called there."""
        return self.board.get_by_role("button", name=name)

    @property
    def is_asked(self) -> bool:
        """Is there a question that he has not answered?"""
        waits = self.asked.filter(has_not=self.page.get_by_text(ANSWERED))  # one look: between two the game may go on, or end
        return waits.get_by_role("button", name=HINT, disabled=False).is_visible()

    @property
    def is_over(self) -> bool:
        return self.asked.get_by_role("link", name="Watch it again").is_visible()

    def sees(self) -> str:
        """All that changes when the table goes on."""
        return f"{self.asked.inner_text()}\n{self.log.inner_text()}"

    def open_tab(self, name: str) -> Locator:
        self.page.get_by_role("tab", name=name).click()
        return self.page.get_by_role("tabpanel", name=name)

    # ---- what he does ----------------------------------------------------------------------------------------------

    def choose(self, name: str | re.Pattern[str]) -> None:
        """A button that ends the choosing; the table has gone on when this returns."""
        goes_on(self, lambda: self.button(name).click())

    def pick(self, field: str, value: str) -> None:
        """One of the values of a field."""
        self.asked.get_by_role("radiogroup", name=field).get_by_role("radio", name=re.compile(f"^{value}")).click()

    def follow_hint(self) -> str:
        """Where it does not matter: what the drill sergeant says, confirmed as any other choice."""
        said = self.asked.get_by_text(SAID)
        no_time = self.asked.get_by_role("alert").filter(has_text=NO_TIME)
        until = monotonic() + PATIENCE
        while not said.is_visible() and monotonic() < until:
            self.button(HINT).click()
            said.or_(no_time).first.wait_for()
        choice = said.inner_text().removeprefix(SAID)
        confirming = self.button(re.compile(f"^(Yes: )?{re.escape(choice)}$", re.IGNORECASE)).last
        goes_on(self, confirming.click)
        return choice


class Box(NamedTuple):
    """Where something is on the screen, as far as it is shown."""

    x: float
    y: float
    width: float
    height: float

    def at(self, across: float, down: float) -> tuple[float, float]:
        return self.x + self.width * across, self.y + self.height * down


def box_of(what: Locator) -> Box:
    left, top, right, bottom = what.evaluate(SHOWN)
    return Box(left, top, right - left, bottom - top)


def goes_on(player: Player, doing: Callable[[], object]) -> None:
    """Do something, and see it come to pass."""
    before, until = player.sees(), monotonic() + PATIENCE
    doing()
    while player.sees() == before:
        assert monotonic() < until, f"nothing came of it:\n{before}"
        sleep(LOOKS)


def next_asked(*players: Player) -> Player | None:
    """Who is asked now; none: the game is over. Waits until one of the two holds."""
    until = monotonic() + PATIENCE
    while monotonic() < until:
        for player in players:
            if player.is_over:
                return None
            if player.is_asked:
                return player
        sleep(LOOKS)
    raise AssertionError("nobody is asked, and nobody has won")


def play_on(*players: Player, turn: Callable[[Player], object] = Player.follow_hint, most: int = 400) -> None:
    """To the end, each in his turn."""
    for _ in range(most):
        player = next_asked(*players)
        if player is None:
            return
        turn(player)
    raise AssertionError(f"not over after {most} choices")
