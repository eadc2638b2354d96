import { describe, expect, it } from "vitest";
import { LANGUAGES } from "../src/lib/i18n.svelte";
import de from "../src/messages/de.json";
import en from "../src/messages/en.json";

const others: Record<string, Record<string, string>> = { de };
const holes = (message: string): string[] => [...message.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

describe.each(Object.keys(others))("messages in %s", (language) => {
  const messages = others[language]!;

  it("are the same as in English", () => {
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
  });

  it("have the same holes", () => {
    const different = Object.entries(en).filter(([key, message]) => holes(message).join() !== holes(messages[key] ?? "").join());
    expect(different.map(([key]) => key)).toEqual([]);
  });

  it("are none of them empty", () => {
    expect(Object.keys(messages).filter((key) => !messages[key]!.trim())).toEqual([]);
  });
});

it("every language that can be chosen has its messages", () => {
  expect(Object.keys(LANGUAGES).sort()).toEqual(["en", ...Object.keys(others)].sort());
});
