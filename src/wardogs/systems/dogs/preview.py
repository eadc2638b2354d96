"""What would follow from a choice, in a few words, before it is made: exact odds, by range band until the range is known."""

from __future__ import annotations

from fractions import Fraction

from wardogs.kernel.dice import D10, at_most
from wardogs.kernel.fate import Fast
from wardogs.kernel.offers import Choice
from wardogs.kernel.system import Seen
from wardogs.systems.dogs.attack_odds import ManOdds, Wounded, attack_odds, one_hit
from wardogs.systems.dogs.data import SIGHTING, TO_HIT, WEAPONS
from wardogs.systems.dogs.modifiers import Attack, to_hit_terms
from wardogs.systems.dogs.shooting import attack_of, round_of
from wardogs.systems.dogs.state import Fight

UNHURT = 4
MEASURED = ("DOW-RNG-09", "DOW-MOD-11")  # terms that would tell the range


def preview(seen: Seen, choice: Choice) -> str:
    if choice["verb"] in ("fire", "op_fire") and {"weapon", "mode", "target"} <= choice.keys():
        game: Fight = seen.imagined(Fast(0))
        attack = attack_of(choice)
        if game.terms.options.premeasure:
            return "; ".join(told(man) for man in attack_odds(game, attack))
        return by_band(game, attack)
    return ""


def told(man: ManOdds) -> str:
    return f"{man.id}: needs {man.need}, hit {percent(man.hit)}, down {percent(man.down)}, killed {percent(man.killed)}"


def by_band(g: Fight, attack: Attack) -> str:
    """DOW-RNG-06: the range is measured after declaring, so each band is told; then what one hit does."""
    at = g.state[attack.target]
    flat = sum(term.value for term in to_hit_terms(g, attack, at) if term.rule not in MEASURED)
    bands = [f"{where} {hits(flat + mod)}" for where, mod in bands_of(attack.weapon)]
    after = one_hit(g, at.id, round_of(g, attack), Wounded(at.hp, True, at.conscious, UNHURT))
    down = sum((chance for end, chance in after.items() if not (end.alive and end.conscious and end.hp > 0)), Fraction(0))
    killed = sum((chance for end, chance in after.items() if not end.alive), Fraction(0))
    lies = f'; {-TO_HIT.target_prone} less while he lies, save within {SIGHTING.prone_lost_within:g}" or from well above'
    told_first = f"{', '.join(bands)}{lies if at.stance == 'prone' else ''}"
    return f"{told_first}; a hit puts him down {percent(down)}, kills {percent(killed)}"


def bands_of(weapon: str) -> list[tuple[str, int]]:
    """Each band in words, with its modifier; the last has no end on a table."""
    (short, first), (medium, second), (_, third) = WEAPONS[weapon].bands
    return [(f'to {short:g}"', int(first)), (f'to {medium:g}"', int(second)), (f'beyond {medium:g}"', int(third))]


def hits(need: int) -> str:
    means = at_most(D10, need, TO_HIT.natural_hit, TO_HIT.natural_miss)
    wanted = "only a 1 hits" if need < 1 else "all but a 10 hit" if need > 9 else f"needs {need}"
    return f"{wanted} ({10 * sum(means)}%)"


def percent(chance: Fraction) -> str:
    return f"{100 * float(chance):.0f}%"
