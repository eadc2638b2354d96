import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { due, remember, remembered, type Step } from "../src/lib/guide";

const step = (when: string): Step => ({ when, say: when, then: "" });
const steps = ["start", "start", "walk", "fell", "walk"].map(step);
const none = new Set<string>();

describe("which step is due", () => {
  it("begins with the start, whatever is asked", () => {
    expect(due(steps, [], "walk", none)).toBe(0);
    expect(due(steps, [0], "walk", none)).toBe(1);
  });

  it("waits for its question, and goes away with it", () => {
    expect(due(steps, [0, 1], "", none)).toBeNull();
    expect(due(steps, [0, 1], "walk", none)).toBe(2);
    expect(due(steps, [0, 1], "rest", none)).toBeNull();
  });

  it("stays when something was told", () => {
    expect(due(steps, [0, 1, 2], "", new Set(["fell"]))).toBe(3);
    expect(due(steps, [0, 1, 2], "walk", new Set(["fell"]))).toBe(3);
    expect(due(steps, [0, 1, 2], "walk", none)).toBe(4);
  });

  it("is none at the end", () => {
    expect(due(steps, [0, 1, 2, 3, 4], "walk", new Set(["fell"]))).toBeNull();
    expect(due([], [], "walk", none)).toBeNull();
  });

  it("a step with something to try waits until that can be done", () => {
    const tries: Step[] = [{ when: "walk", say: "Run.", then: "run" }, step("walk")];
    expect(due(tries, [], "walk", none, ["run"])).toBe(0);
    expect(due(tries, [], "walk", none, ["rest"])).toBe(1);
    expect(due(tries, [], "walk", none)).toBe(0);
  });
});

describe("memory", () => {
  const kept = new Map<string, string>();

  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", { getItem: (at: string) => kept.get(at) ?? null, setItem: (at: string, text: string) => kept.set(at, text) });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("is kept for each system", () => {
    expect(remembered("a")).toEqual({ read: [], enough: false });
    remember("a", { read: [0, 2], enough: false });
    remember("b", { read: [], enough: true });
    expect(remembered("a")).toEqual({ read: [0, 2], enough: false });
    expect(remembered("b")).toEqual({ read: [], enough: true });
  });

  it.each(["{", "null", "3", '{"a": 5}', '{"a": {"read": "x"}}'])("begins anew where it cannot be read: %s", (text) => {
    kept.set("wardogs.guides", text);
    expect(remembered("a")).toEqual({ read: [], enough: false });
  });

  it("does without where nothing is kept", () => {
    vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => { throw new Error("full"); } });
    expect(() => remember("a", { read: [1], enough: false })).not.toThrow();
  });
});
