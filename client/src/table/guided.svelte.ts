// How far a newcomer has come with the guide of what he plays: kept for each system in this browser.

import { remember, remembered, type Step } from "../lib/guide";
import { book } from "../lib/net";

interface Guided {
  system: string;
  steps: Step[];
  read: number[];
  enough: boolean;
}

export const guided: Guided = $state({ system: "", steps: [], read: [], enough: true });

export async function beginGuide(system: string): Promise<void> {
  const { guide } = await book(system);
  Object.assign(guided, { system, steps: guide?.steps ?? [], ...remembered(system) });
}

export function readStep(...steps: number[]): void {
  keep([...new Set([...guided.read, ...steps])], false);
}

export function stopGuide(): void {
  keep(guided.read, true);
}

export function restartGuide(): void {
  keep([], false);
}

function keep(read: number[], enough: boolean): void {
  Object.assign(guided, { read, enough });
  remember(guided.system, { read, enough });
}
