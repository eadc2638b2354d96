// Requests to the server. What goes wrong comes back as one line.

import type { Book, GameFacts, GameMade, Offered } from "./api";

export class Trouble extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function request<T>(method: string, path: string, options: { body?: unknown; key?: string } = {}): Promise<T> {
  const headers: Record<string, string> = {};
  if (options.key) headers.authorization = `Bearer ${options.key}`;
  if (options.body !== undefined) headers["content-type"] = "application/json";
  const body = options.body === undefined ? undefined : JSON.stringify(options.body);
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { method, headers, body });
  } catch {
    throw new Trouble(0, "");
  }
  if (!response.ok) throw new Trouble(response.status, await reason(response));
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function reason(response: Response): Promise<string> {
  try {
    const said = (await response.json()) as { error?: string };
    return said.error ?? response.statusText;
  } catch {
    return response.statusText;
  }
}

const remembered = new Map<string, Promise<unknown>>();

/** What does not change while the page is open is asked once. */
function once<T>(path: string): Promise<T> {
  let found = remembered.get(path);
  if (!found) {
    found = request<T>("GET", path);
    found.catch(() => remembered.delete(path));
    remembered.set(path, found);
  }
  return found as Promise<T>;
}

export const offered = (): Promise<Offered> => once("/systems");
export const book = (system: string): Promise<Book> => once(`/systems/${encodeURIComponent(system)}`);
export const picture = (system: string, scenario: string): string =>
  `/api/systems/${encodeURIComponent(system)}/scenarios/${encodeURIComponent(scenario)}/picture.svg`;
export const makeGame = (wanted: Record<string, unknown>): Promise<GameMade> => request("POST", "/games", { body: wanted });
export const lookAt = (game: string, key: string): Promise<GameFacts> =>
  request("GET", `/games/${encodeURIComponent(game)}`, { key });
