// Forces kept in this browser, each under its name.

import { onKept, recalled, remember } from "../lib/keeping";
import type { Roster } from "../lib/muster";

export interface Force {
  system: string;
  name: string;
  roster: Roster;
  cost: number;
  legal: boolean;
}

const AT = "wardogs.rosters";
const MOST = 200;

function read(): Force[] {
  const found = recalled(AT);
  return Array.isArray(found) ? (found as Force[]) : [];
}

const all: { forces: Force[] } = $state({ forces: read() });
onKept(AT, () => (all.forces = read()));

function write(forces: Force[]): void {
  all.forces = forces.slice(0, MOST);
  remember(AT, all.forces);
}

const isOf = (system: string, name: string) => (force: Force): boolean => force.system === system && force.name === name;

export const forcesOf = (system: string): Force[] => all.forces.filter((force) => force.system === system);
export const forceCalled = (system: string, name: string): Force | undefined => all.forces.find(isOf(system, name));

/** The one of that name before it is replaced. */
export function keepForce(force: Force): void {
  const isSame = isOf(force.system, force.name);
  write([force, ...all.forces.filter((other) => !isSame(other))]);
}

export function dropForce(system: string, name: string): void {
  const isSame = isOf(system, name);
  write(all.forces.filter((other) => !isSame(other)));
}

/** False: another has that name. */
export function renameForce(system: string, name: string, to: string): boolean {
  if (to === name) return true;
  if (forceCalled(system, to)) return false;
  const isSame = isOf(system, name);
  write(all.forces.map((other) => (isSame(other) ? { ...other, name: to, roster: { ...other.roster, name: to } } : other)));
  return true;
}
