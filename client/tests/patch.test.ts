import { describe, expect, it } from "vitest";
import { patched, type Edit } from "../src/lib/patch";

const board = () => ({ turn: 1, tokens: [{ id: "a", at: [1, 2] }, { id: "b", at: [3, 4] }], floors: [{ svg: "..." }] });

describe("edits", () => {
  it("set what stands at the end of a path", () => {
    const now = patched(board(), [[["turn"], 2], [["tokens", 0, "at"], [9, 9]], [["tokens", 1, "lost"], true]]);
    expect(now).toEqual({ turn: 2, tokens: [{ id: "a", at: [9, 9] }, { id: "b", at: [3, 4], lost: true }], floors: [{ svg: "..." }] });
  });

  it("replace all with an empty path, and go on from there", () => {
    expect(patched<unknown>(board(), [[[], { turn: 5 }], [["turn"], 6]])).toEqual({ turn: 6 });
  });

  it("add to the end of a list", () => {
    expect(patched({ log: [1, 2] }, [[["log", 2], 3]])).toEqual({ log: [1, 2, 3] });
  });

  it("are taken in order", () => {
    expect(patched({ a: { b: 1 } }, [[["a"], { b: 2, c: 3 }], [["a", "b"], 4]])).toEqual({ a: { b: 4, c: 3 } });
  });

  it("that lead nowhere are an error, not a guess", () => {
    expect(() => patched({ a: 1 }, [[["a", "b"], 1]])).toThrow("an edit leads nowhere");
    expect(() => patched({}, [[["a", "b"], 1]])).toThrow("an edit leads nowhere");
    expect(() => patched(null, [[["a"], 1]] as Edit[])).toThrow("an edit leads nowhere");
  });
});

describe("sharing", () => {
  it("leaves the old as it was", () => {
    const old = board();
    patched(old, [[["tokens", 0, "at", 0], 7]]);
    expect(old).toEqual(board());
  });

  it("keeps what has not changed the very same thing", () => {
    const old = board();
    const now = patched(old, [[["tokens", 0, "at"], [7, 7]]]);
    expect(now).not.toBe(old);
    expect(now.tokens).not.toBe(old.tokens);
    expect(now.tokens[0]).not.toBe(old.tokens[0]);
    expect(now.tokens[1]).toBe(old.tokens[1]);
    expect(now.floors).toBe(old.floors);
  });

  it("without edits is the old itself", () => {
    const old = board();
    expect(patched(old, [])).toBe(old);
  });

  it("does not write into what an edit brought", () => {
    const brought = { b: 1 };
    patched({ a: { b: 0 } }, [[["a"], brought], [["a", "b"], 2]]);
    expect(brought).toEqual({ b: 1 });
  });
});
