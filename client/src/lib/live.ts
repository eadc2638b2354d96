// The live socket of a seat: sits down, asks, hears; comes back by itself where it left off.

export type State = "opening" | "here" | "away" | "closed";
export interface Answer {
  type: "done" | "refused" | "wrong" | "lost";
  n?: number;
  data?: unknown;
  text?: string;
  rule?: string;
  fact?: string;
}
interface Message {
  type: string;
  id?: number | null;
  [field: string]: unknown;
}

const FIRST_WAIT = 300; // milliseconds before it tries again; then twice as long, up to LAST_WAIT
const LAST_WAIT = 8000;
const PULSE = 20_000;
const SILENCE = 10_000; // a line that does not answer for so long is dead, whatever the browser thinks
const FINAL = new Set([4404]); // no such game or link: coming back is of no use

export class Live {
  state: State = "opening";
  private socket: WebSocket | null = null;
  private marks = 0;
  private waiting = new Map<number, (answer: Answer) => void>();
  private wait = FIRST_WAIT;
  private timer = 0;
  private pulse = 0;
  private last = -1;
  private left = false;
  private sat = false; // at least once

  constructor(
    private readonly game: string,
    private readonly key: string,
    private readonly hear: (message: Message) => void,
    private readonly changed: (state: State, why: string) => void,
  ) {
    this.open();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  /** An answer to every question: a lost line is one too. */
  ask(request: Record<string, unknown>): Promise<Answer> {
    const socket = this.socket;
    if (this.state !== "here" || !socket) return Promise.resolve({ type: "lost" });
    const id = ++this.marks;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      socket.send(JSON.stringify({ ...request, id }));
    });
  }

  leave(): void {
    this.left = true;
    clearTimeout(this.timer);
    clearInterval(this.pulse);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close(1000);
  }

  /** For tests and for impatient people: as if the line had broken. */
  drop(): void {
    this.socket?.close(4000);
  }

  private hurry = (): void => {
    if (this.state === "away" && document.visibilityState === "visible") {
      clearTimeout(this.timer);
      this.open();
    }
  };

  private open(): void {
    if (this.socket) return;
    const { protocol, host } = location;
    const socket = new WebSocket(`${protocol === "https:" ? "wss" : "ws"}://${host}/api/live`);
    this.socket = socket;
    socket.onopen = () => {
      socket.send(JSON.stringify({ do: "sit", id: 0, game: this.game, key: this.key, after: this.last, draw: true }));
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) this.heard(JSON.parse(event.data as string) as Message);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event);
    };
  }

  private heard(message: Message): void {
    if (message.type === "sat") {
      this.sat = true;
      this.wait = FIRST_WAIT;
      clearInterval(this.pulse);
      this.pulse = window.setInterval(() => this.listen(), PULSE);
      this.turn("here", "");
    }
    if (message.type === "wrong" && message.id === 0) return this.shownOut(String(message.text ?? ""));
    if (typeof message.n === "number" && (message.type === "sat" || message.type === "news")) this.last = message.n;
    const asked = typeof message.id === "number" ? this.waiting.get(message.id) : undefined;
    if (asked && ["done", "refused", "wrong"].includes(message.type)) {
      this.waiting.delete(message.id as number);
      asked(message as unknown as Answer);
    } else {
      this.hear(message);
    }
  }

  /** Is anybody there? If not, the line is given up, for the browser may not notice for minutes. */
  private listen(): void {
    const socket = this.socket;
    const patience = window.setTimeout(() => {
      if (this.socket === socket) this.lost({ code: 4000, reason: "" });
      socket?.close(4000);
    }, SILENCE);
    void this.ask({ do: "ping" }).then(() => clearTimeout(patience));
  }

  /** The link opens nothing. Who has sat here before may have met a server that is only just waking: he tries again. */
  private shownOut(why: string): void {
    const socket = this.socket;
    this.lost({ code: this.sat ? 4000 : 4404, reason: why });
    socket?.close(1000);
  }

  private lost(event: { code: number; reason: string }): void {
    this.socket = null;
    clearInterval(this.pulse);
    for (const resolve of this.waiting.values()) resolve({ type: "lost" });
    this.waiting.clear();
    if (this.left || FINAL.has(event.code)) {
      this.turn("closed", event.reason);
      return;
    }
    this.turn("away", event.reason);
    this.timer = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, LAST_WAIT);
  }

  private turn(state: State, why: string): void {
    this.state = state;
    this.changed(state, why);
  }
}
