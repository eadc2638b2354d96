// The live line against a made-up socket and a made-up clock.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Live, type State } from "../src/lib/live";

class Socket {
  static all: Socket[] = [];
  sent: Record<string, unknown>[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number; reason: string }) => void = () => {};

  constructor(readonly url: string) {
    Socket.all.push(this);
  }

  send(raw: string): void {
    this.sent.push(JSON.parse(raw) as Record<string, unknown>);
  }

  close(code: number, reason = ""): void {
    this.onclose({ code, reason });
  }

  says(message: Record<string, unknown>): void {
    this.onmessage({ data: JSON.stringify(message) });
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
const line = (): Socket => Socket.all.at(-1)!;
let heard: { type: string }[] = [];
let states: [State, string][] = [];
let live: Live;

function sit(n = 0): Socket {
  line().onopen();
  line().says({ type: "sat", id: 0, n });
  return line();
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5); // the back-off exactly as long as it is on average
  const window = new EventTarget();
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", { protocol: "https:", host: "table.example" });
  vi.stubGlobal("addEventListener", window.addEventListener.bind(window));
  vi.stubGlobal("removeEventListener", window.removeEventListener.bind(window));
  vi.stubGlobal("dispatchEvent", window.dispatchEvent.bind(window));
  Socket.all = [];
  [heard, states] = [[], []];
  live = new Live("g1", "secret", (message) => heard.push(message), (state, why) => states.push([state, why]));
});

afterEach(() => {
  live.leave();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("sitting down", () => {
  it("names game and key, and keeps them out of the address", () => {
    line().onopen();
    expect(line().url).toBe("wss://table.example/api/live");
    expect(line().sent).toEqual([{ do: "sit", id: 0, game: "g1", key: "secret", after: -1, draw: true }]);
  });

  it("goes unsealed where the page does", () => {
    vi.stubGlobal("location", { protocol: "http:", host: "localhost:8765" });
    const plain = new Live("g", "k", () => {}, () => {});
    expect(line().url).toBe("ws://localhost:8765/api/live");
    plain.leave();
  });

  it("tells that one is here, and passes on what was said", () => {
    sit();
    expect(states).toEqual([["here", ""]]);
    expect(heard.map((message) => message.type)).toEqual(["sat"]);
  });
});

describe("asking", () => {
  it("brings each answer to its question, in any order", async () => {
    const socket = sit();
    const [first, second] = [live.ask({ do: "odds" }), live.ask({ do: "why" })];
    const [a, b] = socket.sent.slice(1).map((request) => request.id);
    socket.says({ type: "refused", id: b, text: "no" });
    socket.says({ type: "done", id: a, data: 7 });
    expect(await first).toMatchObject({ type: "done", data: 7 });
    expect(await second).toMatchObject({ type: "refused", text: "no" });
    expect(heard).toHaveLength(1);
  });

  it("lets news pass in between", async () => {
    const socket = sit();
    const answer = live.ask({ do: "choose", n: 1 });
    socket.says({ type: "news", n: 1, entries: [] });
    socket.says({ type: "done", id: socket.sent.at(-1)!.id, n: 1 });
    expect(await answer).toMatchObject({ type: "done", n: 1 });
    expect(heard.map((message) => message.type)).toEqual(["sat", "news"]);
  });

  it("is answered at once while nobody is there", async () => {
    expect(await live.ask({ do: "odds" })).toEqual({ type: "lost" });
    expect(line().sent).toEqual([]);
  });

  it("is answered when the line breaks", async () => {
    sit();
    const answers = [live.ask({ do: "odds" }), live.ask({ do: "why" })];
    live.drop();
    expect(await Promise.all(answers)).toEqual([{ type: "lost" }, { type: "lost" }]);
  });

  it("sends a sign of life now and then, and none when the line is down", () => {
    const socket = sit();
    vi.advanceTimersByTime(20_000);
    expect(socket.sent.at(-1)).toMatchObject({ do: "ping" });
    const many = socket.sent.length;
    live.drop();
    vi.advanceTimersByTime(60_000);
    expect(socket.sent).toHaveLength(many);
  });
});

describe("coming back", () => {
  it("goes on after the last entry that was seen", () => {
    sit(12).says({ type: "news", n: 15, entries: [] });
    live.drop();
    vi.advanceTimersByTime(300);
    line().onopen();
    expect(line().sent[0]).toMatchObject({ do: "sit", after: 15 });
    expect(states.map(([state]) => state)).toEqual(["here", "away"]);
  });

  it("waits twice as long each time, up to eight seconds", () => {
    const waits: number[] = [];
    for (let k = 0; k < 8; k++) {
      const [many, from] = [Socket.all.length, Date.now()];
      line().close(1006);
      while (Socket.all.length === many) vi.advanceTimersToNextTimer();
      waits.push(Date.now() - from);
    }
    expect(waits).toEqual([300, 600, 1200, 2400, 4800, 8000, 8000, 8000]);
  });

  it("begins with short waits again once one has sat", () => {
    for (let k = 0; k < 4; k++) {
      line().close(1006);
      vi.advanceTimersToNextTimer();
    }
    sit();
    const from = Date.now();
    const many = Socket.all.length;
    live.drop();
    while (Socket.all.length === many) vi.advanceTimersToNextTimer();
    expect(Date.now() - from).toBe(300);
  });

  it.each([["the net is back", () => dispatchEvent(new Event("online"))], ["one looks at the page again", () => page.dispatchEvent(new Event("visibilitychange"))]])(
    "hurries when %s", (_, happens) => {
      for (let k = 0; k < 6; k++) {
        line().close(1006);
        if (k < 5) vi.advanceTimersToNextTimer();
      }
      const many = Socket.all.length;
      happens();
      expect(Socket.all).toHaveLength(many + 1);
    },
  );

  it("does not take the close of an old line for its own", () => {
    const old = sit();
    live.drop();
    vi.advanceTimersByTime(300);
    sit();
    old.close(1006);
    expect(live.state).toBe("here");
  });

  it("does not come back to a table that there is not", () => {
    line().close(4404, "no such game");
    vi.advanceTimersByTime(60_000);
    expect(states).toEqual([["closed", "no such game"]]);
    expect(Socket.all).toHaveLength(1);
  });

  it("does not come back when one has left", () => {
    sit();
    live.leave();
    dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(60_000);
    expect(states.at(-1)![0]).toBe("closed");
    expect(Socket.all).toHaveLength(1);
  });
});

describe("a line that is not what it seems", () => {
  it("is opened once, whoever is in a hurry", () => {
    sit(3);
    line().close(1006);
    const before = Socket.all.length;
    dispatchEvent(new Event("online"));
    page.dispatchEvent(new Event("visibilitychange"));
    expect(Socket.all.length).toBe(before + 1);
  });

  it("is given up when nobody answers, and what was asked is answered", async () => {
    const dead = sit(3);
    const choice = live.ask({ do: "choose" });
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await choice).toEqual({ type: "lost" });
    expect(states.at(-1)![0]).toBe("away");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(line()).not.toBe(dead);
    const many = heard.length;
    dead.says({ type: "news", n: 4 });
    expect(heard.length).toBe(many);
  });

  it("says so when the link opens nothing", async () => {
    line().onopen();
    line().says({ type: "wrong", id: 0, text: "no such game" });
    expect(states).toEqual([["closed", "no such game"]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(Socket.all.length).toBe(1);
  });

  it("tries again when who has sat here is not let in at once", async () => {
    sit(3);
    line().close(1006);
    await vi.advanceTimersByTimeAsync(1_000);
    line().onopen();
    line().says({ type: "wrong", id: 0, text: "cannot be read now" });
    expect(states.at(-1)![0]).toBe("away");
    await vi.advanceTimersByTimeAsync(3_000);
    sit(4);
    expect(states.at(-1)![0]).toBe("here");
  });
});
