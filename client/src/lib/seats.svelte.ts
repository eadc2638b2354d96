// The seats whose links this browser has opened: its own memory of "my games". A key is a secret and stays here.

import { onKept, recalled, remember } from "./keeping";

export interface Kept {
  game: string;
  key: string;
  system: string;
  title: string;
  role: string;
  seat: number | null;
  side: string;
  opened: number;
  over: boolean;
}

const AT = "wardogs.seats";
const MOST = 200;

function read(): Kept[] {
  const found = recalled(AT);
  return Array.isArray(found) ? (found as Kept[]) : [];
}

export const seats: { kept: Kept[] } = $state({ kept: read() });
onKept(AT, () => (seats.kept = read()));

const write = (): void => remember(AT, seats.kept);

export function keepSeat(seat: Kept): void {
  seats.kept = [seat, ...seats.kept.filter((other) => other.game !== seat.game || other.key !== seat.key)].slice(0, MOST);
  write();
}

/** The game is over: there is nothing to go on with. */
export function endSeat(game: string, key: string): void {
  seats.kept = seats.kept.map((seat) => (seat.game === game && seat.key === key ? { ...seat, over: true } : seat));
  write();
}

export function forget(game: string, key: string): void {
  seats.kept = seats.kept.filter((other) => other.game !== game || other.key !== key);
  write();
}
