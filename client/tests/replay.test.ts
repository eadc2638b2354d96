import { describe, expect, it } from "vitest";
import { about, beside, heading, lastTold, read, steps, story, turnAt, turns, type Played } from "../src/lib/replay";
import type { Told } from "../src/lib/shapes";

const told = (text: string): Told => ({ rule: "", fact: "said", data: {}, text });
const BOARD = { title: "Set-up", tokens: [{ id: 1, at: [1, 1] }, { id: 2, at: [9, 9] }], marks: ["<g/>"] };

/** A short game: somebody goes east, takes it back and goes north; then a new turn. */
const GAME = [
  { n: 0, kind: "header", edits: [[[], BOARD]] },
  { n: 1, kind: "begin", reports: [told("--- Turn 1 ---"), told("It begins.")], edits: [[["title"], "Turn 1"]] },
  { n: 2, kind: "choice", seat: 1, reports: [told("One goes east.")], edits: [[["tokens", 0, "at"], [5, 1]]] },
  { n: 3, kind: "undo", seat: 1, undone: [2], edits: [[["tokens", 0, "at"], [1, 1]]] },
  { n: 4, kind: "choice", seat: 1, reports: [told("One goes north.")], edits: [[["tokens", 0, "at"], [1, 5]]] },
  { n: 5, kind: "choice", seat: 2 },
  { n: 6, kind: "choice", seat: 2, reports: [told("Two waits."), told("--- Turn 2 ---"), told("The wind turns.")], edits: [[["title"], "Turn 2"]] },
  { n: 7, kind: "end", outcome: { winner: "Two" } },
] as unknown as Played[];

const all = steps(GAME);
const where = (at: number) => all[at]!.board!.tokens.map((token) => token.at);

describe("boards", () => {
  it("are read from lines", () => {
    expect(read(`${GAME.map((entry) => JSON.stringify(entry)).join("\n")}\n`)).toEqual(GAME);
  });

  it("stand as they stood after each entry, whichever way one goes", () => {
    const forwards = all.map((_, at) => where(at)[0]);
    expect(forwards).toEqual([[1, 1], [1, 1], [5, 1], [1, 1], [1, 5], [1, 5], [1, 5], [1, 5]]);
    const back = all.map((_, at) => where(all.length - 1 - at)[0]);
    expect(back).toEqual(forwards.toReversed());
    expect(all.map((step) => step.board!.title)).toEqual(["Set-up", "Turn 1", "Turn 1", "Turn 1", "Turn 1", "Turn 1", "Turn 2", "Turn 2"]);
  });

  it("share what has not changed", () => {
    expect(all[4]!.board!.marks).toBe(all[0]!.board!.marks);
    expect(all[4]!.board!.tokens[1]).toBe(all[0]!.board!.tokens[1]);
    expect(all[5]!.board).toBe(all[4]!.board);
    expect(all[4]!.board!.tokens[0]).not.toBe(all[3]!.board!.tokens[0]);
  });

  it("are missing where only words are left", () => {
    const words = steps([GAME[0]!, { ...GAME[1]!, edits: [], words_only: true }, { ...GAME[2]!, edits: [], words_only: true }]);
    expect(words.map((step) => step.board === null)).toEqual([false, true, true]);
    expect(steps([])).toEqual([]);
  });
});

describe("steps", () => {
  it("go past what shows nothing, both ways", () => {
    expect(beside(all, 4, 1)).toBe(6);
    expect(beside(all, 6, -1)).toBe(4);
    expect(beside(all, 0, -1)).toBe(0);
  });

  it("reach both ends", () => {
    expect(beside(all, 6, 1)).toBe(7);
    expect(beside(all, 7, 1)).toBe(7);
    expect(beside(all, 1, -1)).toBe(0);
  });

  it("stop at what was taken back, but a showing does not", () => {
    expect(all.filter((step) => step.undone).map((step) => step.entry.n)).toEqual([2]);
    expect(beside(all, 1, 1)).toBe(2);
    expect(beside(all, 1, 1, true)).toBe(3);
    expect(beside(all, 3, -1, true)).toBe(1);
  });

  it("end a showing with the last thing that is to be seen", () => {
    expect(beside(all, 6, 1, true)).toBe(6);
  });

  it("know what was told last", () => {
    expect(lastTold(all, 5)!.n).toBe(4);
    expect(lastTold(all, 0)).toBeNull();
  });
});

describe("turns", () => {
  it("begin where a report says so", () => {
    expect(heading(told("--- Turn 2 ---"))).toBe("Turn 2");
    expect(heading(told("One - or two."))).toBe("");
    expect(turns(all)).toEqual([{ title: "", from: 0 }, { title: "Turn 1", from: 1 }, { title: "Turn 2", from: 6 }]);
    expect([0, 1, 5, 6, 7].map((at) => turnAt(turns(all), at))).toEqual([0, 1, 1, 2, 2]);
  });
});

describe("a story", () => {
  const texts = (from: readonly Played[]) => story(steps(from)).map(({ title, paragraphs }) => [title, paragraphs.map((lines) => lines.map((line) => line.text))]);

  it("is told by turns, a paragraph for each that acts, without what was taken back", () => {
    expect(texts(GAME)).toEqual([
      ["", []],
      ["Turn 1", [["It begins."], ["One goes north."], ["Two waits."]]],
      ["Turn 2", [["The wind turns."]]],
    ]);
  });

  it("breaks long paragraphs", () => {
    const long = Array.from({ length: 20 }, (_, n) => ({ n, kind: "choice", seat: 1, reports: [told(`${n}.`)] }));
    expect(story(steps(long))[0]!.paragraphs.map((lines) => lines.length)).toEqual([9, 9, 2]);
  });
});

describe("the log about a step", () => {
  const many = steps(Array.from({ length: 1000 }, (_, n) => ({ n, kind: "choice", seat: 1, reports: [told("a"), told("b")] })));

  it("holds the step, and no more lines than asked for", () => {
    for (const at of [0, 1, 39, 40, 500, 998, 999]) {
      const some = about(many, at, 300);
      expect(some.some((entry) => entry.n === at)).toBe(true);
      expect(some.flatMap((entry) => entry.reports ?? []).length).toBeLessThanOrEqual(300);
      expect(some.length).toBeGreaterThan(130);
    }
  });

  it("stays while one moves about in it, and is all of a short game", () => {
    expect(about(many, 81, 300)).toEqual(about(many, 119, 300));
    expect(about(all, 3, 300)).toEqual(GAME);
  });
});
