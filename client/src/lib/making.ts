// A new game: what a host may set, as the server describes it.

import type { GameMade, OptionFacts } from "./api";
import { makeGame } from "./net";
import { go, to } from "./route.svelte";

export type Kind = "flag" | "one" | "number" | "text";

export interface Switch {
  name: string;
  label: string;
  rule: string;
  kind: Kind;
  among: string[];
  usual: unknown;
}

/** What kind of control a house rule wants. */
export function switchOf({ name, takes, default: usual, rule }: OptionFacts): Switch {
  const label = name.replace(/^opt_/, "").replaceAll("_", " ");
  if (typeof usual === "boolean") return { name, label, rule, usual, kind: "flag", among: [] };
  if (/^a (whole )?number/.test(takes)) return { name, label, rule, usual, kind: "number", among: [] };
  if (takes === "text") return { name, label, rule, usual, kind: "text", among: [] };
  return { name, label, rule, usual, kind: "one", among: takes.split(" or ") };
}

/** As the server takes it: figures stay figures. */
export function valueOf({ usual }: Switch, given: string): unknown {
  return typeof usual === "number" ? Number(given) : given;
}

export const linkTo = (game: string, key: string): string => `${location.origin}${location.pathname}${to("table", game, key)}`;

/** A game against the computer, at once: a person in the first seat, bots in the others. */
export async function quickGame(system: string, scenario: string, seats: number[], bot: string): Promise<GameMade> {
  const [first = 1, ...others] = seats;
  const made = await makeGame({ system, scenario, players: Object.fromEntries(others.map((seat) => [seat, bot])) });
  go("table", made.game, made.keys[String(first)]!);
  return made;
}
