"""Fate: where faces come from, and that sealed ones are fair, hidden and binding."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest

from wardogs.kernel.dice import D6, D10, as_is, at_least, at_most, die, reading
from wardogs.kernel.fate import (
    Fast,
    Opened,
    Scripted,
    ScriptError,
    Sealed,
    Typed,
    commitment,
    sealed_index,
    seed_from,
)

SEED = bytes(range(32))


def throws(fate: Any, count: int, sides: int = 6) -> list[int]:
    faces = die(sides).faces
    return [fate.index("TIN-HIT-01", f"d{sides}", faces, faces) for _ in range(count)]


def sealed(seed: bytes = SEED, entropy: str = "us", entry: int = 5) -> Sealed:
    fate = Sealed(seed, entropy)
    fate.open_entry(entry)
    return fate


# ---- readings --------------------------------------------------------------------------------------------------------


def test_readings_say_what_each_face_means() -> None:
    assert as_is(D6) == (1, 2, 3, 4, 5, 6)
    assert at_most(D6, 2) == (True, True, False, False, False, False)
    assert at_least(D6, 5) == (False, False, False, False, True, True)
    assert reading(D6, lambda face: face // 3) == (0, 0, 1, 1, 1, 2)


def test_a_one_always_and_a_ten_never() -> None:
    assert at_most(D10, 0, always=1, never=10) == (True, *(False,) * 9)
    assert at_most(D10, 12, always=1, never=10) == (*(True,) * 9, False)
    assert at_least(D10, 11, always=10, never=1) == (*(False,) * 9, True)
    assert at_least(D10, 0, always=10, never=1) == (False, *(True,) * 9)


# ---- fast and typed --------------------------------------------------------------------------------------------------


def test_fast_dice_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    assert throws(Fast(1), 50) == throws(Fast(1), 50)
    assert throws(Fast(1), 50) != throws(Fast(2), 50)
    assert set(throws(Fast("word"), 200)) == set(range(6))


def test_fast_dice_are_the_same_in_another_process() -> None:
    """A word as a seed must not go through hash(), which differs from process to process."""
    code = "from wardogs.kernel.fate import Fast; f = Fast('word'); print([f.index('', '', range(6), ()) for _ in range(9)])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == str(throws(Fast("word"), 9))


def test_typed_dice_never_say_anything() -> None:
    assert throws(Typed(), 3) == [None] * 3


# ---- scripted --------------------------------------------------------------------------------------------------------


def script(*faces: Any, sides: int = 6) -> int:
    return Scripted(faces).index("TIN-HIT-01", f"d{sides}", die(sides).faces, die(sides).faces)


def test_a_script_gives_its_faces_in_order_and_says_what_is_left() -> None:
    fate = Scripted([6, ("TIN-HIT-01", 1), 3])
    assert throws(fate, 2) == [5, 0]
    assert fate.left == [3]


def test_a_script_that_has_run_out_says_for_what() -> None:
    with pytest.raises(ScriptError, match="too few faces: TIN-HIT-01 throws a d6"):
        script()


def test_a_script_knows_for_which_rule_a_face_was_thrown() -> None:
    with pytest.raises(ScriptError, match="face 1 was thrown for TIN-DMG-01, the rules now throw for TIN-HIT-01"):
        script(("TIN-DMG-01", 3))


@pytest.mark.parametrize("face", [0, 7, "3", None, True, 1.0, [3]])
def test_a_script_refuses_a_face_that_is_not_on_the_die(face: Any) -> None:
    with pytest.raises(ScriptError, match="not on the d6 of TIN-HIT-01"):
        script(face)


def test_a_script_names_the_face_that_is_wrong_by_its_number() -> None:
    fate = Scripted([1, 2, 9])
    throws(fate, 2)
    with pytest.raises(ScriptError, match="face 3 is 9"):
        throws(fate, 1)


# ---- sealed ----------------------------------------------------------------------------------------------------------


def test_sealed_dice_are_the_same_for_the_same_seed_entropy_and_entry() -> None:
    assert throws(sealed(), 40) == throws(sealed(), 40)


@pytest.mark.parametrize("other", [sealed(seed=bytes(32)), sealed(entropy="them"), sealed(entropy=""), sealed(entry=6)])
def test_sealed_dice_depend_on_seed_entropy_and_entry(other: Sealed) -> None:
    assert throws(sealed(), 40) != throws(other, 40)


def test_sealed_dice_do_not_depend_on_what_was_thrown_before_the_entry() -> None:
    fate = sealed(entry=4)
    throws(fate, 17)
    fate.open_entry(5)
    assert throws(fate, 40) == throws(sealed(), 40)


def test_entropy_that_looks_like_an_entry_does_not_pass_for_one() -> None:
    """`us/5` at entry 1 and `us` at entry 5 would be one and the same if the parts ran together."""
    assert throws(sealed(entropy="us/5", entry=1), 40) != throws(sealed(entropy="us", entry=5), 40)
    assert throws(sealed(entropy="us", entry=51), 40) != throws(sealed(entropy="us/5", entry=1), 40)


@pytest.mark.parametrize(("sides", "limit"), [(6, 20.5), (10, 27.9), (12, 31.3)])
def test_sealed_dice_are_uniform(sides: int, limit: float) -> None:
    """Chi-square, one in a thousand; the seed is fixed, so this fails always or never."""
    counts: Counter[int] = Counter()
    each = 1000
    for entry in range(each):
        counts.update(throws(sealed(entry=entry), sides, sides))
    assert set(counts) == set(range(sides))
    assert sum((count - each) ** 2 / each for count in counts.values()) < limit


def test_sealed_dice_within_one_entry_are_independent() -> None:
    pairs = Counter((a, b) for n in range(3600) for a, b in [throws(sealed(entry=n), 2)])
    assert len(pairs) == 36
    assert sum((count - 100) ** 2 / 100 for count in pairs.values()) < 66.6


def test_words_that_would_favour_the_low_faces_are_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """2**64 is not a multiple of 6: the top four words must be drawn anew."""
    words = iter([2**64 - 1, 2**64 - 4, 2**64 - 5])
    asked: list[bytes] = []

    def digest(seed: bytes, what: bytes, name: str) -> bytes:
        asked.append(what)
        return next(words).to_bytes(8, "big") + bytes(24)

    monkeypatch.setattr("wardogs.kernel.fate.hmac.digest", digest)
    assert sealed_index(SEED, "x", 6) == (2**64 - 5) % 6
    assert len(set(asked)) == 3


def test_the_commitment_binds() -> None:
    others = [bytes([n]) + SEED[1:] for n in range(1, 256)] + [SEED + b"\0", SEED[:-1], b""]
    assert commitment(SEED) == commitment(bytes(range(32)))
    assert commitment(SEED) not in {commitment(other) for other in others}


def test_the_commitment_hides() -> None:
    """It is no plain hash that a table of seeds would give away, and no face comes from it."""
    published = commitment(SEED)
    assert SEED.hex() not in published
    assert published != hashlib.sha256(SEED).hexdigest()
    assert throws(sealed(seed=bytes.fromhex(published)), 40) != throws(sealed(), 40)


def test_a_seed_from_a_word_is_the_same_everywhere() -> None:
    assert seed_from(7) == seed_from("7")
    assert seed_from(7) != seed_from(8)
    assert seed_from(7) == hashlib.sha256(b"wardogs seed 7").digest()


# ---- opened ----------------------------------------------------------------------------------------------------------


def opened(faces: list[int], entry: int = 5, seed: bytes = SEED) -> Opened:
    fate = Opened(seed, "us")
    fate.faces = list(faces)
    fate.sealed.open_entry(entry)
    return fate


def test_opened_dice_check_every_face() -> None:
    faces = [index + 1 for index in throws(sealed(), 20)]
    fate = opened(faces)
    assert throws(fate, 20) == [face - 1 for face in faces]
    assert fate.checked == 20


@pytest.mark.parametrize("wrong", [0, 7, 19])
def test_opened_dice_catch_a_wrong_face(wrong: int) -> None:
    faces = [index + 1 for index in throws(sealed(), 20)]
    faces[wrong] = faces[wrong] % 6 + 1
    fate = opened(faces)
    throws(fate, wrong)
    with pytest.raises(ScriptError, match=rf"face {wrong + 1} \(d6 {faces[wrong]}, TIN-HIT-01\) is not what the seed gives"):
        throws(fate, 1)
    assert fate.checked == wrong


@pytest.mark.parametrize("fate", [{"entry": 6}, {"seed": bytes(32)}])
def test_opened_dice_catch_another_entry_or_seed(fate: dict[str, Any]) -> None:
    with pytest.raises(ScriptError, match="not what the seed gives"):
        throws(opened([index + 1 for index in throws(sealed(), 40)], **fate), 40)
