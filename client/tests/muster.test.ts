import { describe, expect, it } from "vitest";
import type { Flaw, Hire, Man, Ware } from "../src/lib/api";
import { armed, asHave, changed, columns, dismissed, given, grouped, havesOf, hired, HIS_OWN, namesIn, outline, placeOf, plain, saidOf, setOf, unshown, without, type Team } from "../src/lib/muster";

const named = (id: string) => ({ id, name: `a ${id}` });
const boss: Man = { role: "boss", title: "Boss", sets: [[named("bow"), named("club")]] };
const hand: Man = { role: "hand", title: "Hand", sets: [[named("pike")], [named("axe"), named("club")]] };
const cook: Man = { role: "cook", title: "Hand", sets: [] };
const men = [boss, hand, cook];
const ware = (kind: string, id: string, points = 5): Ware => ({ kind, ...named(id), points, rule: "R-1" });
const list: Hire = {
  id: "pikes", name: "Pikes", group: "North", points: 90, reconstructed: false, men,
  wares: [ware("weapon", "axe"), ware("item", "rope"), { ...ware("perk", "brave"), once: true }],
};
const team: Team = { list: "pikes" };
const rope = asHave(list.wares[1]!);

describe("a force", () => {
  it("takes on teams, changes and dismisses them, and leaves the old one as it was", () => {
    const none = { name: "Mine" };
    const two = hired(hired(none, team), { list: "axes" });
    expect(two.teams).toEqual([team, { list: "axes" }]);
    expect(changed(two, 1, { list: "axes", name: "second" }).teams?.[1]).toEqual({ list: "axes", name: "second" });
    expect(dismissed(two, 0)).toEqual({ name: "Mine", teams: [{ list: "axes" }] });
    expect(none).toEqual({ name: "Mine" });
  });

  it("is hired by groups, in the order of the catalogue", () => {
    const lists = ["North", "South", "North"].map((group, k) => ({ ...list, id: String(k), group }));
    expect(grouped(lists).map(([group, hires]) => [group, hires.map(({ id }) => id)])).toEqual([["North", ["0", "2"]], ["South", ["1"]]]);
  });

  it("has names for all that it may have", () => {
    const names = namesIn({ system: "", title: "", points: 0, lists: [list] });
    expect(["pikes", "pike", "rope", "brave"].map((id) => names.get(id))).toEqual(["Pikes", "a pike", "a rope", "a brave"]);
  });
});

describe("a set of weapons", () => {
  it("is the first unless said", () => {
    expect([boss, hand, cook].map((man) => setOf(team, man))).toEqual([0, 0, HIS_OWN]);
    expect(setOf({ ...team, weapons: { hand: ["axe", "club"] } }, hand)).toBe(1);
    expect(setOf({ ...team, weapons: { hand: ["axe"] } }, hand)).toBe(HIS_OWN);
  });

  it("may be named by its first weapon under the role itself", () => {
    expect(setOf({ ...team, hand: "axe" }, hand)).toBe(1);
    expect(setOf({ ...team, hand: "bow" }, hand)).toBe(HIS_OWN);
    expect(havesOf({ ...team, hand: "bow" }, hand)).toEqual([{ field: "item", id: "bow", calibre: "", n: 1 }]);
    expect(armed({ ...team, hand: "axe" }, men, hand, 0)).toEqual(team);
  });

  it("is changed, handed back and taken again", () => {
    const other = armed(team, men, hand, 1);
    expect(other).toEqual({ list: "pikes", weapons: { hand: ["axe", "club"] } });
    expect(armed(other, men, hand, HIS_OWN)).toEqual({ list: "pikes", weapons: { hand: [] } });
    expect(armed(other, men, hand, 0)).toEqual(team);
  });
});

describe("what is bought", () => {
  it("is counted, and given up", () => {
    const three = given(team, men, hand, { ...rope, n: 3 });
    expect(three).toEqual({ list: "pikes", buy: [{ role: "hand", item: "rope", n: 3 }] });
    expect(given(three, men, hand, { ...rope, n: 1 })).toEqual({ list: "pikes", buy: [{ role: "hand", item: "rope" }] });
    expect(given(three, men, hand, { ...rope, n: 0 })).toEqual(team);
  });

  it("keeps items, perks and calibres apart", () => {
    let now = given(team, men, boss, asHave(list.wares[2]!));
    now = given(now, men, boss, { ...rope, calibre: "thin" });
    now = given(now, men, boss, rope);
    expect(now.buy).toEqual([{ role: "boss", perk: "brave" }, { role: "boss", item: "rope", calibre: "thin" }, { role: "boss", item: "rope" }]);
  });

  it("is the same however the roster writes it", () => {
    const written: Team = { list: "pikes", name: "guards", weapons: { boss: ["bow"], cook: ["axe", "axe"] }, all: ["rope"], buy: [{ role: "hand", item: "rope" }], flag: ["hand"] };
    const one = plain(written, men);
    expect(one).toEqual({
      list: "pikes", name: "guards", flag: ["hand"], weapons: { boss: [] },
      buy: [
        { role: "boss", item: "bow" }, { role: "boss", item: "rope" }, { role: "hand", item: "rope", n: 2 },
        { role: "cook", item: "axe", n: 2 }, { role: "cook", item: "rope" },
      ],
    });
    expect(plain(one, men)).toEqual(one);
    for (const man of men) expect(havesOf(one, man)).toEqual(havesOf(written, man));
  });

  it("leaves alone what no form shows, until it is taken away", () => {
    const more: Team = { ...team, flag: ["hand", "cook"], hand: "axe" };
    expect(unshown(more, men)).toEqual([["flag", "hand, cook"]]);
    expect(without(more, "flag")).toEqual({ list: "pikes", hand: "axe" });
  });
});

describe("what is wrong", () => {
  const flaw = (data: Record<string, unknown>, text = ""): Flaw => ({ rule: "R-1", fact: "odd", data, text });
  const roster = { teams: [{ list: "axes" }, team] };
  const at = (data: Record<string, unknown>) => placeOf(flaw(data), roster, [list]);

  it("stands beside the man it is about, if one alone has that title", () => {
    expect(at({ team: "team 2 (Pikes)", role: "Boss" })).toEqual({ team: 1, role: "boss" });
    expect(at({ team: "team 2 (Pikes)", role: "Hand" })).toEqual({ team: 1, role: null });
    expect(at({ team: "team 2 (Pikes)" })).toEqual({ team: 1, role: null });
    expect(at({ team: "team 7 (Pikes)" })).toEqual({ team: null, role: null });
    expect(at({ cost: 3 })).toEqual({ team: null, role: null });
  });

  it("is said without its rule, and without the names of whom it stands beside", () => {
    const said = flaw({ team: "team 2 (Pikes)", role: "Boss" }, "team 2 (Pikes), Boss: no rope here [R-1]");
    expect(saidOf(said)).toBe("team 2 (Pikes), Boss: no rope here");
    expect(saidOf(said, { team: 1 })).toBe("Boss: no rope here");
    expect(saidOf(said, { team: 1, role: "boss" })).toBe("no rope here");
  });
});

it("a sheet is read by how far its lines stand in", () => {
  expect(outline("Pikes\n  Boss: 3\n    gear     a rope\n  Hand: 4\n\nAxes\n")).toEqual([
    { text: "Pikes", under: [{ text: "Boss: 3", under: [{ text: "gear     a rope", under: [] }] }, { text: "Hand: 4", under: [] }] },
    { text: "Axes", under: [] },
  ]);
  expect(outline("")).toEqual([]);
  expect(columns("gear     a rope")).toEqual(["gear", "a rope"]);
  expect(columns("a rope")).toEqual(["", "a rope"]);
});
