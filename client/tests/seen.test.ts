import { describe, expect, it } from "vitest";
import type { Probe } from "../src/lib/api";
import { clearness, kindsOf, markOf, partsOf } from "../src/lib/seen";

const probe = (part: string, seen: string): Probe => ({ at: [0, 0, 0], part, seen });
const probes = [probe("head", "clear"), probe("head", "hedge"), probe("left_leg", "hedge"), probe("left_leg", "hedge"), probe("base", "hidden")];

describe("marks", () => {
  it("differ in shape and in colour", () => {
    const all = ["clear", "hidden", "hedge", "plank", "brick"].map(markOf);
    expect(new Set(all.map((mark) => mark.path)).size).toBe(5);
    expect(new Set(all.map((mark) => mark.colour)).size).toBe(5);
  });

  it("stay what they were", () => {
    expect(markOf("plank")).toEqual(markOf("plank"));
  });
});

describe("a body", () => {
  it("is told part by part, with the server's own shares", () => {
    const shares: [string, string][] = [["head", "50%"], ["left leg", "0%"], ["base", "0%"]];
    expect(partsOf({ probes, shares })).toEqual([
      { name: "head", share: "50%", counts: [["clear", 1], ["hedge", 1]] },
      { name: "left leg", share: "0%", counts: [["hedge", 2]] },
      { name: "base", share: "0%", counts: [["hidden", 1]] },
    ]);
  });

  it("is told by its points where there are no shares", () => {
    expect(partsOf({ probes, shares: [] }).map(({ name, share }) => [name, share])).toEqual([["head", ""], ["left leg", ""], ["base", ""]]);
  });

  it("shows so much", () => {
    expect(clearness({ probes })).toBe(0.2);
    expect(clearness({ probes: [] })).toBe(0);
  });
});

it("what is clear stands first in the legend, what is hidden last", () => {
  expect(kindsOf([{ probes: [probe("a", "hidden"), probe("a", "hedge")] }, { probes: [probe("a", "clear")] }])).toEqual(["clear", "hedge", "hidden"]);
  expect(kindsOf([])).toEqual([]);
});
