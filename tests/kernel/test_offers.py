"""Offers: every domain counts, picks and admits the same values; a refusal says which rule and why."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wardogs.kernel.offers import SHORT, Ask, Barred, Flag, Number, Offer, OneOf, Question, Refusal, Refused, Several

settings.register_profile("kernel", derandomize=True, max_examples=60, deadline=None)
settings.load_profile("kernel")

names = st.lists(st.text("abcdefgh", min_size=1, max_size=2) | st.integers(-3, 9), unique=True, max_size=6)
one_ofs = st.builds(OneOf, names.map(tuple))
numbers = st.builds(
    lambda low, span, step: Number(low, low + span, step), st.integers(-9, 9), st.integers(0, 20), st.integers(1, 4)
)
severals = st.builds(
    lambda among, least, more: Several(tuple(among), least, least + more), names, st.integers(0, 3), st.integers(0, 4)
)
domains = one_ofs | st.just(Flag()) | numbers | severals
offers = st.builds(
    Offer,
    st.sampled_from(["go", "stay", "fire"]),
    st.just("TIN-TOY-01"),
    st.dictionaries(st.sampled_from("xyz"), domains, max_size=2),
).filter(lambda offer: offer.size <= 400)


def picks(domain: Any) -> list[Any]:
    return [domain.pick(index) for index in range(domain.size)]


def shown(value: Any) -> str:
    return repr(value)  # 1, 1.0 and True are equal, and must not be the same choice


# ---- domains ---------------------------------------------------------------------------------------------------------


@given(domains)
def test_every_pick_is_admitted_and_all_are_distinct(domain: Any) -> None:
    assert all(domain.admits(pick) for pick in picks(domain))
    assert len({shown(pick) for pick in picks(domain)}) == domain.size


@given(numbers)
def test_a_number_has_as_many_picks_as_it_admits(number: Number) -> None:
    assert picks(number) == [n for n in range(-30, 30) if number.admits(n)]
    assert number.size == len(picks(number))


@pytest.mark.parametrize("number", [Number(1, 0), Number(1, -3), Number(5, 0, 2)])
def test_an_empty_range_has_no_picks(number: Number) -> None:
    """A size below nothing would spoil the sum of a whole question."""
    assert number.size == 0
    assert ask(WALK, Offer("climb", "TIN-WLK-01", {"to": number})).playable_size == WALK.size


@given(severals)
def test_several_has_as_many_picks_as_there_are_sets_it_admits(several: Several) -> None:
    sets = [list(c) for k in range(len(several.among) + 1) for c in combinations(several.among, k)]
    assert sorted(map(shown, picks(several))) == sorted(shown(s) for s in sets if several.admits(s))


@given(one_ofs)
def test_one_of_admits_its_list_and_nothing_else(one: OneOf) -> None:
    assert picks(one) == list(one.among)
    assert not one.admits("nowhere in the list")
    assert not one.admits(None)


def test_a_flag_is_yes_or_no() -> None:
    assert picks(Flag()) == [True, False]
    assert [value for value in (0, 1, "true", None, [], 1.0) if Flag().admits(value)] == []


@pytest.mark.parametrize("domain", [OneOf((0, 1, 2)), Number(0, 2)])
@pytest.mark.parametrize("value", [True, False, 1.0, "1", None, [1]])
def test_bool_is_not_int_nor_is_anything_else(domain: Any, value: Any) -> None:
    assert domain.admits(1)
    assert not domain.admits(value)


@pytest.mark.parametrize("value", [[True], [1, True], [1.0], [0, False], ["1"]])
def test_bool_is_not_int_among_several(value: list[Any]) -> None:
    several = Several((0, 1, 2), 1, 2)
    assert several.admits([1])
    assert not several.admits(value)


def test_int_is_not_bool() -> None:
    assert not OneOf((True, False)).admits(1)
    assert not Several((True, False), 1, 1).admits([1])


@pytest.mark.parametrize("value", [[], ["a", "b", "c"], ["a", "a"], ["d"], "ab", ("a",), {"a"}, None])
def test_several_takes_a_list_of_the_right_length_each_once(value: Any) -> None:
    assert not Several(("a", "b", "c"), 1, 2).admits(value)


def test_several_does_not_mind_the_order_and_counts_equal_cards() -> None:
    hand = Several(("ace", "ace", "king"), 1, 3, "cards")
    assert hand.admits(["king", "ace"])
    assert hand.admits(["ace", "ace"])
    assert not hand.admits(["king", "king"])


def test_several_of_too_few_has_no_picks() -> None:
    assert Several(("a",), 2, 3).size == 0
    with pytest.raises(IndexError):
        Several(("a",), 2, 3).pick(0)


# ---- offers ----------------------------------------------------------------------------------------------------------


@given(offers)
def test_every_choice_of_an_offer_is_admitted_and_all_are_distinct(offer: Offer) -> None:
    choices = list(offer.choices())
    assert len(choices) == offer.size
    assert all(offer.admits(choice) for choice in choices)
    assert len({shown(choice) for choice in choices}) == len(choices)


@given(offers, st.data())
def test_a_choice_with_one_thing_wrong_is_refused_by_name(offer: Offer, data: st.DataObject) -> None:
    if not offer.size:
        return
    choice = offer.pick(data.draw(st.integers(0, offer.size - 1)))
    for name in offer.fields:
        missing = {key: value for key, value in choice.items() if key != name}
        assert offer.refusal(missing) == Refusal(offer.rule, "missing_field", {"field": name})
        strange = {**choice, name: "strange"}
        assert offer.refusal(strange) == Refusal(offer.rule, "not_offered", {"field": name, "value": "strange"})
    assert offer.refusal({**choice, "w": 1}) == Refusal(offer.rule, "unknown_field", {"field": "w"})
    assert offer.refusal({**choice, "verb": "fly"}) == Refusal(offer.rule, "no_such_verb", {"verb": "fly"})
    assert offer.refusal({}) == Refusal(offer.rule, "no_such_verb", {"verb": None})


# ---- asks ------------------------------------------------------------------------------------------------------------

WALK = Offer("walk", "TIN-WLK-01", {"to": Number(1, 4)})
CONCEDE = Offer("concede", "TIN-END-01", gives_up=True)
LONG = Offer("aim", "TIN-HIT-01", {"angle": Number(0, 359), "at": OneOf(("a", "b"))})


def ask(*offered: Offer, **more: Any) -> Ask:
    return Ask("test", offered, {"verb": "walk", "to": 1}, **more)


@pytest.mark.parametrize("asked", [ask(WALK, CONCEDE), ask(CONCEDE, WALK), ask(WALK, CONCEDE, LONG), ask(LONG, CONCEDE, WALK)])
def test_nth_playable_is_playable_listed_or_not(asked: Ask) -> None:
    assert (asked.playable_size > SHORT) == (LONG in asked.offers)
    assert [asked.nth_playable(n) for n in range(asked.playable_size)] == list(asked.playable)
    with pytest.raises(IndexError):
        asked.nth_playable(asked.playable_size)


@given(st.lists(offers, min_size=1, max_size=4), st.lists(st.booleans(), min_size=4, max_size=4))
def test_nth_playable_is_playable_whatever_is_offered(offered: list[Offer], given_up: list[bool]) -> None:
    some = tuple(Offer(o.verb, o.rule, o.fields, gives_up=up) for o, up in zip(offered, given_up, strict=False))
    asked = ask(*some)
    assert [asked.nth_playable(n) for n in range(asked.playable_size)] == list(asked.playable)
    assert all(asked.refusal(choice) is None for choice in asked.choices)


def test_giving_up_is_legal_but_never_playable() -> None:
    asked = ask(WALK, CONCEDE)
    assert {"verb": "concede"} in asked.choices
    assert asked.refusal({"verb": "concede"}) is None
    assert {"verb": "concede"} not in asked.playable
    assert asked.playable_size == 4
    assert ask(CONCEDE).playable_size == 0


def test_a_refusal_comes_from_the_offer_with_the_same_verb() -> None:
    refusal = ask(CONCEDE, WALK).refusal({"verb": "walk", "to": 9})
    assert refusal == Refusal("TIN-WLK-01", "not_offered", {"field": "to", "value": 9})


def test_a_refusal_of_an_unknown_verb_comes_from_the_first_offer() -> None:
    assert ask(CONCEDE, WALK).refusal({"verb": "swim"}) == Refusal("TIN-END-01", "no_such_verb", {"verb": "swim"})


def test_the_books_own_reason_goes_before_the_offers() -> None:
    too_far = Refusal("TIN-WLK-02", "too_far", {"needs": 9, "has": 4})
    asked = ask(WALK, why_not=lambda choice: too_far if choice.get("to") == 9 else None)
    assert asked.refusal({"verb": "walk", "to": 9}) == too_far
    assert asked.refusal({"verb": "walk", "to": 8}) == Refusal("TIN-WLK-01", "not_offered", {"field": "to", "value": 8})


def test_the_books_reason_cannot_forbid_what_is_offered() -> None:
    """Legality has one home."""
    asked = ask(WALK, why_not=lambda choice: Refusal("TIN-WLK-02", "never"))
    assert asked.refusal({"verb": "walk", "to": 2}) is None


def test_the_books_reason_is_asked_about_lists_too() -> None:
    """Who names several tokens is owed the rule that forbids them as much as who names one."""
    far = Refusal("TIN-OPF-02", "out_of_reach", {"who": "c"})
    asked = ask(
        Offer("charge", "TIN-WLK-01", {"at": Several(("a", "b"), 1, 2)}),
        why_not=lambda choice: far if "c" in choice["at"] else None,
    )
    assert asked.refusal({"verb": "charge", "at": ["a", "b"]}) is None
    assert asked.refusal({"verb": "charge", "at": ["a", "c"]}) == far


def test_a_seat_that_is_not_asked_may_be_told_why() -> None:
    dead = Refusal("TIN-END-01", "dead")
    question = Question("TIN-WLK-01", {1: ask(WALK)}, lambda seat, choice: dead if seat == 2 else None)
    assert question.refusal(1, {"verb": "walk", "to": 2}) is None
    assert question.refusal(2, {"verb": "walk", "to": 2}) == dead
    assert question.refusal(3, {"verb": "walk", "to": 2}) == Refusal("", "not_asked", {"seat": 3})
    assert question.refusal(2, "walk") == Refusal("", "not_asked", {"seat": 2})


@pytest.mark.parametrize("choice", [None, "walk", ["walk", 1], 3, ("verb", "walk")])
def test_what_is_no_choice_at_all_is_refused(choice: Any) -> None:
    assert ask(WALK).refusal(choice) == Refusal("TIN-WLK-01", "not_a_choice")


def test_two_offers_of_one_verb_admit_what_either_admits() -> None:
    asked = ask(WALK, Offer("walk", "TIN-WLK-02", {"to": Number(8, 9)}))
    assert asked.refusal({"verb": "walk", "to": 8}) is None
    assert asked.offer_of({"verb": "walk", "to": 8}).rule == "TIN-WLK-02"
    assert asked.refusal({"verb": "walk", "to": 6}) is not None


def test_a_refusal_as_an_exception_says_rule_and_reason() -> None:
    error = Refused(Refusal("TIN-WLK-01", "too_far", {"needs": 3}))
    assert str(error) == "too_far {'needs': 3} (TIN-WLK-01)"


def test_barred_keeps_choice_and_reason_together() -> None:
    barred = Barred({"verb": "walk", "to": 9}, Refusal("TIN-WLK-01", "too_far"))
    assert (barred.choice["to"], barred.refusal.rule) == (9, "TIN-WLK-01")
