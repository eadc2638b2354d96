// What an eye sees, as marks and counts. A mark is a shape and a colour, never a colour alone; none of it needs a screen.

import type { Beheld } from "./api";

export interface Mark {
  seen: string;
  path: string; // in a box of 20 by 20
  colour: string;
}

const CLEAR: Omit<Mark, "seen"> = { path: "M10,2A8,8 0 1 0 10,18A8,8 0 1 0 10,2Z", colour: "#2f9e4f" };
const HIDDEN: Omit<Mark, "seen"> = { path: "M3,6L6,3L10,7L14,3L17,6L13,10L17,14L14,17L10,13L6,17L3,14L7,10Z", colour: "#77706a" };
const COVERS: Omit<Mark, "seen">[] = [
  { path: "M3,3H17V17H3Z", colour: "#b3361b" },
  { path: "M10,2L18,17H2Z", colour: "#e08a00" },
  { path: "M10,1L19,10L10,19L1,10Z", colour: "#e8c61a" },
  { path: "M5,2H15L19,10L15,18H5L1,10Z", colour: "#8b4fa8" },
];

const met: string[] = []; // classes of cover keep their mark for as long as the page is open

export function markOf(seen: string): Mark {
  if (seen === "clear") return { seen, ...CLEAR };
  if (seen === "hidden") return { seen, ...HIDDEN };
  if (!met.includes(seen)) met.push(seen);
  return { seen, ...COVERS[met.indexOf(seen) % COVERS.length]! };
}

export interface Part {
  name: string;
  share: string;
  counts: [string, number][]; // of its points, how many are seen how
}

/** Part by part, in the order of the body; the shares that the server tells stand in the same order. */
export function partsOf({ probes, shares }: Pick<Beheld, "probes" | "shares">): Part[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { part, seen } of probes) {
    const own = counts.get(part) ?? new Map<string, number>();
    counts.set(part, own.set(seen, (own.get(seen) ?? 0) + 1));
  }
  return [...counts].map(([part, own], k) => ({
    name: shares[k]?.[0] ?? part.replaceAll("_", " "),
    share: shares[k]?.[1] ?? "",
    counts: [...own],
  }));
}

/** Every way in which somebody is seen: what is clear first, what is hidden last. */
export function kindsOf(others: readonly Pick<Beheld, "probes">[]): string[] {
  const found = new Set(others.flatMap((other) => other.probes.map((probe) => probe.seen)));
  const rank = (seen: string): number => (seen === "clear" ? 0 : seen === "hidden" ? 2 : 1);
  return [...found].sort((a, b) => rank(a) - rank(b));
}

/** How many of somebody's points are clear: who shows most is looked at first. */
export function clearness(other: Pick<Beheld, "probes">): number {
  return other.probes.filter((probe) => probe.seen === "clear").length / Math.max(1, other.probes.length);
}
