// A game that is over, to go through in both directions: a board after every entry. Boards share what has not changed, so
// that all of them are kept.

import { Trouble } from "./net";
import { patched, type Edit } from "./patch";
import type { Board, Happened, Seat, Told } from "./shapes";

export interface Played extends Happened {
  edits?: Edit[];
  outcome?: unknown;
  words_only?: boolean; // played by other rules: there is nothing to draw
}

export interface Step {
  entry: Played;
  board: Board | null;
  undone: boolean; // taken back later
  quiet: boolean; // nothing was told, and nothing has changed
}

export interface Turn {
  title: string; // none before the first
  from: number; // the step it begins with
}

export interface Chapter extends Turn {
  paragraphs: Told[][];
}

const LONG = 9; // sentences of a paragraph; the next entry begins a new one

export function read(lines: string): Played[] {
  return lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Played);
}

/** The first edit sets the whole board, each other one changes the board before. */
export function steps(entries: readonly Played[]): Step[] {
  const undone = new Set(entries.flatMap((entry) => entry.undone ?? []));
  let board: Board | null = null;
  return entries.map((entry, k) => {
    const before: Board | null = board;
    board = entry.words_only ? null : patched(before, entry.edits ?? []);
    return { entry, board, undone: undone.has(entry.n), quiet: k > 0 && board === before && !entry.reports?.length };
  });
}

/** Where a step forwards or back leads: past what shows nothing, and in a showing also past what was taken back. */
export function beside(all: readonly Step[], at: number, by: 1 | -1, showing = false): number {
  for (let to = at + by; to >= 0 && to < all.length; to += by) {
    const { quiet, undone } = all[to]!;
    if (!quiet && !(showing && undone)) return to;
  }
  return by > 0 && !showing ? all.length - 1 : by < 0 ? 0 : at;
}

/** The title of a turn, where a report begins one. */
export function heading(told: Told): string {
  return told.text.startsWith("---") ? told.text.replaceAll("-", "").trim() : "";
}

export function turns(all: readonly Step[]): Turn[] {
  return story(all).map(({ title, from }) => ({ title, from }));
}

export function turnAt(all: readonly Turn[], at: number): number {
  return Math.max(
    all.findLastIndex((turn) => turn.from <= at),
    0,
  );
}

/** The log as prose: by turns, a paragraph for as long as one side acts. What was taken back did not happen. */
export function story(all: readonly Step[]): Chapter[] {
  const chapters: Chapter[] = [{ title: "", from: 0, paragraphs: [] }];
  let acting: Seat | undefined;
  all.forEach(({ entry, undone }, k) => {
    if (undone || !entry.reports?.length) return;
    let open = entry.seat === acting && (chapters.at(-1)!.paragraphs.at(-1)?.length ?? LONG) < LONG;
    acting = entry.seat;
    for (const told of entry.reports) {
      const title = heading(told);
      if (title) chapters.push({ title, from: k, paragraphs: [] });
      else if (open) chapters.at(-1)!.paragraphs.at(-1)!.push(told);
      else chapters.at(-1)!.paragraphs.push([told]);
      open = !title;
    }
  });
  return chapters;
}

/** The entries about a step that have no more than so many lines; the step moves among them before others are taken. */
export function about(all: readonly Step[], at: number, most: number, stride = 40): Played[] {
  const middle = Math.min(Math.floor(at / stride) * stride + stride / 2, all.length - 1);
  let [from, to, lines] = [middle, middle + 1, count(all[middle])];
  for (let grown = true; grown; ) {
    grown = false;
    if (to < all.length && lines + count(all[to]) <= most) [lines, to, grown] = [lines + count(all[to]), to + 1, true];
    if (from > 0 && lines + count(all[from - 1]) <= most) [lines, from, grown] = [lines + count(all[from - 1]), from - 1, true];
  }
  return all.slice(Math.min(from, at), Math.max(to, at + 1)).map((step) => step.entry);
}

const count = (step: Step | undefined): number => step?.entry.reports?.length ?? 0;

/** The last entry up to a step that told something. */
export function lastTold(all: readonly Step[], at: number): Played | null {
  for (let k = at; k >= 0; k--) if (count(all[k])) return all[k]!.entry;
  return null;
}

// ---- from the server -------------------------------------------------------------------------------------------------

async function fetched(path: string, key: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { headers: { authorization: `Bearer ${key}` } });
  } catch {
    throw new Trouble(0, "");
  }
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Trouble(response.status, said.error ?? response.statusText);
}

/** As a seat saw it, or as spectators did. */
export async function fetchSteps(game: string, key: string, seat: Seat | null): Promise<Step[]> {
  const who = seat === null ? "" : `&seat=${seat}`;
  return steps(read(await (await fetched(`/games/${encodeURIComponent(game)}/replay?draw=true${who}`, key)).text()));
}

/** The record as a file, and the name that the server has for it. */
export async function fetchRecord(game: string, key: string): Promise<{ file: Blob; name: string }> {
  const response = await fetched(`/games/${encodeURIComponent(game)}/record`, key);
  const name = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1];
  return { file: await response.blob(), name: name ?? `${game}.wardogs` };
}
