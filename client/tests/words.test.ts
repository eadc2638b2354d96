// The same words on both sides of the wire: words.json holds what the server's phrasebook makes of these templates.

import { describe, expect, it } from "vitest";
import { listed, place, sentence, Words } from "../src/lib/words";
import told from "./words.json";

const words = new Words(told.templates as never, told.names);

describe("templates", () => {
  it.each(told.fills)("$template of $data", ({ template, data, said }) => {
    expect(words.fill(template, data)).toBe(said);
  });

  it.each(told.choices)("$choice", ({ choice, said }) => {
    expect(words.choice(choice)).toBe(said);
  });

  it("refuses a hole that is not closed", () => {
    expect(() => words.fill("{a", {})).toThrow("a hole is not closed");
  });

  it("takes a template apart once, and fills it again with other data", () => {
    expect([1, 2].map((a) => words.fill("{a:seat}!", { a }))).toEqual(["Ada!", "Bo!"]);
  });
});

describe("an action before its fields are known", () => {
  it("leaves out what is not known yet, and the words that lead to it", () => {
    expect(words.verb("point")).toBe("point");
    expect(words.verb("throw")).toBe("throw");
    expect(words.verb("rest")).toBe("rest");
  });

  it("has a name of its own where the templates give one", () => {
    const named = new Words({ ...told.templates, verbs: { throw: "throw something" } } as never, {});
    expect(named.verb("throw")).toBe("throw something");
  });

  it("is called by its bare name where there is no template", () => {
    expect(words.verb("look_round")).toBe("look round");
  });

  it("says who, when that is known", () => {
    expect(words.verb("walk", { verb: "walk", who: "R1" })).toBe("R1 walks");
  });
});

describe("one value", () => {
  it("is said as the sentence of its verb says it", () => {
    expect(words.value("throw", "what", "rope")).toBe("a rope");
    expect(words.value("point", "target", 3)).toBe("Cy");
    expect(words.value("walk", "to", [3, 4, 0])).toBe("3, 4");
    expect(words.value("throw", "at", "R2")).toBe("R2");
  });

  it("is plain where the sentence has no words for it", () => {
    expect(words.value("play", "way", null)).toBe("nothing");
    expect(words.value("look_round", "towards", 90)).toBe("90");
    expect(words.value("rest", "hand", "left_hand")).toBe("left hand");
  });

  it("leaves yes and no to the client's own language", () => {
    expect(words.value("swap", "swap", true)).toBe("");
  });

  it("has a note where the templates have one", () => {
    expect(words.note("play", "card", "A")).toBe("beats all");
    expect(words.note("play", "card", "K")).toBe("");
    expect(words.note("play", "number", 1)).toBe("");
    expect(words.note("rest", "card", "A")).toBe("");
  });
});

describe("small words", () => {
  it("fields are called as the templates call them, else by their names", () => {
    expect(words.field("at_rest")).toBe("at rest");
    expect(new Words({ fields: { at: "mark" } }, {}).field("at")).toBe("mark");
  });

  it("places have a height only above the ground", () => {
    expect(place([1, 2, 0.4])).toBe("1, 2");
    expect(place([1, 2, 3])).toBe("1, 2, 3 inches up");
    expect(place(undefined)).toBe("");
  });

  it("lists end with and; sentences begin large", () => {
    expect(["", "a", "a b", "a b c"].map((some) => listed(some.split(" ").filter(Boolean)))).toEqual(["", "a", "a and b", "a, b and c"]);
    expect(sentence("go on")).toBe("Go on");
    expect(sentence("")).toBe("");
  });
});
