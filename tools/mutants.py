"""Do the cases bite? Random mutants of a system's code, and random changes of its data, must be caught by the cases alone.

    python tools/mutants.py dawgs [--code 300] [--data 100] [--seed 1] [--jobs 2] [--list]

Each mutant is one small change: a number, a comparison, an operator, a condition, a dropped statement, a changed text.
A mutant is caught if `wardogs case` on the cases does not exit 0 (or does not end). Survivors are listed with their place.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 60  # a mutant that hangs is caught

COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Mod: ast.Mult, ast.FloorDiv: ast.Mult,
              ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.Div: ast.Mult}  # fmt: skip


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
    if isinstance(node, ast.Assert):
        yield node
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "TypeVar":
        yield node


def code_mutants(path: Path) -> list[Mutant]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    found = []
    for node in mutable_nodes(tree):
        for changed in changes(node):
            found.append(Mutant(path, getattr(node, "lineno", 0), _said(node), _said(changed), _swapped(tree, node, changed)))
    return found


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
        body = line.split("#")[0]
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


def snapshot(folder: Path, system: str) -> Path:
    """The code and the cases as they are now, whatever happens to the working copy meanwhile."""
    shutil.copytree(ROOT / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "cases" / system, folder / "cases")
    return folder


def caught(mutant: Mutant, base: Path) -> bool:
    """Run the cases against a copy of the package with this one change."""
    with tempfile.TemporaryDirectory() as folder:
        src = Path(folder) / "src"
        shutil.copytree(base / "src", src)
        (src / mutant.path.relative_to(ROOT / "src")).write_text(mutant.text, encoding="utf-8")
        env = {**os.environ, "PYTHONPATH": str(src), "PYTHONDONTWRITEBYTECODE": "1"}
        call = [sys.executable, "-m", "wardogs", "case", str(base / "cases")]
        try:
            done = subprocess.run(call, env=env, capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0


def sample(mutants: list[Mutant], count: int, rng: random.Random) -> list[Mutant]:
    return rng.sample(mutants, min(count, len(mutants)))


def run(title: str, mutants: list[Mutant], base: Path, jobs: int) -> list[Mutant]:
    survivors = []
    with ThreadPoolExecutor(jobs) as pool:
        for done, (mutant, dead) in enumerate(zip(mutants, pool.map(lambda m: caught(m, base), mutants), strict=True), 1):
            if not dead:
                survivors.append(mutant)
            print(f"\r{title}: {done}/{len(mutants)}, {len(survivors)} survive ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return survivors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("system")
    parser.add_argument("--code", type=int, default=300, help="how many mutants of the code")
    parser.add_argument("--data", type=int, default=100, help="how many changes of the data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--least", type=float, default=0.85, help="the share that must be caught")
    args = parser.parse_args()
    folder = ROOT / "src" / "wardogs" / "systems" / args.system
    rng = random.Random(args.seed)
    code = sample([m for path in sorted(folder.glob("*.py")) for m in code_mutants(path)], args.code, rng)
    files = sorted([*folder.glob("data/*.toml"), *folder.glob("scenarios/*.toml")])
    data = sample([m for path in files for m in data_mutants(path)], args.data, rng)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        base = snapshot(Path(folder), args.system)
        for title, mutants in (("code", code), ("data", data)):
            survivors = run(title, mutants, base, args.jobs)
            share = 1 - len(survivors) / len(mutants) if mutants else 1.0
            good = good and share >= args.least
            for survivor in survivors:
                print(survivor, flush=True)
            print(f"{title}: {len(mutants) - len(survivors)} of {len(mutants)} caught ({share:.1%})", flush=True)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
