import { describe, expect, it } from "vitest";
import type { GameFacts, GameOfMine } from "../src/lib/api";
import { fromKept, fromMine, merged } from "../src/lib/people";
import type { Kept } from "../src/lib/seats.svelte";

const kept = (more: Partial<Kept> = {}): Kept => ({ game: "g", key: "seat", system: "toy", title: "A game", role: "player", seat: 1, side: "Red", opened: 5, over: false, ...more });
const facts = (more: Partial<GameFacts> = {}) => ({ over: false, waiting: [2], seat: 1, chairs: [{ seat: 1, side: "Red" }, { seat: 2, side: "Blue" }], ...more }) as GameFacts;
const mine = (more: Partial<GameOfMine> = {}): GameOfMine => ({
  game: "g", system: "toy", title: "A game", seat: 1, role: "player", over: false, n: 3, waiting: [1], my_turn: true, moved: "1970-01-01T00:00:09Z", created: "", link: "", people: [], ...more,
});

describe("a kept seat", () => {
  it("waits for me, or for others by name, or is over", () => {
    expect(fromKept(kept(), facts({ waiting: [1] }), "").state).toBe("mine");
    expect(fromKept(kept(), facts(), "")).toMatchObject({ state: "running", waiting: ["Blue"] });
    expect(fromKept(kept(), facts({ over: true, waiting: [] }), "").state).toBe("over");
  });

  it("says what is known while the server has not answered, and that a link is void", () => {
    expect(fromKept(kept(), undefined, "").state).toBe("unknown");
    expect(fromKept(kept({ over: true }), undefined, "").state).toBe("over");
    expect(fromKept(kept(), "gone", "").state).toBe("gone");
  });

  it("never waits for who looks on", () => {
    expect(fromKept(kept({ role: "spectator", seat: null }), facts({ seat: null, waiting: [1, 2] }), "").state).toBe("running");
  });
});

describe("one list", () => {
  it("has each seat once, by the link of this browser", () => {
    const rows = merged([fromKept(kept(), facts({ waiting: [1] }), "me")], [fromMine(mine(), "me")]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ key: "seat", side: "Red", kept: true, taken: true, when: 9000 });
  });

  it("opens with the sign-in where the seat's own link is void", () => {
    expect(merged([fromKept(kept(), "gone", "me")], [fromMine(mine(), "me")])).toMatchObject([{ key: "me", state: "mine", side: "Red" }]);
  });

  it("keeps two sides of one game apart, the newest first", () => {
    const rows = merged([fromKept(kept({ seat: 2 }), facts(), "me")], [fromMine(mine(), "me")]);
    expect(rows.map((row) => [row.seat, row.kept, row.taken])).toEqual([[1, false, true], [2, true, false]]);
  });
});
