"""The conformity ledger: every rule of a register, how we read it, its switches, its code and its cases.

python tools/ledger.py dogs            writes docs/dogs/rulings.md
"""

from __future__ import annotations

import argparse
import ast
from collections import defaultdict
from itertools import groupby
from pathlib import Path

from wardogs.kernel.cases import Case, find_cases, read_cases
from wardogs.kernel.register import Rule, ids_in_text
from wardogs.kernel.system import System
from wardogs.systems import load_system

ROOT = Path(__file__).resolve().parent.parent


def code_by_rule(folder: Path) -> dict[str, list[str]]:
    """Where each rule is named: the functions of the system's files, as file:function."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(folder.glob("**/*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            name = getattr(node, "name", "")
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    for id_ in ids_in_text(part.value):
                        place = f"{path.stem}.{name}" if name else path.stem
                        if place not in found[id_]:
                            found[id_].append(place)
    return found


def cases_by_rule(folder: Path) -> dict[str, list[tuple[str, Case]]]:
    found: dict[str, list[tuple[str, Case]]] = defaultdict(list)
    for path in find_cases([folder]):
        for case in read_cases(path):
            for id_ in case.rules:
                found[id_].append((path.stem, case))
    return found


def ledger(system: System, cases: Path) -> str:
    """The whole page."""
    code, shown = code_by_rule(system.folder), cases_by_rule(cases)
    lines = [f"# {system.title}: rule by rule", ""]
    lines += [
        "Every rule of the register in our words: where it comes from, how we rule where the book is silent or contradicts "
        "itself, the house rule (switch) that changes it, the code that plays it and the cases that show it. "
        f"{len(system.register.rules)} rules. This page is written by `make rulings`.",
        "",
    ]
    for area, ids in groupby(system.register.rules, lambda id_: id_.rsplit("-", 1)[0]):
        lines += [f"## {area}", ""]
        for id_ in ids:
            lines += entry(id_, system.register.rules[id_], code.get(id_, []), shown.get(id_, []))
    return "\n".join(lines).rstrip() + "\n"


def entry(id_: str, rule: Rule, code: list[str], shown: list[tuple[str, Case]]) -> list[str]:
    lines = [f"### {id_} {rule.name}", "", rule.text, ""]
    if rule.source:
        lines.append(f"- From: {rule.source}")
    if rule.ruling:
        lines.append(f"- Our ruling: {rule.ruling}")
    if rule.variant:
        lines.append(f"- Switch: `{rule.variant}`")
    lines.append(f"- Code: {', '.join(f'`{place}`' for place in code[:6]) or 'none'}{' …' if len(code) > 6 else ''}")
    titles = [f"{case.title} ({stem}{', ' + case.example if case.example else ''})" for stem, case in shown]
    lines.append(f"- Cases: {'; '.join(titles[:5]) or 'none'}{f'; and {len(titles) - 5} more' if len(titles) > 5 else ''}")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the conformity ledger of a system.")
    parser.add_argument("system")
    key = parser.parse_args().system
    page = ledger(load_system(key), ROOT / "tests" / "cases" / key)
    path = ROOT / "docs" / key / "rulings.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(page, encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {page.count('### ')} rules")


if __name__ == "__main__":
    main()
