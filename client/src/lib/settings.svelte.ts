// What a person prefers, kept in this browser.

import { onKept, recalled, remember } from "./keeping";

export interface Settings {
  language: string;
  theme: "auto" | "light" | "dark";
  sounds: boolean;
  motion: "auto" | "less";
  confirm: "touch" | "always" | "never";
  name: string;
  person: string; // the key of the sign-in link
}

const AT = "wardogs.settings";
const USUAL: Settings = { language: "", theme: "auto", sounds: false, motion: "auto", confirm: "touch", name: "", person: "" };

const read = (): Settings => ({ ...USUAL, ...(recalled(AT) as Partial<Settings> | null) });

export const settings: Settings = $state(read());
onKept(AT, () => {
  Object.assign(settings, read());
  dress();
});

export function keep(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  remember(AT, settings);
  dress();
}

/** Light or dark, calm or lively: said to the style sheets. */
export function dress(): void {
  const root = document.documentElement;
  root.dataset.theme = settings.theme;
  root.dataset.motion = settings.motion;
}

export function isCalm(): boolean {
  return settings.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export function asksFirst(pointer: string): boolean {
  return settings.confirm === "always" || (settings.confirm === "touch" && pointer !== "mouse");
}

/** Who picks a whole choice by mouse or key, or points at the same thing twice, means it; a finger slips. */
export function isMeant(pointer: string): boolean {
  return !asksFirst(pointer === "key" ? "mouse" : pointer);
}
