"""The data of Dogs of War: whole, edged as ruled, refused when doctored, and the same as the printed charts."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

from wardogs.kernel.errors import WardogsError
from wardogs.kernel.register import read_register
from wardogs.systems.dogs import data
from wardogs.systems.dogs.arms import Blast, Demolition, Weapon, Zones
from wardogs.systems.dogs.facts import fact
from wardogs.systems.dogs.options import Options

REGISTER = read_register(data.FOLDER.parent / "rules.toml")


OUR_TASTE = ("recruit", "arming")  # how random forces are chosen: no rule


def test_every_entry_says_its_source() -> None:
    for path in data.FOLDER.glob("*.toml"):
        for name, entries in tomllib.loads(path.read_text()).items():
            for entry in entries if isinstance(entries, list) and name not in OUR_TASTE else ():
                assert "source" in entry, f"{path.name}, {name} {entry.get('id')}"


def test_the_register_is_whole() -> None:
    assert len(REGISTER.rules) == 422
    variants = [name for rule in REGISTER.rules.values() for name in rule.variant.split(", ") if name]
    assert sorted(variants) == sorted(Options.__struct_fields__)


def test_charts_are_whole() -> None:
    assert len(data.LOCATIONS) == 10
    assert set(data.WOUNDS) == set(data.LOCATIONS)
    assert len(data.WOUNDS) == 8
    assert all(columns[3].near_miss for columns in data.WOUNDS.values())


def test_wound_columns() -> None:
    assert [data.wound_column(figure) for figure in range(-9, 11)] == [0] * 10 + [1] * 2 + [2] * 3 + [3] * 5


def test_bands_end_where_they_say() -> None:
    rifle = data.WEAPONS["m16a2"]
    assert [rifle.band(inches) for inches in (0, 12, 12.01, 24, 24.5, 300, 300.1)] == [0, 0, 1, 1, 2, 2, None]
    assert [rifle.at_range(inches) for inches in (12, 24, 300, 301)] == [0, -1, -2, None]
    assert rifle.reach == 300


def test_a_distance_of_floats_is_at_its_limit() -> None:
    assert data.WEAPONS["m16a2"].band(0.1 * 3 * 40) == 0  # a hair over 12
    assert rings("m67", 0.1 * 3 * 10) == [(3, 1)]
    assert rings("shaped_charge", 3 - 1e-9) == [None]


def test_throws() -> None:
    assert [data.HAND_THROW.at_range(inches) for inches in (5, 10, 15, 15.1)] == [1, 0, -1, None]
    assert [data.DIFFICULT_THROW.at_range(inches) for inches in (1, 2, 5, 6, 9, 10, 15)] == [0, -1, -1, -2, -2, -3, -3]


def rings(blast: str, *distances: float) -> list[tuple[int, int] | None]:
    found = [data.BLASTS[blast].ring_at(distance) for distance in distances]
    return [(ring.dpr, ring.rolls) if ring else None for ring in found]


def test_a_limit_belongs_to_the_inner_ring() -> None:
    assert rings("m67", 0.9, 1.0, 1.8, 2.0, 2.9, 3.0, 3.1) == [(5, 2), (5, 2), (4, 1), (4, 1), (3, 1), (3, 1), None]


def test_the_shaped_charge_is_safe_at_its_limit() -> None:
    assert rings("shaped_charge", 0.99, 1.0, 2.99, 3.0) == [(4, 2), (3, 1), (3, 1), None]


def test_automatic_death() -> None:
    assert data.BLASTS["claymore"].kills(5)
    assert not data.BLASTS["claymore"].kills(5.1)
    assert not data.BLASTS["m67"].kills(0)


ARMY = [(2, 3, 4), (3, 4, 6), (4, 5, 8), (5, 6, 10), (6, 7, 10), (7, 8, 10)]
ELITE = [(2, 3, 4), (3, 5, 8), (4, 7, 12), (5, 9, 16), (6, 10, 16), (7, 11, 16)]


@pytest.mark.parametrize("quarters", range(1, 7))
def test_zones_of_c4(quarters: int) -> None:
    assert data.C4.zones("army", quarters) == Zones(*ARMY[quarters - 1])
    assert data.C4.zones("elite", quarters) == Zones(*ELITE[quarters - 1])
    assert data.C4.sdpr(quarters) == (7, 9, 11, 13, 15, 17)[quarters - 1]


def test_the_printed_chart_of_c4_wounds_often_to_the_end() -> None:
    assert [data.C4.zones("army", quarters, chart=True).multi for quarters in range(1, 7)] == [4, 6, 8, 10, 10, 10]
    assert data.C4.zones("elite", 2, chart=True) == data.C4.zones("elite", 2)


def test_the_kill_zone_never_leaves_the_blast() -> None:
    assert data.C4.zones("army", 40) == Zones(10, 10, 10)


# Rows of the table aids: difficulty, points, bands, DPR, ARM, soft, hard, modes, magazine, reload, close quarters, flash, hands.
PRINTED = {
    "m16a2": "3 10 12:0 24:-1 300:-2 4 -1 7/2 SA3x1(0) BU4x3(2) 30/2 1/2/3 yes 2",
    "m249": "5 20 15:0 30:-1 330:-2 4 -1 7/3 BU4x3(2) FA6x10(1) 200/4 -1/2/4 yes 2",
    "m60e3": "5 25 18:0 36:-1 600:-2 6 -3 9/4 BU4x3(2) FA6x8(1) 100/4 -1/3/4 yes 2",
    "ak47": "1 5 10:0 20:-1 165:-3 5 -2 8/3 SA3x1(0) FA5x5(1) 30/2 1/2/3 no 2",
    "rpd46": "4 15 15:0 30:-1 330:-2 5 -2 8/3 BU4x3(2) FA6x8(1) 100/4 -1/2/4 no 2",
    "sniper_rifle": "5 25 12:-1 36:1 437:0 6 -3 9/4 SS4x1(2) 5/3 0/2/4 no 2",
    "handgun": "2 3 5:0 10:-2 27:-4 3 1 5/1 SA2x1(4) 15/1 0/1/3 no 1",
}


def printed(weapon: Weapon) -> str:
    bands = " ".join(f"{far}:{mod}" for far, mod in weapon.bands)
    modes = " ".join(f"{name}{mode.ap}x{mode.dice}({mode.limit})" for name, mode in weapon.modes.items())
    assert weapon.cq is not None
    cq = f"{weapon.cq.bonus}/{weapon.cq.dpr}/{weapon.cq.ap}"
    return (
        f"{weapon.difficulty} {weapon.points} {bands} {weapon.dpr} {weapon.arm} {weapon.soft}/{weapon.hard} {modes}"
        f" {weapon.magazine}/{weapon.reload_ap} {cq} {'yes' if weapon.flash_suppressor else 'no'} {weapon.hands}"
    )


@pytest.mark.parametrize("id_", PRINTED)
def test_the_weapons_chart_as_printed(id_: str) -> None:
    assert printed(data.WEAPONS[id_]) == PRINTED[id_]


def test_the_shotgun_as_printed() -> None:
    gun = data.WEAPONS["shotgun"]
    assert (gun.ring_dpr, gun.ring_arm, gun.bands) == ((6, 4, 2), (0, 1, 2), ((4, 1), (8, 0), (12, -2)))


def test_melee_as_printed() -> None:
    rows = {id_: (weapon.bonus, weapon.dpr, weapon.ap, weapon.blunt) for id_, weapon in data.MELEE.items()}
    assert rows["unarmed"] == (0, 0, 2, False)
    assert rows["bayonet_fixed"] == ("weapon", 4, 3, False)
    assert rows["chair"] == (0, 1, 4, True)


def test_costs_of_the_quick_reference() -> None:
    costs = data.COSTS
    assert (data.POOL.ap, data.POOL.opfire_cost, data.POOL.opfire_ap) == (10, 10, 6)
    assert (costs.walk_per_inch, costs.run.ap, costs.run.inches, costs.crawl_per_inch, costs.prone, costs.stand) == (
        1,
        3,
        5,
        2,
        0,
        3,
    )
    assert (costs.jump_1, costs.jump_2.total, costs.pick_up, costs.throw_grenade, costs.trigger) == (2, 7, 1, 3, 1)
    assert (costs.bandage, costs.pick_up_wounded, costs.fix_bayonet, costs.bind, costs.unarmed_attack) == (5, 5, 2, 2, 2)


def doctored(tmp_path: Path, file: str, before: str, after: str) -> Path:
    folder = tmp_path / "data"
    shutil.copytree(data.FOLDER, folder)
    text = (folder / file).read_text()
    assert before in text
    (folder / file).write_text(text.replace(before, after, 1))
    return folder


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("[[12, 0], [24, -1], [300, -2]]", "[[12, 0], [12, -1], [300, -2]]", "weapon m16a2: bands end at 12, 12, 300: 12 is not"),
        ("[[12, 0], [24, -1], [300, -2]]", "[]", "weapon m16a2: there are no bands"),
        ("hands = 2", "hand = 2", "weapon m16a2: Object contains unknown field `hand`"),
        ('id = "m4"', 'id = "m16a2"', "weapon m16a2: there are two"),
        ("modes = { SA", "modes = { XX", "weapon m16a2: no such fire mode: XX"),
        ("[20, 0], [40, -1]", "[8, 0], [40, -1]", "weapon m203: bands end at 8, 40, 190: 8 is not beyond 8"),
        ("ring_arm = [0, 1, 2]", "ring_arm = [0, 1]", "weapon shotgun: a template needs"),
    ],
)
def test_a_doctored_weapon_is_refused(tmp_path: Path, before: str, after: str, said: str) -> None:
    folder = doctored(tmp_path, "weapons.toml", before, after)
    with pytest.raises(WardogsError, match=re.escape(f"weapons.toml, {said}")):
        data.load_list("weapons.toml", "weapon", Weapon, folder)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("[2, 4, 1], [3, 3, 1]", "[1, 4, 1], [3, 3, 1]", "blast m67: rings end at 1, 1, 3: 1 is not beyond 1"),
        ("[2, 4, 1], [3, 3, 1]", "[2, 4, 1]", "blast m67: the rings end at 2, the blast number is 3"),
        ("[2, 4, 1], [3, 3, 1]", "[2, 4, 1, 9], [3, 3, 1]", "blast m67: Expected `array` of"),
    ],
)
def test_a_doctored_blast_is_refused(tmp_path: Path, before: str, after: str, said: str) -> None:
    folder = doctored(tmp_path, "blasts.toml", before, after)
    with pytest.raises(WardogsError, match=re.escape(f"blasts.toml, {said}")):
        data.load_list("blasts.toml", "blast", Blast, folder)


def test_a_gap_in_the_charges_is_refused(tmp_path: Path) -> None:
    folder = doctored(tmp_path, "blasts.toml", ", [5, 6, 10]]\nmulti", "]\nmulti")
    with pytest.raises(WardogsError, match=r"blasts\.toml, \[c4\]: the chart of multiple wounds has a gap"):
        data.load("blasts.toml", "c4", Demolition, folder)


def test_a_gap_in_the_locations_is_refused(tmp_path: Path) -> None:
    folder = doctored(tmp_path, "charts.toml", '7 = "right_leg"\n', "")
    with pytest.raises(WardogsError, match="the faces are 1, 2, 3, 4, 5, 6, 8, 9, 10, not 1 to 10"):
        data.load_locations("charts.toml", folder)


def test_facts() -> None:
    assert fact("weapons.m16a2.dpr") == 4
    assert fact("wound.chest.0.hp") == 4
    assert fact("c4.army.2.kill") == 3
    assert fact("ring.m67.2,5.dpr") == 3
    with pytest.raises(WardogsError, match="did you mean m16a2"):
        fact("weapons.m16a.dpr")
    with pytest.raises(WardogsError, match="did you mean weapons"):
        fact("weapon.m16a2")
