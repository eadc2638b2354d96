"""A game in the terminal: the board as text, numbered choices with what they would do, and a few plain commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.console import Console

from wardogs.bots import Bot, answer_for
from wardogs.bots.drill import Drill
from wardogs.cli import reasons
from wardogs.cli.asking import Entry, entries, filled
from wardogs.cli.folding import Fold, doer, folded, opened, single
from wardogs.cli.output import sentence
from wardogs.kernel.errors import WardogsError
from wardogs.kernel.fate import Throw
from wardogs.kernel.match import Match
from wardogs.kernel.offers import Refused, Seat
from wardogs.kernel.report import Report, heard
from wardogs.kernel.system import Seen
from wardogs.scene.svg import svg

HELP = """\
  a number    take that choice; one of two numbers, as in 5-17: see the choices behind that line
  board, b    show the table again
  more        all that may be chosen, line by line, the seldom wanted too
  hint        what a drilled bot would do here; hint do: let it
  why         what you may not do now; why walk, why fire: of one thing, every reason with its rule
  rule WORD   look a rule or a card up, by id or word
  log, log 30, log all    what has happened
  undo, u     take your last choice back
  concede     give up, where the game lets you
  save FILE   copy the game to a file
  quit, q     leave; the game is kept and can be resumed"""


MANY = 12  # lines from which on seldom wanted things are left out
NEW_TURN = ("new_turn", "new_round")


class Quit(Exception):
    """The player leaves; the record is on disk."""


class Terminal:
    """People at one keyboard against each other and against bots."""

    def __init__(
        self,
        match: Match,
        bots: Mapping[Seat, Bot],
        ask: Callable[[str], str] = input,
        save: Callable[[str], None] | None = None,
        resumed: bool = False,
        picture: Callable[[int, str], str] | None = None,
    ) -> None:
        self.match, self.bots, self.ask, self.save, self.picture = match, bots, ask, save, picture
        self.turns = 0
        self.people = [seat for seat in match.header.setup.seats if seat not in bots]
        self.book = match.record.phrasebook
        self.console = Console(highlight=False, markup=False)
        shown = len(match.record.entries) if resumed else 0
        self.told = dict.fromkeys([*self.people, None], shown)  # how many entries each has been shown
        self.at_keyboard: Seat | None = None
        self.shown: list[Fold] = []  # the lines on the screen for the question that is put

    # ---- the loop ----------------------------------------------------------------------------------------------

    def play(self) -> None:
        while not self.match.over:
            if isinstance(self.match.game.question, Throw):
                self.throw(self.match.game.question)
                continue
            answer_for(self.match, self.bots)
            for seat in self.match.game.waiting:
                if seat in self.people:
                    self.turn(seat)
                    break
        self.tell_news(self.people[0] if len(self.people) == 1 else None)
        self.tell_end()

    def turn(self, seat: Seat) -> None:
        """One person's question, until it is answered or something else has happened."""
        self.hand_over(seat)
        self.tell_news(seat)
        self.show_board(seat)
        self.show_question(seat)
        before = len(self.match.record.entries)
        while len(self.match.record.entries) == before:
            self.command(seat, self.read("> "))

    def hand_over(self, seat: Seat) -> None:
        """With several people at one screen nobody may read over a shoulder."""
        if len(self.people) > 1 and self.at_keyboard != seat:
            self.console.clear()
            if self.console.is_terminal:
                self.console.file.write("\x1b[3J")  # what was scrolled away, too
            self.read(f"{self.book.name(seat)}, it is your turn: press Enter when you alone see the screen. ")
        self.at_keyboard = seat

    def read(self, prompt: str) -> str:
        try:
            return self.ask(prompt).strip()
        except EOFError:
            raise Quit from None

    # ---- what a person types -----------------------------------------------------------------------------------

    def command(self, seat: Seat, typed: str) -> None:
        word, _, rest = typed.partition(" ")
        word, rest = word.lower(), rest.strip()
        try:
            number = word.partition("-")[0]
            if number.isascii() and number.isdigit() and not rest:
                self.choose(seat, int(number))
            elif word in COMMANDS:
                COMMANDS[word](self, seat, rest)
            elif typed:
                self.say(f"{typed:.40}? Type one number from the list, or help.")
        except Refused as refused:
            self.say(self.book.refusal(refused.refusal))
        except WardogsError as error:
            self.say(str(error))

    def choose(self, seat: Seat, number: int) -> None:
        listed = self.listed(self.match.seen(seat))
        if not 1 <= number <= len(listed):
            self.say(f"There is no {number}: choose 1 to {len(listed)}.")
            return
        if number not in self.choosable:  # nobody takes what he has not read
            self.show_lines(self.match.seen(seat), listed, opened(listed, self.shown, number))
            return
        choice = filled(listed[number - 1], self.read)
        if choice is not None:
            self.match.answer(seat, choice)

    def listed(self, seen: Seen) -> list[Entry]:
        assert seen.ask is not None
        return entries(seen.ask)

    def concede(self, seat: Seat, rest: str) -> None:
        ask = self.match.seen(seat).ask
        offer = next((offer for offer in ask.offers if offer.gives_up), None) if ask else None
        if offer is None:
            self.say("You cannot give up at this question.")
        elif self.read("Give up for good? (yes/no) ").lower() in ("y", "yes"):
            self.match.answer(seat, offer.pick(0))

    def undo(self, seat: Seat, rest: str) -> None:
        """Bots agree; people at the same keyboard are asked."""
        agreed = set(self.bots)
        for other in self.match.undo(seat, agreed):
            name = self.book.name(other)
            if self.read(f"{name}: may {self.book.name(seat)} take that back? (yes/no) ").lower() not in ("y", "yes"):
                self.say(f"{name} does not agree.")
                return
            agreed.add(other)
        if self.match.record.entries[-1].kind != "undo":
            self.match.undo(seat, agreed)
        self.say("Taken back.")

    def hint(self, seat: Seat, rest: str) -> None:
        """What the drilled bot would do; with `do` it does."""
        choice = Drill("hint").choose(self.match.seen(seat))
        if rest == "do":
            self.match.answer(seat, choice)
        else:
            self.say(f"A drilled bot would choose: {self.book.choice(choice)}. Type hint do to let it.")

    def why(self, seat: Seat, rest: str) -> None:
        for line in reasons.told(self.book, self.match.seen(seat).ask, rest, self.console.width):
            self.say(line)

    def rule(self, seat: Seat, rest: str) -> None:
        register = self.match.system.register
        found = register.search(rest) if rest else []
        for id_ in found[:3]:
            self.say(f"{id_} {register.rules[id_].name}: {register.rules[id_].text}")
        if found[3:]:
            self.say(f"and {len(found) - 3} more: {', '.join(found[3:12])}")
        elif not found:
            self.say(f"No rule has {rest!r} in it." if rest else "Type rule and an id or a word, for example: rule speed 0")

    def log(self, seat: Seat, rest: str) -> None:
        lines = [f"{report.rule:11} {sentence(said)}" for _, report, said in self.match.record.sentences(seat)]
        keep = len(lines) if rest == "all" else int(rest) if rest.isdigit() else 15
        for line in lines[-keep:] if keep else []:
            self.say(line)

    def save_copy(self, seat: Seat, rest: str) -> None:
        if not rest or self.save is None:
            self.say("Type save and a file name. The game is kept anyway, entry by entry.")
            return
        self.save(rest)
        self.say(f"Saved to {rest}.")

    def show_again(self, seat: Seat, rest: str) -> None:
        self.show_board(seat)
        self.show_question(seat)

    def help(self, seat: Seat, rest: str) -> None:
        self.say(HELP)

    def leave(self, seat: Seat, rest: str) -> None:
        raise Quit

    # ---- what a person sees ------------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        self.console.print(text, soft_wrap=not self.console.is_terminal)

    def show_board(self, seat: Seat | None) -> None:
        seen = self.match.seen(seat)
        scene = self.match.system.scene(self.match.terms, seen.view)
        self.say(f"\n{scene.text}")

    def more(self, seat: Seat, rest: str) -> None:
        self.show_question(seat, minor=True)

    def show_question(self, seat: Seat, minor: bool = False) -> None:
        seen = self.match.seen(seat)
        assert seen.ask is not None
        question = f"{self.book.question(seen.ask.topic)} {self.occasion(seat, seen.ask.topic)}".rstrip()
        self.say(f"\n{self.book.name(seat)}: {question}")
        listed = self.listed(seen)
        usual = sum(not entry.offer.minor for entry in listed)  # the seldom wanted come last
        if minor or len(listed) <= MANY or not usual:
            usual = len(listed)
        whole = Fold(1, usual)
        self.shown = []
        self.show_lines(seen, listed, single(whole) if minor else folded(listed, whole))
        if any(fold.size > 1 for fold in self.shown):
            self.say("      two numbers: several choices; type the first to see them, or more for all at once")
        if usual < len(listed):
            self.say(f"      more: {len(listed) - usual} things that are seldom wanted")
        self.say("  (help: other things you can type)")

    def occasion(self, seat: Seat, topic: str) -> str:
        """What gave rise to the question, if that was reported under its name."""
        entries = self.match.record.entries
        undone = {n for entry in entries for n in entry.undone}
        for entry in reversed(entries):
            for report in reversed(heard(entry.reports, seat) if entry.n not in undone else []):
                if report.fact == topic:
                    return sentence(self.book.report(report))
        return ""

    def show_lines(self, seen: Seen, listed: list[Entry], folds: list[Fold]) -> None:
        """Choices with what they would do, and what is folded up."""
        said = [self.fold_line(fold.of(listed)) for fold in folds]
        column = max(2, *(len(fold.label) for fold in folds))
        width = max((len(text) for fold, text in zip(folds, said, strict=True) if fold.size == 1), default=0)
        for fold, text in zip(folds, said, strict=True):
            entry = listed[fold.first - 1]
            preview = "" if entry.open or fold.size > 1 else self.match.system.preview(seen, entry.choice)
            self.say(f"  {fold.label:>{column}}  {text:{width}}  {preview}".rstrip())
        self.shown += folds

    @property
    def choosable(self) -> set[int]:
        """What has stood on the screen by itself since the question was put."""
        return {fold.first for fold in self.shown if fold.size == 1}

    def fold_line(self, alike: Sequence[Entry]) -> str:
        """One choice in words; or what is folded up, by who would do it and what he could do."""
        if len(alike) == 1:
            return self.line(alike[0])
        verbs = dict.fromkeys(entry.offer.verb for entry in alike)
        if len(verbs) > 1:
            return f"{self.book.value(doer(alike[0]))} … ({', '.join(verbs).replace('_', ' ')})"
        first = next(iter(alike[0].offer.fields))
        said = self.book.choice({"verb": alike[0].offer.verb, first: doer(alike[0])})
        points = [n for entry in alike for n in entry.offer.cost.values() if n]
        units = {what.upper() for entry in alike for what in entry.offer.cost}
        cost = f" [{min(points)} to {max(points)} {units.pop()}]" if points and len(units) == 1 else ""
        return f"{said} … ({len(alike)} ways){cost}"

    def line(self, entry: Entry) -> str:
        """A choice in words, what is still asked, and what it costs."""
        said = self.book.choice(entry.choice)
        if entry.open:
            said = f"{said} … ({', '.join(name.replace('_', ' ') for name in entry.open)})"
        cost = ", ".join(f"{n} {what.upper()}" for what, n in entry.offer.cost.items() if n)
        return f"{said} [{cost}]" if cost else said

    def tell_news(self, seat: Seat | None) -> None:
        """What has happened since this person last looked."""
        entries = self.match.record.entries
        news: list[Report] = [r for entry in entries[self.told[seat] :] for r in heard(entry.reports, seat)]
        self.told[seat] = self.told[None] = len(entries)
        for report in news:
            self.say(f"{report.rule:11} {sentence(self.book.report(report))}")
        turns = [report for report in news if report.fact in NEW_TURN]
        if turns and self.picture is not None:
            self.turns = max(report.data.get("turn", report.data.get("round", 0)) for report in turns)
            scene = self.match.system.scene(self.match.terms, self.match.seen(seat).view)
            self.say(f"Picture of the table: {self.picture(self.turns, svg(scene))}")

    def tell_end(self) -> None:
        self.show_board(self.people[0] if len(self.people) == 1 else None)
        outcome = self.match.outcome
        if outcome:
            rounds = f"{outcome.turns} round{'s' if outcome.turns > 1 else ''}"
            self.say(f"\n{outcome.winner or 'Nobody'} {'wins' if outcome.winner else 'has won'} after {rounds}.")
            for name, points in outcome.points.items():
                self.say(f"  {name}: {points} points")
        taken_back = sum(entry.kind == "undo" for entry in self.match.record.entries)
        if taken_back:
            self.say(f"Choices taken back on the way: {taken_back}.")

    def throw(self, throw: Throw) -> None:
        """A real die: what led to it is told first; asked again until it is one that can fall."""
        self.tell_news(self.people[0] if len(self.people) == 1 else None)
        typed = self.read(self.throw_prompt(throw))
        if typed.lower() in ("q", "quit", "exit"):
            raise Quit
        face: int | str = int(typed) if typed.isascii() and typed.isdigit() else typed.lower().replace(" ", "_")
        try:
            self.match.enter(face)
        except Refused as refused:
            self.say(self.book.refusal(refused.refusal))

    def throw_prompt(self, throw: Throw) -> str:
        about, name = throw.about, self.match.system.register.rules[throw.rule].name
        who = f"{self.book.name(about['who'])}: " if "who" in about else ""
        at = f" at {self.book.name(about['at'])}" if "at" in about else ""
        need = f", needs {about['need'] - about.get('mod', 0) - about.get('bonus', 0)}" if "need" in about else ""
        choice = f"{throw.faces[0]} to {throw.faces[-1]}" if throw.kind != "card" else ", ".join(map(str, throw.shown))
        return f"{who}{name}{at}{need} [{throw.rule}]: {throw.kind} ({choice})? "


COMMANDS: dict[str, Callable[[Terminal, Seat, str], None]] = {
    "undo": Terminal.undo, "u": Terminal.undo,
    "more": Terminal.more, "m": Terminal.more,
    "hint": Terminal.hint, "h": Terminal.hint,
    "why": Terminal.why,
    "rule": Terminal.rule, "rules": Terminal.rule,
    "log": Terminal.log, "l": Terminal.log,
    "board": Terminal.show_again, "b": Terminal.show_again,
    "save": Terminal.save_copy,
    "concede": Terminal.concede,
    "help": Terminal.help, "?": Terminal.help,
    "quit": Terminal.leave, "q": Terminal.leave, "exit": Terminal.leave,
}  # fmt: skip
