// People: a name and a sign-in link, without passwords. And the games of this browser and of the person, as one list.

import type { Changes, GameFacts, GameOfMine, GamesOfMine, Profile, SeatTaken, SignIn } from "./api";
import { request } from "./net";
import type { Kept } from "./seats.svelte";
import type { Seat } from "./shapes";

export const join = (name: string): Promise<SignIn> => request("POST", "/people", { body: { name } });
export const whoIs = (key: string): Promise<Profile> => request("GET", "/me", { key });
export const change = (key: string, changes: Changes): Promise<Profile> => request("PATCH", "/me", { key, body: changes });
export const renew = (key: string): Promise<SignIn> => request("POST", "/me/key", { key });
export const takeSeat = (key: string, game: string, seat: string): Promise<SeatTaken> =>
  request("POST", `/games/${encodeURIComponent(game)}/seat`, { key, body: { key: seat } });
export const leaveSeat = (key: string, game: string): Promise<void> => request("DELETE", `/games/${encodeURIComponent(game)}/seat`, { key });

const PAGE = 100;
const PAGES = 5;

/** All of them, as far as anybody will look. */
export async function gamesOf(key: string): Promise<GameOfMine[]> {
  const found: GameOfMine[] = [];
  let before = "";
  for (let page = 0; page < PAGES; page++) {
    const { games, next } = await request<GamesOfMine>("GET", `/me/games?most=${PAGE}${before}`, { key });
    found.push(...games);
    if (!next) break;
    before = `&before=${encodeURIComponent(next)}`;
  }
  return found;
}

// ---- one list --------------------------------------------------------------------------------------------------------

/** What the server says about a kept link; "gone": nothing any more; undefined: it has not answered. */
export type Heard = GameFacts | "gone" | undefined;
export type State = "mine" | "running" | "over" | "gone" | "unknown";

export interface Row {
  game: string;
  key: string;
  system: string;
  title: string;
  role: string;
  seat: Seat | null;
  side: string;
  state: State;
  waiting: string[]; // for whom; of seats without a name the number
  when: number;
  kept: boolean; // its link is in this browser
  taken: boolean; // the seat is under the person's name
}

export function fromKept(kept: Kept, heard: Heard, person: string): Row {
  const facts = typeof heard === "object" ? heard : null;
  const chairs = facts?.chairs ?? [];
  return {
    game: kept.game, key: kept.key, system: kept.system, title: kept.title, role: kept.role, seat: kept.seat, side: kept.side,
    state: heard === "gone" ? "gone" : facts ? stateOf(facts.over, facts.waiting, facts.seat) : kept.over ? "over" : "unknown",
    waiting: (facts?.waiting ?? []).map((seat) => chairs.find((chair) => chair.seat === seat)?.side || String(seat)),
    when: kept.opened, kept: true, taken: person !== "" && kept.key === person,
  };
}

export function fromMine(mine: GameOfMine, person: string): Row {
  const { game, system, title, role, seat, over, waiting, people = [] } = mine;
  return {
    game, key: person, system, title, role, seat, side: "", state: stateOf(over, waiting, seat),
    waiting: waiting.map((one) => people.find((sitting) => sitting.seat === one)?.name || String(one)),
    when: Date.parse(mine.moved), kept: false, taken: true,
  };
}

function stateOf(over: boolean, waiting: readonly Seat[], seat: Seat | null): State {
  return over ? "over" : seat !== null && waiting.includes(seat) ? "mine" : "running";
}

const isSame = (a: Row, b: Row): boolean => a.game === b.game && a.seat === b.seat;

/** A seat stands in one row, by whichever of its links still opens it; the newest comes first. */
export function merged(kept: readonly Row[], mine: readonly Row[]): Row[] {
  const rows: Row[] = [];
  for (const row of [...kept, ...mine]) {
    const at = rows.findIndex((other) => isSame(other, row));
    if (at < 0) rows.push(row);
    else rows[at] = both(rows[at]!, row);
  }
  return rows.sort((a, b) => b.when - a.when);
}

function both(one: Row, other: Row): Row {
  const better = one.state === "gone" || one.state === "unknown" ? other : one;
  return {
    ...better, side: one.side || other.side, when: Math.max(one.when, other.when), kept: one.kept || other.kept,
    taken: one.taken || other.taken,
  };
}
