// What has changed on a board: a path, and the value that now stands there. What has not changed stays the very same thing,
// so that only what did is drawn anew.

export type Path = (string | number)[];
export type Edit = [Path, unknown];

export function patched<T>(old: T, edits: readonly Edit[]): T {
  const fresh = new Set<object>();
  let root: unknown = old;
  for (const [path, value] of edits) root = set(root, path, 0, value, fresh);
  return root as T;
}

function set(here: unknown, path: Path, depth: number, value: unknown, fresh: Set<object>): unknown {
  if (depth === path.length) return value;
  const copy = own(here, fresh) as Record<string | number, unknown>;
  const key = path[depth]!;
  copy[key] = set(copy[key], path, depth + 1, value, fresh);
  return copy;
}

/** A copy that may be written to; one for all edits of a message. */
function own(here: unknown, fresh: Set<object>): object {
  if (typeof here !== "object" || here === null) throw new Error("an edit leads nowhere");
  if (fresh.has(here)) return here;
  const copy = Array.isArray(here) ? [...here] : { ...here };
  fresh.add(copy);
  return copy;
}
