// What a person prefers, kept in this browser.

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

function read(): Settings {
  try {
    return { ...USUAL, ...(JSON.parse(localStorage.getItem(AT) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...USUAL };
  }
}

export const settings: Settings = $state(read());

export function keep(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  try {
    localStorage.setItem(AT, JSON.stringify(settings));
  } catch {
    // a private window keeps nothing: it holds until the page is closed
  }
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
