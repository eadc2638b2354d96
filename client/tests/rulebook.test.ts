import { describe, expect, it } from "vitest";
import type { RuleFacts } from "../src/lib/api";
import { chapters, haystacks, matches, pieces, places, wordsOf } from "../src/lib/rulebook";

const rule = (id: string, name: string, text = "", options: string[] = []): RuleFacts => ({ id, name, text, source: "", ruling: "", options });
const RULES = [rule("TOY-MOV-01", "Walk", "An inch each."), rule("TOY-MOV-02", "Run", "Two. See TOY-MOV-01.", ["fast_feet"]), rule("TOY-END-01", "The end")];

describe("chapters", () => {
  it("are the middle of the ids, in the order of the book", () => {
    expect(chapters(RULES).map(({ id, code, about, rules }) => [id, code, about, rules.length])).toEqual([
      ["TOY-MOV", "MOV", "Walk, Run", 2],
      ["TOY-END", "END", "The end", 1],
    ]);
  });
});

describe("a search", () => {
  const hay = haystacks(RULES);
  const found = (wanted: string) => RULES.filter(({ id }) => matches(hay.get(id)!, wordsOf(wanted))).map(({ id }) => id);

  it("finds ids, names, texts and house rules, and wants every word", () => {
    expect(found("mov-0")).toEqual(["TOY-MOV-01", "TOY-MOV-02"]);
    expect(found("  RUN ")).toEqual(["TOY-MOV-02"]);
    expect(found("two see")).toEqual(["TOY-MOV-02"]);
    expect(found("fast_feet")).toEqual(["TOY-MOV-02"]);
    expect(found("walk run")).toEqual([]);
    expect(found("")).toHaveLength(3);
  });

  it("knows where the words stand, whatever they are spelt with; letters alone are everywhere", () => {
    expect(places("Walk, walk (2)", ["walk", "(2"])).toEqual([[0, 4], [6, 10], [11, 13]]);
    expect(places("Walk", ["a"])).toEqual([]);
  });
});

describe("links", () => {
  const split = (text: string) => pieces(text, (id) => id.startsWith("TOY")).map(({ text: said, kind }) => `${kind}:${said}`);

  it("are the ids that the book has; short forms stay words", () => {
    expect(split("See TOY-MOV-01, -02 or ABC-MOV-01.")).toEqual(["plain:See ", "rule:TOY-MOV-01", "plain:, -02 or ", "plain:ABC-MOV-01", "plain:."]);
    expect(split("Variant: `fast_feet` (off).")).toEqual(["plain:Variant: ", "code:fast_feet", "plain: (off)."]);
  });
});
