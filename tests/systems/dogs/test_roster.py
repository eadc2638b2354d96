"""Rosters of Dogs of War: what forces cost, what their men carry, what is refused and why, and forces made up by chance."""

from __future__ import annotations

from typing import Any

import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.systems.dogs.lists import BUILDING, PERKS, PURCHASES, TEAMS, perk_price
from wardogs.systems.dogs.options import Options
from wardogs.systems.dogs.recruits import NEAR, random_roster
from wardogs.systems.dogs.roster import (
    Roster,
    Soldier,
    cost,
    notes,
    roster_dict,
    roster_from,
    sentence,
    soldiers,
    team_bill,
    team_from,
    tidy,
    violations,
)
from wardogs.systems.dogs.roster_check import is_sold

SNATCH = {"leader": ["m4", "m203"], "rifleman": ["m4"], "gunner": ["m249_para"], "assistant": ["m4"]}
RPG = [{"role": "scout", "item": "rpg_with_round"}]
# The forces of the shipped scenarios, as their blocks say; each is worth 500 points.
FORCES: dict[str, list[dict[str, Any]]] = {
    "rangers": [{"list": "us_rangers", "gunner": "m249"}, {"list": "us_rangers", "gunner": "m60e3"}],
    "taliban": [
        {
            "list": "taliban",
            "buy": [
                {"role": "assistant", "item": "rpg_with_round"},
                {"role": "assistant", "item": "rpg_round", "n": 2},
                {"role": "scout", "perk": "soviet_war_veteran"},
            ],
        },
        {
            "list": "taliban",
            "buy": [
                {"role": "scout", "item": "frag_soviet"},
                {"role": "leader", "item": "frag_soviet"},
                {"role": "scout", "perk": "soviet_war_veteran"},
            ],
        },
    ],
    "delta": [{"list": "delta", "weapons": SNATCH, "all": ["nvg"], "buy": [{"role": "rifleman", "perk": "combat_engineer"}]}],
    "al_qaeda": [
        {
            "list": "al_qaeda",
            "name": "guards",
            "deploy": [17, 17, 35, 25],
            "buy": [
                {"role": "scout", "perk": "jihad"},
                {"role": "assistant", "perk": "jihad"},
                {"role": "leader", "item": "frag_soviet"},
            ],
            "vest": ["scout"],
        },
        {"list": "al_qaeda", "name": "bodyguard", "deploy_building": "H1", "hvt": "leader"},
    ],
    "us": [
        {"list": "usmc", "gunner": "m249", "deploy_circle": [24, 24, 6]},
        {"list": "us_airborne", "reserve": "para_air_assault", "from_turn": 2},
    ],
    "somalia": [
        {"list": "somalia_militia", "gunner": "rpd46", "deploy": [0, 42, 48, 48], "buy": RPG},
        {"list": "somalia_militia", "gunner": "rpk", "deploy": [42, 0, 48, 48], "buy": RPG},
        *({"list": "somalia_civilians", "deploy": [10, 0, 48, 6]} for _ in range(4)),
    ],
}


def force(*teams: dict[str, Any], points: int = 10_000) -> Roster:
    return Roster("", points, tuple(map(team_from, teams)))


def man(role: str, options: Options | None = None, **team: Any) -> Soldier:
    return next(one for one in soldiers(team_from(team), options or Options()) if one.role == role)


def loaded(soldier: Soldier) -> dict[str, int]:
    return {weapon.id: weapon.loaded for weapon in soldier.weapons}


# Cost -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORCES)
def test_sample_forces_cost_what_they_say_and_are_legal(name: str) -> None:
    roster = force(*FORCES[name], points=500)
    assert cost(roster) == 500
    assert violations(roster) == []
    assert notes(roster) == []


@pytest.mark.parametrize("name", FORCES)
def test_the_men_are_worth_what_their_team_costs(name: str) -> None:
    for raw in FORCES[name]:
        team = team_from(raw)
        assert sum(soldier.worth for soldier in soldiers(team)) == cost(team) == sum(line.points for line in team_bill(team))


def test_every_bare_list_costs_its_points() -> None:
    assert {id_: cost(team_from({"list": id_})) for id_ in TEAMS} == {id_: own.points for id_, own in TEAMS.items()}
    assert all(len(soldiers(team_from({"list": id_}))) == BUILDING.team_size for id_ in TEAMS)


@pytest.mark.parametrize(
    ("weapons", "price"),
    [(["m4"], 0), (["m249"], 10), (["handgun"], 0), ([], 0), (["m16a2", "handgun"], 3), (["sniper_rifle", "handgun"], 18)],
)
def test_a_swap_costs_the_difference_and_never_refunds(weapons: list[str], price: int) -> None:
    assert cost(team_from({"list": "us_rangers", "weapons": {"scout": weapons}})) == 250 + price


def test_a_gunner_is_compared_with_the_gun_he_still_has() -> None:
    for gun in ("m249", "m60e3"):
        team = {"list": "us_rangers", "gunner": gun, "buy": [{"role": "gunner", "item": "handgun"}]}
        assert cost(team_from(team)) == 253


def test_lists_have_their_own_prices() -> None:
    for list_, price in (("us_rangers", 25), ("usmc", 30)):
        assert cost(team_from({"list": list_, "all": ["nvg"]})) == 250 + 4 * price
    assert cost(team_from({"list": "usmc", "buy": [{"role": "leader", "perk": "gun_nut"}]})) == 260


# Soldiers -------------------------------------------------------------------------------------------------------------


def test_ammunition_is_issued_loaded_and_spare() -> None:
    assert (loaded(man("scout", list="somalia_militia")), man("scout", list="somalia_militia").ammo) == (
        {"ak47": 30},
        {"7.62S": 30},
    )
    civilian = man("gunner", list="somalia_civilians")
    assert (loaded(civilian), civilian.ammo) == ({"rpd46": 30}, {})
    assert (loaded(man("gunner", list="us_rangers")), man("assistant", list="us_rangers").ammo) == ({"m249": 200}, {"5.56": 580})


def test_a_gun_of_another_calibre_brings_its_own_rounds() -> None:
    gunner, assistant = (man(role, list="us_rangers", gunner="m60e3") for role in ("gunner", "assistant"))
    assert (loaded(gunner), gunner.ammo) == ({"m60e3": 100}, {"7.62N": 110})
    assert assistant.ammo == {"5.56": 180, "7.62N": 400}
    assert man("assistant", list="delta", weapons=SNATCH | {"gunner": ["m60e3"]}).ammo == {"5.56": 180, "7.62N": 400}


def test_own_weapon_counts_are_for_each_firearm() -> None:
    officer = man("scout", list="police")
    assert (loaded(officer), officer.ammo) == ({"shotgun": 6, "handgun": 15}, {"12ga": 54, "9mm": 45})


def test_a_printed_second_weapon_has_what_is_printed() -> None:
    leader = man("leader", list="spetsnaz")
    assert (loaded(leader), leader.ammo) == ({"ak74": 30, "handgun_soviet": 8}, {"5.45": 150, "9x18": 8})


def test_launchers_start_loaded_from_their_grenades() -> None:
    leader = man("leader", list="us_rangers")
    assert (loaded(leader)["m203"], leader.grenades["g40_he"]) == (1, 3)
    assert man("leader", list="delta").grenades["g40_he"] == 4
    assert man("leader", list="delta", weapons=SNATCH).grenades["g40_he"] == 3
    gunman = man("assistant", **FORCES["taliban"][0])
    assert (loaded(gunman), gunman.rockets) == ({"ak47": 30, "rpg": 1}, {"rpg_round": 2})


def test_an_rpg_from_the_chart_has_its_round_too() -> None:
    rifleman = man("rifleman", list="delta", weapons={"rifleman": ["ak47", "rpg"]})
    assert (loaded(rifleman), rifleman.rockets, rifleman.worth) == ({"ak47": 30, "rpg": 1}, {}, 130)


def test_bought_rounds_join_the_rest() -> None:
    buy = [{"role": "scout", "item": "rounds", "n": 2}, {"role": "assistant", "item": "rounds", "calibre": "7.62N"}]
    team = {"list": "us_rangers", "gunner": "m60e3", "buy": buy}
    assert (man("scout", **team).ammo, man("assistant", **team).ammo) == ({"5.56": 380}, {"5.56": 180, "7.62N": 500})
    assert cost(team_from(team)) == 265


def test_perks_change_abilities_and_bring_kit() -> None:
    plain, engineer = man("rifleman", list="delta"), man("rifleman", **FORCES["delta"][0])
    assert engineer.devices == {"shaped_charge": 1, "c4_quarters": 4}
    assert "nvg" in engineer.gear
    assert "nvg" not in plain.gear
    marine = man("leader", list="usmc", buy=[{"role": "leader", "perk": "ocs_candidate"}, {"role": "leader", "perk": "gun_nut"}])
    assert (marine.cc, marine.wk, marine.wp) == (8, 8, 6)
    survivor = man("scout", list="taliban", buy=[{"role": "scout", "perk": "desert_survival"}])
    assert (survivor.ft, survivor.hp) == (5, 4)


def test_no_ability_rises_above_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PERKS["gun_nut"].mod, "wk", 7)
    assert man("leader", list="usmc", buy=[{"role": "leader", "perk": "gun_nut"}]).wk == 10


def test_armor_by_location_and_its_switches() -> None:
    assert man("leader", list="delta").ar == {"head": 2, "chest": 5, "stomach": 5}
    assert man("leader", list="al_qaeda").ar == {}
    assert man("leader", list="al_qaeda", all=["kevlar_vest"]).ar == {"chest": 4, "stomach": 4}
    covered = man("leader", Options(vest_covers_abdomen=True), list="al_qaeda", all=["kevlar_vest"])
    assert covered.ar == {"chest": 4, "stomach": 4, "abdomen": 4}
    assert man("leader", list="sfg").ar["head"] == 5
    assert man("leader", Options(sfg_helmet=2), list="sfg").ar["head"] == 2
    assert man("leader", Options(sfg_helmet=2), list="usmc").ar["head"] == 5


def test_elite_innates() -> None:
    assert man("leader", list="delta").traits == ()
    for list_ in ("delta", "us_airborne"):
        assert man("leader", Options(elite_innates=True), list=list_).traits == ("expert_rifleman", "disciplined")
    assert man("leader", Options(elite_innates=True), list="taliban").traits == ()


@pytest.mark.parametrize(("faithful", "vests"), [(1, 0), (2, 1), (3, 1), (4, 2)])
def test_every_second_jihad_man_of_al_qaeda_wears_a_vest(faithful: int, vests: int) -> None:
    buy = [{"role": role.role, "perk": "jihad"} for role in TEAMS["al_qaeda"].roles[:faithful]]
    assert sum(soldier.vest for soldier in soldiers(team_from({"list": "al_qaeda", "buy": buy}))) == vests
    assert sum(soldier.vest for soldier in soldiers(team_from({"list": "taliban", "buy": buy}))) == 0


def test_the_owner_picks_who_wears_the_vest() -> None:
    guards = FORCES["al_qaeda"][0]
    assert [soldier.role for soldier in soldiers(team_from(guards)) if soldier.vest] == ["scout"]
    other = guards | {"vest": ["assistant"]}
    assert [soldier.role for soldier in soldiers(team_from(other)) if soldier.vest] == ["assistant"]


def test_what_is_familiar() -> None:
    ranger, taliban, delta = (man("leader", list=id_).familiar for id_ in ("us_rangers", "taliban", "delta"))
    assert {"m60e3", "sniper_rifle", "m67"} <= set(ranger)
    assert not {"ak47", "rpg", "frag_soviet"} & set(ranger)
    assert {"ak47", "rpk", "rpg", "frag_soviet"} <= set(taliban)
    assert not {"m4", "m67", "ak74"} & set(taliban)
    assert {"ak47", "m4", "rpg"} <= set(delta)
    assert "ak74" in man("gunner", list="taliban", weapons={"leader": ["ak74"]}).familiar  # bought for the team


def test_what_the_list_gives() -> None:
    ranger = man("leader", list="us_rangers")
    assert ranger.nvg
    assert (ranger.nvg.goggles, ranger.nvg.with_laser, ranger.c4_table, ranger.hand_signals) == (
        -2,
        -1,
        "army",
        True,
    )
    assert (man("leader", list="usmc").c4_table, man("leader", list="sfg").cc_mode) == ("elite", "radio")
    assert man("leader", list="usmc_force_recon").special_rules == ()


# What is refused ------------------------------------------------------------------------------------------------------


def buys(list_: str, *what: tuple[str, str, str], **more: Any) -> list[dict[str, Any]]:
    """One team with purchases: role, item or perk, and which."""
    return [{"list": list_, "buy": [{"role": role, kind: id_} for role, kind, id_ in what], **more}]


def carrying(list_: str, role: str, *weapons: str) -> list[dict[str, Any]]:
    return [{"list": list_, "weapons": {role: list(weapons)}}]


ILLEGAL: list[tuple[str, str, list[dict[str, Any]]]] = [
    ("DOW-GEN-06", "no_team", []),
    ("DOW-BLD-01", "mixed_factions", [{"list": "us_rangers"}, {"list": "taliban"}]),
    ("DOW-BLD-03", "chart_all_except_soviet_block", carrying("us_rangers", "scout", "m16a2", "ak47")),
    ("DOW-BLD-03", "chart_none", carrying("usmc", "rifleman", "m16a2", "handgun")),
    ("DOW-BLD-03", "chart_none", [{"list": "somalia_militia", "gunner": "m60e3"}]),
    ("DOW-BLD-03", "chart_soviet_block_only", carrying("spetsnaz", "scout", "ak74", "m4")),
    ("DOW-BLD-03", "block", buys("us_airborne", ("leader", "item", "frag_soviet"))),
    ("DOW-BLD-05", "no_swap", carrying("taliban", "scout")),
    ("DOW-BLD-06", "perk_twice", [{"list": "usmc", "buy": [{"role": "leader", "perk": "gun_nut", "n": 2}]}]),
    ("DOW-BLD-02", "perk_not_sold", buys("us_rangers", ("scout", "perk", "jihad"))),
    ("DOW-BLD-02", "perk_not_sold", buys("us_airborne", ("scout", "perk", "trained"))),
    ("DOW-BLD-02", "not_sold", buys("sfg", ("leader", "item", "motorola_handheld"))),
    ("DOW-BLD-02", "not_sold", buys("somalia_militia", ("leader", "item", "rounds"))),
    ("DOW-BLD-02", "not_sold", buys("usmc", ("leader", "item", "mini_m67"))),
    ("DOW-BLD-09", "wrong_calibre", [{"list": "usmc", "buy": [{"role": "leader", "item": "rounds", "calibre": "9mm"}]}]),
    ("DOW-BLD-10", "leaders_only", buys("us_rangers", ("scout", "item", "motorola_handheld"))),
    ("DOW-BLD-10", "leaders_only", [{"list": "us_rangers", "all": ["motorola_handheld"]}]),
    ("DOW-RNG-15", "no_rifle", carrying("us_rangers", "scout", "m249", "m203")),
    ("DOW-RNG-15", "no_rifle", buys("us_rangers", ("gunner", "item", "m203"))),
    ("DOW-AID-06", "too_many", buys("usmc", ("rifleman", "perk", "combat_medic"), ("assistant", "perk", "combat_medic"))),
    ("DOW-AID-06", "not_for_leaders", buys("usmc", ("leader", "perk", "combat_medic"))),
    ("DOW-CQC-13", "perks_exclude", buys("sfg", ("rifleman", "perk", "trained"), ("rifleman", "perk", "deadly_hands"))),
    ("DOW-EQP-05", "not_sold_vest", buys("taliban", ("scout", "item", "kevlar_vest"))),
    ("DOW-EXP-02", "engineers_only", buys("delta", ("rifleman", "item", "shaped_charge"))),
    ("DOW-EXP-05", "engineers_only", buys("us_rangers", ("scout", "item", "c4_lb"))),
    ("DOW-EXP-14", "vest_without_jihad", [FORCES["al_qaeda"][0] | {"vest": ["leader"]}]),
    ("DOW-EXP-14", "wrong_vests", [FORCES["al_qaeda"][0] | {"vest": ["scout", "assistant"]}]),
    ("DOW-EXP-14", "wrong_vests", buys("taliban", ("scout", "perk", "jihad"), ("leader", "perk", "jihad"), vest=["scout"])),
]


@pytest.mark.parametrize(("rule", "fact", "teams"), ILLEGAL, ids=[f"{fact}-{n}" for n, (_, fact, _) in enumerate(ILLEGAL)])
def test_illegal_rosters_are_refused_with_their_rule(rule: str, fact: str, teams: list[dict[str, Any]]) -> None:
    found = violations(force(*teams))
    assert {(fault.rule, fault.fact) for fault in found} == {(rule, fact)}
    assert all(f"[{rule}]" in sentence(fault) and "{" not in sentence(fault) and "None" not in sentence(fault) for fault in found)


def test_over_points_says_by_how_much() -> None:
    (fault,) = violations(force(*FORCES["taliban"], points=480))
    assert (fault.rule, fault.data) == ("DOW-GEN-07", {"cost": 500, "limit": 480, "over": 20})
    assert violations(force(*FORCES["taliban"], points=480), 500) == []


def test_mixed_factions_where_the_scenario_allows() -> None:
    assert violations(force({"list": "us_rangers"}, {"list": "mercenaries"}), mixed=True) == []


def test_green_berets_and_delta_use_c4_without_the_perk() -> None:
    for list_ in ("sfg", "delta"):
        assert violations(force(*buys(list_, ("rifleman", "item", "c4_lb")))) == []
    engineer = buys(
        "us_rangers", ("scout", "perk", "combat_engineer"), ("scout", "item", "c4_lb"), ("scout", "item", "shaped_charge")
    )
    assert violations(force(*engineer)) == []


@pytest.mark.parametrize(
    ("fact", "teams"),
    [
        ("list_barred", [{"list": "spetsnaz"}]),
        ("perk_barred", buys("us_rangers", ("scout", "perk", "combat_medic"))),
        ("item_barred", buys("us_rangers", ("scout", "item", "rope"))),
        ("item_barred", buys("us_rangers", ("scout", "item", "smoke_grenade"))),
    ],
)
def test_reconstructed_things_can_be_barred_together(fact: str, teams: list[dict[str, Any]]) -> None:
    assert violations(force(*teams)) == []
    found = violations(force(*teams), options=Options(reconstructed_options=False))
    assert {(fault.rule, fault.fact) for fault in found} == {("DOW-GEN-15", fact)}


def test_the_chart_cannot_be_barred() -> None:
    sniper = [
        *carrying("us_rangers", "scout", "sniper_rifle"),
        *buys("us_rangers", ("leader", "item", "gps"), ("scout", "item", "m67")),
    ]
    assert violations(force(*sniper), options=Options(reconstructed_options=False)) == []


def test_what_is_legal_but_noted() -> None:
    def facts(*teams: dict[str, Any]) -> set[tuple[str, str]]:
        assert violations(force(*teams)) == []
        assert all("{" not in sentence(note) for note in notes(force(*teams)))
        return {(note.rule, note.fact) for note in notes(force(*teams))}

    assert facts({"list": "delta"}) == {("DOW-BLD-04", "unarmed")}
    assert facts(*carrying("us_rangers", "scout", "handgun")) == {("DOW-BLD-05", "no_refund")}
    assert facts(*carrying("us_rangers", "scout", "m16a2", "m203")) == {("DOW-BLD-07", "no_rounds")}
    assert facts(*buys("us_rangers", ("scout", "item", "nvg"), all=["nvg"])) == {("DOW-BLD-02", "one_is_enough")}


# Reading --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ({"list": "us_ranger"}, "unknown list us_ranger: did you mean us_rangers?"),
        ({"list": "taliban", "wepons": {}}, "wepons"),
        ({"list": "taliban", "weapons": {"rifleman": []}}, "unknown role rifleman"),
        ({"list": "taliban", "weapons": {"scout": ["ak-47"]}}, "weapons of the scout: unknown weapon ak-47: did you mean ak47?"),
        ({"list": "taliban", "buy": [{"role": "scout"}]}, "buy 1: write either item = or perk ="),
        ({"list": "taliban", "buy": [{"role": "scout", "item": "jihad"}]}, "unknown item jihad"),
        ({"list": "taliban", "buy": [{"role": "scout", "item": "rpg_round", "n": 0}]}, "team 2, buy 1, n"),
        ({"list": "taliban", "buy": [{"role": "scout", "item": "nvg", "calibre": "9mm"}]}, "only rounds have a calibre"),
        ({"list": "taliban", "name": "two\nlines"}, "a name is one line"),
    ],
)
def test_wrong_data_is_refused_with_its_place(raw: dict[str, Any], said: str) -> None:
    with pytest.raises(WardogsError) as error:
        roster_from({"teams": [{"list": "usmc"}, raw]})
    assert said in str(error.value)
    assert "team 2" in str(error.value)


def test_every_purchase_and_every_perk_is_sold_to_somebody() -> None:
    assert [item.id for item in PURCHASES.values() if not any(is_sold(own, item) for own in TEAMS.values())] == []
    assert [perk.id for perk in PERKS.values() if all(perk_price(own, perk) is None for own in TEAMS.values())] == []


# By chance ------------------------------------------------------------------------------------------------------------


def test_forces_made_up_by_chance_are_legal_and_near_their_points() -> None:
    for n in range(500):
        points = 100 + n * 1900 // 499
        roster = random_roster(points, n)
        assert violations(roster) == []
        assert NEAR * points <= cost(roster) <= points, (points, n)
        assert tidy(roster) == roster == roster_from(roster_dict(roster))


def test_the_same_seed_makes_the_same_force() -> None:
    assert random_roster(700, 3) == random_roster(700, 3)
    assert len({str(random_roster(700, seed)) for seed in range(20)}) > 15


@pytest.mark.parametrize("list_", TEAMS)
def test_a_force_of_one_list(list_: str) -> None:
    for points in (400, 555, 1000):
        roster = random_roster(points, 1, list_)
        assert {team.list for team in roster.teams} == {list_}
        assert violations(roster) == []
        assert cost(roster) >= NEAR * points
        assert [note for note in notes(roster) if note.fact != "no_rounds"] == []


def test_a_force_of_one_faction_without_reconstructed_things() -> None:
    strict = Options(reconstructed_options=False)
    for seed in range(20):
        roster = random_roster(600, seed, "us", strict)
        assert violations(roster, options=strict) == []
        assert cost(roster) >= NEAR * 600


def test_forces_that_cannot_be_made_up() -> None:
    with pytest.raises(WardogsError, match="buy no team of delta"):
        random_roster(200, 1, "delta")
    with pytest.raises(WardogsError, match="unknown list or faction"):
        random_roster(200, 1, "martians")
    with pytest.raises(WardogsError, match="DOW-GEN-15"):
        random_roster(500, 1, "gang", Options(reconstructed_options=False))
    assert cost(random_roster(215, 1, "al_qaeda")) == 200  # nothing they may buy costs 15 points or less
