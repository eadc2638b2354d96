// Where one is, after the # of the address: keys never reach a server's log.

export interface Route {
  screen: string;
  parts: string[];
  again: number; // how often one has gone where one was already
}

/** As it is, where somebody has typed what no address can be. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function read(): Route {
  const [screen = "", ...parts] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  return { screen, parts, again: 0 };
}

export const route: Route = $state(read());

addEventListener("hashchange", () => Object.assign(route, read()));

export function to(screen: string, ...parts: (string | number)[]): string {
  return `#/${[screen, ...parts].map((part) => encodeURIComponent(String(part))).join("/")}`;
}

export function go(screen: string, ...parts: (string | number)[]): void {
  location.hash = to(screen, ...parts);
}
