"""Do the cases bite? Random mutants of a system's code, and random changes of its data, must be caught by the cases alone.

    python tools/mutants.py dawgs [--code 300] [--data 200] [--seed 1] [--jobs 2] [--only bot*.py]

Each mutant is one small change: a number, a comparison, an operator, a condition, a dropped statement, a changed text.
A mutant is caught if a case fails with it, or does not end, or it does not even start. Survivors are listed with their place.
Only those cases are run that called the changed function when all was well: what no case calls, no case can catch.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import os
import random
import re
import select
import signal
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import NamedTuple, TypeVar

from wardogs.kernel.cases import Case, find_cases, read_cases, run_case
from wardogs.kernel.register import ids_in_text

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 300  # a mutant that hangs is caught

COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Mod: ast.Mult, ast.FloorDiv: ast.Mult,
              ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Div: ast.Mult}  # fmt: skip


T = TypeVar("T")


class Mutant(NamedTuple):
    """A changed file: where, what it was, what it is now, and the whole new text."""

    path: Path
    line: int
    was: str
    now: str
    text: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.was}  ->  {self.now}"


# ---- code ----------------------------------------------------------------------------------------------------------


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Every small change of one node of the syntax tree."""
    match node:
        case ast.Compare(ops=[op, *_]) if type(op) in COMPARE:
            yield _with(node, ops=[COMPARE[type(op)](), *node.ops[1:]])
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            yield _with(node, op=ARITHMETIC[type(op)]())
        case ast.BoolOp(op=ast.And()):
            yield _with(node, op=ast.Or())
        case ast.BoolOp(op=ast.Or()):
            yield _with(node, op=ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(value + 1.0)
        case ast.Constant(value=str(value)) if value:
            yield ast.Constant(f"XX{value}")
        case ast.IfExp(test=test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.If(test=test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield ast.Pass()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _with(node: ast.AST, **fields: object) -> ast.AST:
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def mutable_nodes(tree: ast.Module) -> Iterator[ast.AST]:
    """Nodes that run: no annotations, docstrings, decorators or `__all__`; nothing that only types."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        for child in _typing_only(node):
            skipped.update(id(part) for part in ast.walk(child))
    for node in ast.walk(tree):
        if id(node) not in skipped:
            yield node


def _typing_only(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield from node.decorator_list
    if isinstance(node, ast.ClassDef):
        yield from (keyword.value for keyword in node.keywords)
    if isinstance(node, ast.FunctionDef):
        yield from filter(None, [node.returns, *(arg.annotation for arg in ast.walk(node.args) if isinstance(arg, ast.arg))])
    if isinstance(node, ast.AnnAssign):
        yield node.annotation
        if isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias" and node.value is not None:
            yield node.value
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        yield node
    if isinstance(node, ast.Assert) or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"):
        yield node
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "TypeVar":
        yield node


def code_mutants(path: Path) -> list[Callable[[], Mutant]]:
    """All of a file, each still to be written out: that takes a while, and only a few are drawn."""
    tree = ast.parse(path.read_text(encoding="utf-8"))

    def write(node: ast.AST, changed: ast.AST) -> Mutant:
        return Mutant(path, getattr(node, "lineno", 0), _said(node), _said(changed), _swapped(tree, node, changed))

    return [partial(write, node, changed) for node in mutable_nodes(tree) for changed in changes(node)]


def _said(node: ast.AST) -> str:
    text = ast.unparse(ast.fix_missing_locations(node)).split("\n")[0]
    return text if len(text) < 90 else text[:87] + "..."


def _swapped(tree: ast.Module, old: ast.AST, new: ast.AST) -> str:
    """The source of the tree with one node put in another's place."""
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, name, new)
                text = ast.unparse(ast.fix_missing_locations(tree))
                setattr(parent, name, old)
                return text
            if isinstance(value, list) and any(item is old for item in value):
                at = next(n for n, item in enumerate(value) if item is old)
                value[at] = new
                text = ast.unparse(ast.fix_missing_locations(tree))
                value[at] = old
                return text
    raise LookupError(old)


# ---- data ----------------------------------------------------------------------------------------------------------

VALUE = re.compile(r'(?<![\w".])(-?\d+(?:\.\d+)?|true|false|"[^"\n]*")(?=\s*[,\]}\n#]|$)')


def data_mutants(path: Path) -> list[Mutant]:
    """Every value of a TOML file changed a little: a number + 1, a flag turned, a text altered."""
    source = path.read_text(encoding="utf-8")
    found = []
    at = 0
    for number, line in enumerate(source.splitlines(keepends=True), 1):
        body = line.split("#")[0].rstrip()
        for value in VALUE.finditer(body):
            now = _changed(value[1])
            text = source[: at + value.start(1)] + now + source[at + value.end(1) :]
            found.append(Mutant(path, number, f"{body.split('=')[0].strip()} = {value[1]}", now, text))
        at += len(line)
    return found


def _changed(value: str) -> str:
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if value.startswith('"'):
        return f'"XX{value[1:]}'
    return str(float(value) + 1) if "." in value else str(int(value) + 1)


# ---- running -------------------------------------------------------------------------------------------------------


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed text; all others as they are."""

    def __init__(self, mutant: Mutant) -> None:
        parts = mutant.path.relative_to(ROOT / "src").with_suffix("").parts
        self.name, self.mutant = ".".join(parts).removesuffix(".__init__"), mutant

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        package = [str(self.mutant.path.parent)] if self.mutant.path.name == "__init__.py" else None
        spec = ModuleSpec(name, self, origin=str(self.mutant.path), is_package=package is not None)
        spec.submodule_search_locations = package
        spec.has_location = True
        return spec

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.mutant.text, str(self.mutant.path), "exec"), module.__dict__)


def changed_reading(mutant: Mutant) -> None:
    """From now on the data file reads as the mutant has it."""
    plain = Path.read_text

    def read_text(path: Path, *args: object, **kwargs: object) -> str:
        return mutant.text if path == mutant.path else plain(path, *args, **kwargs)  # type: ignore[arg-type]

    Path.read_text = read_text  # type: ignore[assignment, method-assign]


def without_system(system: str) -> None:
    """Forget the system's modules, so that they are imported anew; the kernel and the table stay as they are."""
    for name in [name for name in sys.modules if name.startswith(f"wardogs.systems.{system}")]:
        del sys.modules[name]


def likely_first(cases: list[Case], mutant: Mutant) -> list[Case]:
    """Those first that show a rule which the changed file, best the changed function, names."""
    text = mutant.path.read_text(encoding="utf-8")
    near = ids_in_text("\n".join(text.splitlines()[max(0, mutant.line - 25) : mutant.line + 15]))
    whole = ids_in_text(text)
    return sorted(cases, key=lambda case: (not near & set(case.rules), not whole & set(case.rules)))


class Called:
    """Which cases call which functions of the system: noted while all cases run once with the code as it is."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self.by: dict[tuple[str, int], list[Case]] = {}

    def run(self, system: object, case: Case) -> None:
        seen: set[CodeType] = set()
        note = seen.add

        def called(frame: FrameType, event: str, arg: object) -> None:
            if event == "call":
                note(frame.f_code)

        sys.setprofile(called)
        try:
            run_case(system, case)  # type: ignore[arg-type]
        finally:
            sys.setprofile(None)
        for code in seen:
            if code.co_filename.startswith(self.folder):
                self.by.setdefault((code.co_filename, code.co_firstlineno), []).append(case)

    def those_for(self, mutant: Mutant, cases: list[Case]) -> list[Case]:
        """All cases for data, for what runs at import, and for what is worked out once for all games."""
        if mutant.path.suffix != ".py":
            return cases
        function = innermost(mutant.path, mutant.line)
        if function is None or any("cache" in ast.unparse(mark) for mark in function.decorator_list):
            return cases
        first = min([function.lineno, *(mark.lineno for mark in function.decorator_list)])
        return self.by.get((str(mutant.path), first), [])


def innermost(path: Path, line: int) -> ast.FunctionDef | None:
    """The innermost function whose body holds this line; its defaults run at import and count for the outside."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    around = [
        node for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.body[0].lineno <= line <= (node.end_lineno or 0)
    ]  # fmt: skip
    return max(around, key=lambda node: node.lineno, default=None)


def verdict(mutant: Mutant, system: str, cases: list[Case]) -> bool:
    """In a process of its own: is there a case that fails, or does it not even start?"""
    signal.alarm(SECONDS)
    try:
        without_system(system)
        if mutant.path.suffix == ".py":
            sys.meta_path.insert(0, Finder(mutant))
        else:
            changed_reading(mutant)
        loaded = import_module(f"wardogs.systems.{system}").SYSTEM
        for case in likely_first(cases, mutant):
            run_case(loaded, case)
    except BaseException:
        return True
    return False


def caught(mutant: Mutant, system: str, cases: list[Case]) -> bool:
    """A fork runs the cases against the package with this one change; one that hangs is stopped and counts as caught."""
    child = os.fork()
    if child == 0:
        sys.stdout = sys.stderr = open(os.devnull, "w")  # noqa: SIM115
        os._exit(1 if verdict(mutant, system, cases) else 0)
    _, status = os.waitpid(child, 0)
    return status != 0


def sample(mutants: list[T], count: int, rng: random.Random) -> list[T]:
    return rng.sample(mutants, min(count, len(mutants)))


def run(title: str, mutants: list[Mutant], system: str, cases: list[Case], called: Called, jobs: int) -> list[Mutant]:
    """Several forks at a time; each of these has its own share of the mutants."""
    readers = []
    for share in range(jobs):
        read, write = os.pipe()
        if os.fork() == 0:
            os.close(read)
            for k in range(share, len(mutants), jobs):
                dead = caught(mutants[k], system, called.those_for(mutants[k], cases))
                os.write(write, f"{k} {int(dead)}\n".encode())
            os._exit(0)
        os.close(write)
        readers.append(read)
    verdicts: dict[int, bool] = {}
    while readers:
        ready, _, _ = select.select(readers, [], [])
        for reader in ready:
            lines = os.read(reader, 4096).decode().split("\n")
            if lines == [""]:
                readers.remove(reader)
            for line in filter(None, lines):
                verdicts[int(line.split()[0])] = dead = line.endswith("1")
                if not dead:
                    print(f"\r{mutants[int(line.split()[0])]}", file=sys.stderr)
        lost = sum(not dead for dead in verdicts.values())
        print(f"\r{title}: {len(verdicts)}/{len(mutants)}, {lost} survive ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return [mutant for k, mutant in enumerate(mutants) if not verdicts[k]]


def warm(system: str, called: Called, names: str) -> list[Case]:
    """All cases, run once: they must pass, and what they need to know of tables is then known to every fork."""
    loaded = import_module(f"wardogs.systems.{system}").SYSTEM
    folder = ROOT / "tests" / "cases" / system
    folders = sorted(path for name in names.split(",") for path in folder.glob(f"{name}.toml"))
    cases = [case for path in find_cases(folders) for case in read_cases(path)]
    for case in cases:
        called.run(loaded, case)
    return cases


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("--code", type=int, default=300, help="how many mutants of the code")
    parser.add_argument("--data", type=int, default=200, help="how many changes of the data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="*.py", help="only files of the code with such names: bot*.py,scene.py")
    parser.add_argument("--cases", default="*", help="only files of cases with such names, without .toml: hitting,wounds")
    parser.add_argument("--least", type=float, default=0.85, help="the share that must be caught")
    args = parser.parse_args()
    folder = ROOT / "src" / "wardogs" / "systems" / args.system
    rng = random.Random(args.seed)
    paths = sorted(path for name in args.only.split(",") for path in folder.glob(name))
    code = [write() for write in sample([m for path in paths for m in code_mutants(path)], args.code, rng)]
    files = sorted([*folder.glob("data/*.toml"), *folder.glob("scenarios/*.toml")])
    data = sample([m for path in files for m in data_mutants(path)], args.data, rng)
    called = Called(folder)
    good, cases = True, warm(args.system, called, args.cases)
    for title, mutants in (("code", code), ("data", data)):
        survivors = run(title, mutants, args.system, cases, called, args.jobs)
        share = 1 - len(survivors) / len(mutants) if mutants else 1.0
        good = good and share >= args.least
        for survivor in survivors:
            print(survivor, flush=True)
        print(f"{title}: {len(mutants) - len(survivors)} of {len(mutants)} caught ({share:.1%})", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
