// What this browser keeps under a name, for all its tabs.

export function recalled(at: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(at) ?? "null");
  } catch {
    return null;
  }
}

export function remember(at: string, what: unknown): void {
  try {
    localStorage.setItem(at, JSON.stringify(what));
  } catch {
    // a private window keeps nothing: it holds until the page is closed
  }
}

/** Another tab has kept something: who goes on with what he knew would write it away again. */
export function onKept(at: string, hear: () => void): void {
  globalThis.addEventListener?.("storage", (event) => {
    if (event.key === at) hear();
  });
}
