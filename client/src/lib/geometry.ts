// From inches of the table to the drawing and back. A drawing has a hundred units to the inch, and y grows downwards in it.

import type { Board, Point, Token } from "./shapes";

export const UNIT = 100;

export const across = (x: number): number => x * UNIT;
export const down = (y: number): number => -y * UNIT;

export interface View {
  x: number; // of the left edge, in units
  y: number; // of the upper edge
  width: number;
  height: number;
}

export function whole(board: Pick<Board, "width" | "height">, margin = 0.6): View {
  return { x: -margin * UNIT, y: -(board.height + margin) * UNIT, width: (board.width + 2 * margin) * UNIT, height: (board.height + 2 * margin) * UNIT };
}

/** The whole board in a window of this shape, with the same room on both sides. */
export function fitted(board: Pick<Board, "width" | "height">, aspect: number): View {
  const all = whole(board);
  if (all.width / all.height > aspect) {
    const height = all.width / aspect;
    return { ...all, y: all.y - (height - all.height) / 2, height };
  }
  const width = all.height * aspect;
  return { ...all, x: all.x - (width - all.width) / 2, width };
}

export function zoomed(view: View, by: number, at: Point, least: number, most: number): View {
  const width = Math.min(Math.max(view.width / by, least), most);
  const share = width / view.width;
  return { x: at[0] - (at[0] - view.x) * share, y: at[1] - (at[1] - view.y) * share, width, height: view.height * share };
}

/** Degrees as a compass has them: 0 is north, clockwise; a drawing counts from right and the other way. */
export const bearing = (angle: number): number => (((90 - angle) % 360) + 360) % 360;
export const angleOf = (bearing: number): number => (((90 - bearing) % 360) + 360) % 360;

export function bearingTo(from: Point, to: Point): number {
  return bearing((Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI);
}

export function distance(from: Point, to: Point): number {
  return Math.hypot(to[0] - from[0], to[1] - from[1]);
}

export function stepped(value: number, low: number, high: number, step: number, round: boolean): number {
  const many = Math.floor((high - low) / step) + 1;
  const steps = Math.round((value - low) / step);
  return low + step * (round ? ((steps % many) + many) % many : Math.max(0, Math.min(many - 1, steps)));
}

const POINTS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"] as const;
export type Compass = (typeof POINTS)[number];
export const compassPoint = (degrees: number): Compass => POINTS[Math.round(degrees / 45) % 8]!;

/** The nearest of some points; heights count too, so that one does not jump a floor. */
export function nearest(points: readonly number[][], at: number[]): number[] | null {
  let best: number[] | null = null;
  let least = Infinity;
  for (const point of points) {
    const far = Math.hypot(point[0]! - at[0]!, point[1]! - at[1]!) + Math.abs((point[2] ?? 0) - (at[2] ?? 0)) * 0.25;
    if (far < least) [best, least] = [point, far];
  }
  return best;
}

/** The outline of a counter with a nose, in inches around its pivot, before it is turned. */
export function counter(token: Token): Point[] {
  const [long, wide] = token.size ?? [1, 1];
  const nose = token.pivot ?? long / 2;
  const tail = nose - long;
  const shoulder = nose - wide / 5;
  return [[nose, 0], [shoulder, wide / 2], [tail, wide / 2], [tail, -wide / 2], [shoulder, -wide / 2]];
}
