// The rules of a system, for reading: chapters, search, and links from rule to rule.

import type { RuleFacts } from "./api";

export interface Chapter {
  id: string; // what its rules' ids begin with
  code: string;
  about: string; // its first rules, for want of a title
  rules: RuleFacts[];
}

export interface Piece {
  text: string;
  kind: "plain" | "rule" | "code";
}

/** In the order of the book; an id is the book, the chapter and a number. */
export function chapters(rules: readonly RuleFacts[]): Chapter[] {
  const found = new Map<string, Chapter>();
  for (const rule of rules) {
    const id = chapterOf(rule.id);
    const chapter = found.get(id) ?? { id, code: id.slice(id.indexOf("-") + 1), about: "", rules: [] };
    chapter.rules.push(rule);
    found.set(id, chapter);
  }
  return [...found.values()].map((chapter) => ({ ...chapter, about: firstNames(chapter.rules) }));
}

const firstNames = (rules: readonly RuleFacts[], most = 3): string =>
  rules.slice(0, most).map((rule) => rule.name).join(", ") + (rules.length > most ? " …" : "");

const chapterOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));

/** What a search looks through, once for each book. */
export function haystacks(rules: readonly RuleFacts[]): Map<string, string> {
  return new Map(rules.map((rule) => [rule.id, [rule.id, rule.name, rule.text, rule.ruling, ...rule.options].join(" ").toLowerCase()]));
}

export const wordsOf = (wanted: string): string[] => wanted.toLowerCase().split(/\s+/).filter(Boolean);

/** Every word must be somewhere in the rule. */
export function matches(haystack: string, words: readonly string[]): boolean {
  return words.every((word) => haystack.includes(word));
}

const MARKED = /(`[^`]+`|\b[A-Z]{2,5}-[A-Z]{2,5}-\d{2,3}\b)/;

/** Ids of other rules and names of house rules, apart from the words around them. */
export function pieces(text: string, isRule: (id: string) => boolean): Piece[] {
  return text
    .split(MARKED)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("`") && part.endsWith("`") && part.length > 2) return { text: part.slice(1, -1), kind: "code" };
      return { text: part, kind: MARKED.test(part) && isRule(part) ? "rule" : "plain" };
    });
}

/** Where words that were looked for stand in a text: from, to. A single letter is everywhere, and so not worth a mark. */
export function places(text: string, words: readonly string[]): [number, number][] {
  const lower = text.toLowerCase();
  const found: [number, number][] = [];
  for (const word of words.filter((one) => one.length > 1)) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + word.length)) found.push([at, at + word.length]);
  }
  return found;
}
