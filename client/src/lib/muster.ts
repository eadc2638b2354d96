// Rosters: hired and armed from a catalogue alone. What they cost and whether they are legal, the server says.

import type { Catalogue, Flaw, Hire, Man, Mustered, Named, Ware } from "./api";
import { request } from "./net";

export interface Buy {
  role: string;
  item?: string;
  perk?: string;
  n?: number;
  calibre?: string;
}

export interface Team {
  list: string;
  name?: string;
  weapons?: Record<string, string[]>;
  all?: string[];
  buy?: Buy[];
  [more: string]: unknown;
}

export interface Roster {
  name?: string;
  points?: number;
  teams?: Team[];
}

const path = (system: string, what: string): string => `/muster/${encodeURIComponent(system)}/${what}`;
export const catalogue = (system: string): Promise<Catalogue> => request("GET", path(system, "catalogue"));
export const check = (system: string, roster: Roster, mixed: boolean): Promise<Mustered> =>
  request("POST", path(system, "check"), { body: { roster, mixed } });
export const byChance = (system: string, wanted: { points: number; seed: number; of: string | null }): Promise<Mustered> =>
  request("POST", path(system, "random"), { body: wanted });
export const openShared = (system: string, text: string): Promise<Mustered> => request("POST", path(system, "share"), { body: { text } });

// ---- the force -------------------------------------------------------------------------------------------------------

export const teamsOf = (roster: Roster): Team[] => roster.teams ?? [];
export const hired = (roster: Roster, team: Team): Roster => ({ ...roster, teams: [...teamsOf(roster), team] });
export const changed = (roster: Roster, at: number, team: Team): Roster => ({ ...roster, teams: teamsOf(roster).map((one, k) => (k === at ? team : one)) });
export const dismissed = (roster: Roster, at: number): Roster => ({ ...roster, teams: teamsOf(roster).filter((_, k) => k !== at) });

/** Lists under their groups, as they come. */
export function grouped(lists: readonly Hire[]): [string, Hire[]][] {
  const found = new Map<string, Hire[]>();
  for (const hire of lists) found.set(hire.group, [...(found.get(hire.group) ?? []), hire]);
  return [...found];
}

/** What everything is called that a roster or a bill may name. */
export function namesIn({ lists }: Catalogue): Map<string, string> {
  const named: Named[] = lists.flatMap((hire) => [...hire.men.flatMap((man) => man.sets.flat()), ...hire.wares, hire]);
  return new Map(named.map(({ id, name }) => [id, name]));
}

// ---- a man -----------------------------------------------------------------------------------------------------------

/** He carries nothing that his list gives him, but what he buys. */
export const HIS_OWN = -1;

/** Something a man has besides his set. */
export interface Have {
  field: "item" | "perk";
  id: string;
  calibre: string;
  n: number;
}

const same = (one: readonly string[], other: readonly string[]): boolean => one.length === other.length && one.every((id, k) => id === other[k]);

/** Which of his sets he carries. A team may also name the first weapon of a set under the role itself. */
export function setOf(team: Team, man: Man): number {
  if (!man.sets.length) return HIS_OWN;
  const written = team.weapons?.[man.role];
  const first = team[man.role];
  if (written) return man.sets.findIndex((set) => same(ids(set), written));
  return typeof first === "string" ? man.sets.findIndex((set) => set[0]?.id === first) : 0;
}

const ids = (set: readonly Named[]): string[] => set.map(({ id }) => id);

/** His weapons where they are none of his sets. */
function written(team: Team, man: Man): string[] {
  if (setOf(team, man) !== HIS_OWN) return [];
  const first = team[man.role];
  return team.weapons?.[man.role] ?? (typeof first === "string" ? [first] : []);
}

/** All that he has besides a set, however the roster writes it; the same things stand together. */
export function havesOf(team: Team, man: Man): Have[] {
  const own: Buy[] = [...written(team, man), ...(team.all ?? [])].map((item) => ({ role: man.role, item }));
  const found = new Map<string, Have>();
  for (const buy of [...own, ...(team.buy ?? []).filter(({ role }) => role === man.role)]) {
    const have = haveOf(buy);
    const before = found.get(keyOf(have));
    found.set(keyOf(have), before ? { ...have, n: before.n + have.n } : have);
  }
  return [...found.values()];
}

const haveOf = ({ item, perk, calibre = "", n = 1 }: Buy): Have =>
  perk ? { field: "perk", id: perk, calibre, n } : { field: "item", id: item ?? "", calibre, n };

export const keyOf = ({ field, id, calibre }: Have): string => `${field} ${id} ${calibre}`;

export const asHave = (ware: Ware): Have => ({ field: ware.kind === "perk" ? "perk" : "item", id: ware.id, calibre: "", n: 1 });

export const wareOf = (hire: Hire, { field, id }: Have): Ware | undefined =>
  hire.wares.find((ware) => ware.id === id && (ware.kind === "perk") === (field === "perk"));

function asBuy(role: string, { field, id, calibre, n }: Have): Buy {
  return { role, [field]: id, ...(n > 1 ? { n } : {}), ...(calibre ? { calibre } : {}) };
}

/** The team written in one way only: a purchase for each thing, and weapons for who carries another set than the first. */
export function plain(team: Team, men: readonly Man[]): Team {
  const { weapons: _, all: __, buy: ___, ...rest } = team;
  const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !men.some((man) => man.role === key)));
  const buy = men.flatMap((man) => havesOf(team, man).map((have) => asBuy(man.role, have)));
  const weapons = Object.fromEntries(men.filter((man) => man.sets.length && setOf(team, man) !== 0).map((man) => [man.role, ids(man.sets[setOf(team, man)] ?? [])]));
  return {
    ...others, list: team.list,
    ...(Object.keys(weapons).length ? { weapons } : {}), ...(buy.length ? { buy } : {}),
  };
}

/** Another set; the things bought besides stay. */
export function armed(team: Team, men: readonly Man[], man: Man, set: number): Team {
  const before = plain(team, men);
  const { [man.role]: _, ...weapons } = before.weapons ?? {};
  return plain({ ...before, weapons: set === 0 ? weapons : { ...weapons, [man.role]: ids(man.sets[set] ?? []) } }, men);
}

/** So many of a thing; none: he gives it up. What he did not have comes last. */
export function given(team: Team, men: readonly Man[], man: Man, have: Have): Team {
  const before = plain(team, men);
  const now = havesOf(before, man).map((one) => (keyOf(one) === keyOf(have) ? have : one));
  if (!now.includes(have)) now.push(have);
  const buy = men.flatMap((other) => (other === man ? now.filter(({ n }) => n > 0) : havesOf(before, other)).map((one) => asBuy(other.role, one)));
  return plain({ ...before, buy }, men);
}

const SHOWN = new Set(["list", "name", "weapons", "all", "buy"]);

/** What a roster says of a team and no form shows: it is kept, and may be taken away. */
export function unshown(team: Team, men: readonly Man[]): [string, string][] {
  const roles = new Set(men.map((man) => man.role));
  return Object.entries(team)
    .filter(([key]) => !SHOWN.has(key) && !roles.has(key))
    .map(([key, value]) => [key, Array.isArray(value) ? value.join(", ") : String(value)]);
}

export function without(team: Team, key: string): Team {
  const { [key]: _, ...others } = team;
  return others as Team;
}

// ---- what is wrong ---------------------------------------------------------------------------------------------------

export interface Place {
  team: number | null; // none: it is about the whole force
  role: string | null; // none: about the whole team
}

export interface Placed {
  place: Place;
  flaw: Flaw;
  bad: boolean; // against the rules; else a note
}

/** Whom it is about, as far as it tells: a team by its number in the force, a man by a title that no other has. */
export function placeOf(flaw: Flaw, roster: Roster, lists: readonly Hire[]): Place {
  const { team: named, role: titled } = flaw.data;
  const team = typeof named === "string" ? Number(/\d+/.exec(named)?.[0] ?? 0) - 1 : -1;
  const men = lists.find((hire) => hire.id === teamsOf(roster)[team]?.list)?.men;
  if (!men) return { team: null, role: null };
  const meant = men.filter((man) => man.title === titled);
  return { team, role: meant.length === 1 ? meant[0]!.role : null };
}

/** What it says, without the rule, which is a link, and beside a man without his name. */
export function saidOf({ text, rule, data }: Flaw, place: Partial<Place> = {}): string {
  const said = text.replace(new RegExp(`\\s*\\[${rule}\\]$`), "");
  const names = [place.team != null ? data.team : null, place.role != null ? data.role : null].filter((name) => typeof name === "string");
  const before = names.join(", ");
  return before && said.startsWith(before) ? said.slice(before.length).replace(/^[:,]\s*/, "") : said;
}

// ---- the sheet -------------------------------------------------------------------------------------------------------

export interface Entry {
  text: string;
  under: Entry[];
}

/** An indented text as what stands under what. */
export function outline(text: string): Entry[] {
  const top: Entry = { text: "", under: [] };
  const open: { depth: number; entry: Entry }[] = [{ depth: -1, entry: top }];
  for (const line of text.split("\n").filter((one) => one.trim())) {
    const depth = line.search(/\S/);
    while (open.at(-1)!.depth >= depth) open.pop();
    const entry = { text: line.trim(), under: [] };
    open.at(-1)!.entry.under.push(entry);
    open.push({ depth, entry });
  }
  return top.under;
}

/** A line of two columns: a word, some spaces, the rest. */
export function columns(line: string): [string, string] {
  const [, first = "", rest = line] = /^(\S+)\s{2,}(.*)$/.exec(line) ?? [];
  return [first, rest];
}
