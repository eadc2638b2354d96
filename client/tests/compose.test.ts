import { describe, expect, it } from "vitest";
import { acts, admits, asked, choices, fields, fitting, isListed, isOfTokens, obvious, same, size, usual, whole } from "../src/lib/compose";
import type { Domain, Offer } from "../src/lib/shapes";

const one = (...among: unknown[]): Domain => ({ type: "one", among });
const flag: Domain = { type: "flag" };
const spot: Domain = { type: "spot", what: "ground" };
const turn: Domain = { type: "number", low: 0, high: 350, step: 10, unit: "degrees" };
const some = (least: number, most: number, ...among: unknown[]): Domain => ({ type: "several", among, least, most, what: "" });
const offer = (verb: string, fields: Record<string, Domain> = {}, more: Partial<Offer> = {}): Offer => ({ verb, rule: "X-1", fields, ...more });

const TOKENS = new Set<unknown>(["A", "B", "C"]);
const named = (field: string, values: readonly unknown[]): boolean => field === "target" && values.some((value) => TOKENS.has(value));
const nothing = new Set<string>();

// two ways to shoot: the second weapon reaches only one target, and takes time
const shooting = [
  offer("shoot", { model: one("A"), weapon: one("rifle"), target: one("B", "C"), mode: one("single", "burst") }, { cost: { ap: 2 } }),
  offer("shoot", { model: one("A"), weapon: one("mortar"), target: one("C"), delay: one(1, 2) }, { cost: { ap: 4 } }),
  offer("rest"),
];

describe("what a field takes", () => {
  it.each<[string, Domain, unknown[], unknown[]]>([
    ["one of a list", one(1, "x", [1, 2], null), [1, "x", [1, 2], null], ["1", 2, [2, 1], undefined]],
    ["a flag", flag, [true, false], [0, 1, "true", null]],
    ["a number in steps", turn, [0, 10, 350], [5, 360, -10, "10"]],
    ["several of a list", some(1, 2, "a", "b", "c"), [["a"], ["b", "a"], []], ["a", ["d"], [["a"]]]],
    ["a spot", spot, [[1, 2, 0]], [1, "here", null]],
  ])("%s", (_, domain, good, bad) => {
    for (const value of good) expect(admits(domain, value), JSON.stringify(value)).toBe(true);
    for (const value of bad) expect(admits(domain, value), JSON.stringify(value)).toBe(false);
  });

  it("tells figures from their names, and lists by what they hold", () => {
    expect(same(1, "1")).toBe(false);
    expect(same([1, ["a"]], [1, ["a"]])).toBe(true);
    expect(same(null, undefined)).toBe(false);
  });
});

describe("what is asked for", () => {
  // one card of three needs a way
  const cards = [offer("play", { figure: one(1, 2), card: one("x", "y") }), offer("play", { figure: one(1, 2), card: one("z"), way: one("left", "right") })];
  const shown = (values: Record<string, unknown>) => Object.fromEntries(asked(cards, "play", values).map((field) => [field.name, field.values]));

  it("is at first what every way needs", () => {
    expect(shown({})).toEqual({ figure: [1, 2], card: ["x", "y", "z"] });
    expect(shown({ figure: 1 })).toEqual({ figure: [1, 2], card: ["x", "y", "z"] });
  });

  it("is then what this way needs too", () => {
    expect(shown({ figure: 1, card: "x" })).toEqual({ figure: [1, 2], card: ["x", "y", "z"] });
    expect(shown({ card: "z" })).toEqual({ figure: [1, 2], card: ["x", "y", "z"], way: ["left", "right"] });
  });

  it("can be changed although it has come with something", () => {
    expect(shown({ figure: 1, card: "z", way: "left" })).toEqual({ figure: [1, 2], card: ["x", "y", "z"], way: ["left", "right"] });
  });
});

describe("alternatives", () => {
  it("fall away with what is picked", () => {
    expect(fitting(shooting, "shoot", {})).toHaveLength(2);
    expect(fitting(shooting, "shoot", { target: "B" })).toEqual([shooting[0]]);
    expect(fitting(shooting, "shoot", { delay: 1 })).toEqual([shooting[1]]);
    expect(fitting(shooting, "shoot", { target: "B", delay: 1 })).toEqual([]);
    expect(fitting(shooting, "shoot", { tea: true })).toEqual([]);
  });

  it("show each field with what it may be while the others stay", () => {
    const found = Object.fromEntries(fields(shooting, "shoot", { target: "B" }).map((field) => [field.name, field.values]));
    expect(found).toEqual({ model: ["A"], weapon: ["rifle"], target: ["B", "C"], mode: ["single", "burst"] });
    const mortar = Object.fromEntries(fields(shooting, "shoot", { weapon: "mortar" }).map((field) => [field.name, field.values]));
    expect(mortar).toEqual({ model: ["A"], weapon: ["rifle", "mortar"], target: ["C"], delay: [1, 2] });
  });

  it("are each named once, in the order of the offers", () => {
    const [target] = fields([offer("go", { to: one(3, 1) }), offer("go", { to: one(1, 2) })], "go", {});
    expect(target!.values).toEqual([3, 1, 2]);
  });
});

describe("a whole choice", () => {
  it("has every field of one offer, and no other", () => {
    const values = { model: "A", weapon: "rifle", target: "B", mode: "single" };
    expect(whole(shooting, "shoot", values)).toEqual({ verb: "shoot", ...values });
    expect(whole(shooting, "shoot", { ...values, delay: 1 })).toBeNull();
    expect(whole(shooting, "shoot", { model: "A", weapon: "rifle", target: "B" })).toBeNull();
    expect(whole(shooting, "rest", {})).toEqual({ verb: "rest" });
    expect(whole(shooting, "dance", {})).toBeNull();
  });

  it("takes as many of several as it must, and no more than it may", () => {
    const offers = [offer("order", { who: some(1, 2, "a", "b", "c") })];
    const sizes = [[], ["a"], ["a", "b"], ["a", "b", "c"]].map((who) => whole(offers, "order", { who }) !== null);
    expect(sizes).toEqual([false, true, true, false]);
  });

  it("may be whole with none of several where none is enough", () => {
    expect(whole([offer("order", { who: some(0, 1, "a") })], "order", { who: [] })).toEqual({ verb: "order", who: [] });
  });
});

describe("what is obvious", () => {
  it("is filled in, step by step", () => {
    expect(obvious(shooting, "shoot", {})).toEqual({ model: "A" });
    expect(obvious(shooting, "shoot", { target: "B" })).toEqual({ model: "A", target: "B", weapon: "rifle" });
    expect(obvious(shooting, "shoot", { delay: 2 })).toEqual({ model: "A", delay: 2, weapon: "mortar", target: "C" });
  });

  it("leaves flags, figures and several to whoever chooses", () => {
    const offers = [offer("odd", { yes: flag, many: { type: "number", low: 1, high: 1, step: 1, unit: "" }, who: some(1, 1, "a") })];
    expect(obvious(offers, "odd", {})).toEqual({});
  });

  it("is not what only one of the alternatives has", () => {
    const offers = [offer("go", { to: one("x") }), offer("go", { to: one("x"), fast: one("yes") })];
    expect(obvious(offers, "go", {})).toEqual({ to: "x" });
  });
});

describe("what is usual", () => {
  it("waits until what stands on the table is picked", () => {
    expect(usual(shooting, "shoot", {}, named, nothing)).toEqual({ model: "A" });
  });

  it("then begins with the first of the rest", () => {
    expect(usual(shooting, "shoot", { target: "B" }, named, nothing)).toEqual({ model: "A", target: "B", weapon: "rifle", mode: "single" });
  });

  it("leaves open what a person has taken away", () => {
    expect(usual(shooting, "shoot", { target: "B" }, named, new Set(["mode"]))).toEqual({ model: "A", target: "B", weapon: "rifle" });
  });

  it("is nothing where nothing stands on the table", () => {
    expect(usual([offer("play", { card: one("x", "y"), way: one("left", "right") })], "play", {}, named, nothing)).toEqual({});
  });

  it("waits for a spot, too", () => {
    const offers = [offer("walk", { to: spot, gait: one("walk", "run") })];
    expect(usual(offers, "walk", {}, named, nothing)).toEqual({});
    expect(usual(offers, "walk", { to: [1, 2, 0] }, named, nothing)).toEqual({ to: [1, 2, 0], gait: "walk" });
  });

  it("knows fields of tokens by their names and what they hold", () => {
    const [target] = fields(shooting, "shoot", {}).filter((field) => field.name === "target");
    expect(isOfTokens(target!, named)).toBe(true);
    expect(isOfTokens({ ...target!, name: "delay" }, named)).toBe(false);
    expect(isOfTokens({ ...target!, shape: "flag" }, named)).toBe(false);
  });
});

describe("offers that hold few", () => {
  it("are counted and told one by one", () => {
    const few = offer("swap", { yes: flag, many: { type: "number", low: 1, high: 5, step: 2, unit: "" } });
    expect(size(few)).toBe(6);
    expect(choices(few)).toHaveLength(6);
    expect(choices(few)).toContainEqual({ verb: "swap", yes: true, many: 3 });
    expect(choices(offer("rest"))).toEqual([{ verb: "rest" }]);
  });

  it("are endless with a spot", () => {
    expect(size(offer("walk", { to: spot }))).toBe(Infinity);
  });

  it("are listed if they are few and each leaves one thing open", () => {
    expect(isListed([offer("fire", { target: one(1, 2) }), offer("hold")])).toBe(true);
    expect(isListed([offer("fire", { target: one(...Array.from({ length: 13 }, (_, k) => k)) })])).toBe(false);
    expect(isListed([offer("play", { card: one(1, 2), way: one("left", "right") })])).toBe(false);
    expect(isListed([offer("play", { card: one(1), way: one("left", "right") })])).toBe(true);
    expect(isListed([offer("walk", { to: spot })])).toBe(false);
    expect(isListed([])).toBe(true);
  });
});

describe("actions", () => {
  it("stand in order, each once, with the least they cost", () => {
    expect(acts(shooting).map(({ verb, cost }) => [verb, cost])).toEqual([["shoot", { ap: 2 }], ["rest", {}]]);
  });

  it("are minor only if all of their offers are", () => {
    const [mixed, minor] = acts([offer("wave", {}, { minor: true }), offer("wave"), offer("nod", {}, { minor: true })]);
    expect([mixed!.minor, minor!.minor]).toEqual([false, true]);
  });

  it("say whether one gives up by them", () => {
    expect(acts([offer("quit", {}, { gives_up: true })])[0]!.gives_up).toBe(true);
  });
});
