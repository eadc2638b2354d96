// Which step of a guide is to be shown. A step waits for the beginning, for a question, or for something that is told.

import type { StepFacts } from "./api";

export type Step = StepFacts;
export const START = "start";

/** The first step that was not read yet and whose time has come. What it would show must be there to be done. */
export function due(
  steps: readonly Step[], read: readonly number[], topic: string, facts: ReadonlySet<string>, offered: readonly string[] | null = null,
): number | null {
  const isHere = (step: Step) => step.when === START || step.when === topic || facts.has(step.when);
  const found = steps.findIndex((step, k) => !read.includes(k) && isHere(step) && (!step.then || !offered || offered.includes(step.then)));
  return found < 0 ? null : found;
}

export interface Progress {
  read: number[];
  enough: boolean;
}

const AT = "wardogs.guides";

export function remembered(system: string): Progress {
  const found = all()[system];
  return { read: Array.isArray(found?.read) ? found.read : [], enough: found?.enough === true };
}

export function remember(system: string, progress: Progress): void {
  try {
    localStorage.setItem(AT, JSON.stringify({ ...all(), [system]: progress }));
  } catch {
    // a private window keeps nothing: the guide begins anew the next time
  }
}

function all(): Record<string, Partial<Progress>> {
  try {
    const found = JSON.parse(localStorage.getItem(AT) ?? "{}") as Record<string, Partial<Progress>> | null;
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}
