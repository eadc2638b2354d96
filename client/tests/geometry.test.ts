import { describe, expect, it } from "vitest";
import { angleOf, bearing, bearingTo, compassPoint, counter, distance, fitted, nearest, stepped, whole, zoomed } from "../src/lib/geometry";
import type { Token } from "../src/lib/shapes";

const board = { width: 48, height: 24 };

describe("the window on the board", () => {
  it("shows it whole, with a margin, and y upwards", () => {
    expect(whole(board, 1)).toEqual({ x: -100, y: -2500, width: 5000, height: 2600 });
  });

  it.each([0.5, 1, 4])("fits it into a window of %s, in the middle", (aspect) => {
    const all = whole(board);
    const view = fitted(board, aspect);
    expect(view.width / view.height).toBeCloseTo(aspect);
    expect(view.width).toBeGreaterThanOrEqual(all.width - 1e-6);
    expect(view.height).toBeGreaterThanOrEqual(all.height - 1e-6);
    expect(view.x + view.width / 2).toBeCloseTo(all.x + all.width / 2);
    expect(view.y + view.height / 2).toBeCloseTo(all.y + all.height / 2);
  });

  it("zooms about a point that stays where it is", () => {
    const view = { x: 0, y: 0, width: 1000, height: 500 };
    expect(zoomed(view, 2, [250, 100], 100, 2000)).toEqual({ x: 125, y: 50, width: 500, height: 250 });
  });

  it("zooms neither too near nor too far", () => {
    const view = { x: 0, y: 0, width: 1000, height: 500 };
    expect(zoomed(view, 100, [0, 0], 200, 2000).width).toBe(200);
    expect(zoomed(view, 0.01, [0, 0], 200, 2000).width).toBe(2000);
  });
});

describe("bearings", () => {
  it("count from north, clockwise; angles from right, the other way", () => {
    expect([0, 90, 180, 270, 360, -90].map(bearing)).toEqual([90, 0, 270, 180, 90, 180]);
    for (const degrees of [0, 30, 180, 359]) expect(bearing(angleOf(degrees))).toBe(degrees);
  });

  it("lead from one point to another", () => {
    expect(bearingTo([0, 0], [0, 5])).toBeCloseTo(0);
    expect(bearingTo([0, 0], [5, 0])).toBeCloseTo(90);
    expect(bearingTo([2, 2], [1, 1])).toBeCloseTo(225);
    expect(distance([1, 1], [4, 5])).toBe(5);
  });

  it("have names", () => {
    expect([0, 22, 23, 90, 180, 271, 338, 359].map(compassPoint)).toEqual(["n", "n", "ne", "e", "s", "w", "n", "n"]);
  });
});

describe("steps", () => {
  it("end at the ends, or go round", () => {
    expect(stepped(47, 0, 350, 10, true)).toBe(50);
    expect(stepped(357, 0, 350, 10, true)).toBe(0);
    expect(stepped(-3, 0, 350, 10, true)).toBe(0);
    expect(stepped(-20, 0, 350, 10, true)).toBe(340);
    expect(stepped(400, 0, 350, 10, false)).toBe(350);
    expect(stepped(-5, 2, 8, 3, false)).toBe(2);
  });
});

describe("points", () => {
  it("the nearest is found, and there may be none", () => {
    expect(nearest([[0, 0, 0], [5, 5, 0]], [4, 4])).toEqual([5, 5, 0]);
    expect(nearest([], [1, 1])).toBeNull();
  });

  it("of two floors one stays on one's own", () => {
    expect(nearest([[1, 1, 0], [1, 1, 3]], [1, 1, 3])).toEqual([1, 1, 3]);
    expect(nearest([[1, 1, 3], [1, 1, 0]], [1, 1, 0.2])).toEqual([1, 1, 0]);
  });

  it("a counter has its nose ahead of its pivot", () => {
    const token: Token = { id: 1, name: "", label: "", shape: "plane", size: [2, 1], pivot: 0.5 };
    const outline = counter(token);
    expect(outline[0]).toEqual([0.5, 0]);
    expect(Math.min(...outline.map(([x]) => x))).toBe(-1.5);
    expect(counter({ ...token, pivot: null })[0]).toEqual([1, 0]);
  });
});
