// All words of the client are in messages/*.json. English is built in, others are fetched when wanted.

import en from "../messages/en.json";
import { settings } from "./settings.svelte";

export type Key = keyof typeof en;
type Messages = Partial<Record<Key, string>>;

export const LANGUAGES: Record<string, string> = { en: "English", de: "Deutsch" };
const others: Record<string, () => Promise<{ default: Messages }>> = { de: () => import("../messages/de.json") };

let spoken: Messages = $state.raw(en);

/** A message with its holes filled: {name}. */
export function t(key: Key, data: Record<string, string | number> = {}): string {
  const template = spoken[key] ?? en[key] ?? key;
  return template.replace(/\{(\w+)\}/g, (hole, name: string) => (name in data ? String(data[name]) : hole));
}

export async function speak(language: string): Promise<void> {
  const fetched = others[language];
  spoken = fetched ? (await fetched()).default : en;
  document.documentElement.lang = fetched ? language : "en";
}

/** The language that was chosen, else the browser's, if it is one of ours. */
export function preferred(): string {
  const wanted = settings.language || navigator.language.slice(0, 2);
  return wanted in LANGUAGES ? wanted : "en";
}
