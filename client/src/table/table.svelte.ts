// One table as its seat knows it: what the server has told, and the choice that is being put together.

import { acts, asked, fields, fitting, isListed, isOfTokens, obvious, same, usual, whole, type Act, type Field, type Values } from "../lib/compose";
import { bearingTo, distance, nearest, stepped } from "../lib/geometry";
import { t } from "../lib/i18n.svelte";
import { Live, type Answer, type State } from "../lib/live";
import { book } from "../lib/net";
import { patched, type Edit } from "../lib/patch";
import { endSeat, keepSeat } from "../lib/seats.svelte";
import { asksFirst, isMeant } from "../lib/settings.svelte";
import type {
  Board, Chair, Choice, Happened, Line, Offer, Place, Point, Proposal, Question, Reason, Reckoned, Seat, Thrown, Told, Token, TokenId,
} from "../lib/shapes";
import { Words } from "../lib/words";

export interface Outcome {
  winner?: string | null;
  reason?: string;
  text?: string;
  [field: string]: unknown;
}

export interface Reach {
  field: string;
  of: string; // what else is chosen: another weapon reaches other places
  points: Place[];
  prices: Record<string, number[]>; // of each point, where they differ
}

interface Sat {
  system: string;
  title: string;
  role: "player" | "umpire" | "spectator";
  seat?: Seat | null;
  n: number;
  board?: Board;
  views?: Record<string, Board>;
  waiting: Seat[];
  chairs: Chair[];
  names?: Record<string, string>;
  briefing?: string;
  entries?: Happened[];
  question?: Question;
  throw?: Thrown;
  draft?: Choice | null;
  talk?: Line[];
  proposals?: Proposal[];
  outcome?: Outcome | null;
  notes?: string | null;
}

interface News {
  n: number;
  entries: Happened[];
  edits: Edit[];
  views?: Record<string, Edit[]>;
  waiting: Seat[];
  question?: Question;
  throw?: Thrown;
  outcome?: Outcome | null;
}

const MOST_SPOTS = 1500;
const FAR = 2; // inches: who points farther off than that from all legal places means another one
const AGAIN = 1500; // milliseconds
const SHORTLY = 20; // milliseconds
const DRAFT = 400; // milliseconds before what is half put together is kept
const GUESS = 40; // milliseconds that a pick rests before its odds are asked for

export class Table {
  state: State = $state("opening");
  lost = $state(""); // why the line is closed
  system = $state("");
  title = $state("");
  role: "player" | "umpire" | "spectator" = $state("player");
  seat: Seat | null = $state(null);
  briefing = $state("");
  notes = $state("");
  n = $state(-1);
  boards: Record<string, Board> = $state.raw({});
  looking = $state(""); // through whose eyes an umpire looks
  waiting: Seat[] = $state.raw([]);
  chairs: Chair[] = $state.raw([]);
  proposals: Proposal[] = $state.raw([]);
  talk: Line[] = $state.raw([]);
  log: Happened[] = $state.raw([]);
  fresh: Told[] = $state.raw([]); // what the last news told: for dice and sounds
  question: Question | null = $state.raw(null);
  throw: Thrown | null = $state.raw(null);
  outcome: Outcome | null = $state.raw(null);
  words: Words = $state.raw(new Words({}, {}));
  ready = $state(false); // the words have come

  doer: TokenId | null = $state(null);
  inspected: TokenId | null = $state(null);
  verb = $state("");
  values: Values = $state.raw({});
  touched: Set<string> = $state.raw(new Set());
  offers: Offer[] = $state.raw([]);
  barred: Reason[] = $state.raw([]);
  reach: Reach | null = $state.raw(null);
  reckoned: Reckoned | null = $state.raw(null);
  guess: Values = $state.raw({}); // what the pointer rests upon
  reason: Reason | null = $state.raw(null); // why the last thing was not possible
  busy = $state(false);
  private arriving = $state(0); // questions whose offers are on their way
  held: boolean = $derived(this.busy || this.arriving > 0); // nothing can be chosen for a moment
  delegating = $state(false); // advice is followed without asking
  asksFirst = $state(false); // the choice is whole, and waits for a yes

  board: Board | null = $derived(this.boards[this.looking] ?? Object.values(this.boards)[0] ?? null);
  /** This seat's chair. */
  mine: Chair | undefined = $derived(this.chairs.find((chair) => chair.seat === this.seat));
  /** Everything that offers may name: tokens, and places of the plan. */
  tokens: Map<TokenId, Token> = $derived(new Map([...(this.board?.places ?? []).map(asToken), ...(this.board?.tokens ?? [])].map((token) => [token.id, token])));
  ids: Set<TokenId> = $derived(new Set(this.tokens.keys()));
  acts: Act[] = $derived(acts(this.offers));
  fields: Field[] = $derived(this.verb ? fields(this.offers, this.verb, this.values) : []);
  shown: Field[] = $derived(this.verb ? asked(this.offers, this.verb, this.values) : []);
  choice: Choice | null = $derived(this.verb ? whole(this.offers, this.verb, this.values) : null);
  listed: boolean = $derived(!this.question?.by && isListed(this.offers));
  doers: TokenId[] = $derived([...new Set(this.question?.doers ?? [])]);
  /** Asked together with others, and done: until all are, it can be changed. */
  answered: boolean = $derived(!!this.question && !this.waiting.includes(this.role === "umpire" ? Number(this.looking) : (this.seat ?? -1)));
  /** Has a say in the game: a player who has not given up. */
  plays: boolean = $derived(this.role === "player" && !this.outcome && !this.mine?.resigned);
  /** What this seat's side is called. */
  side: string = $derived(this.board?.scores?.find((score) => score.side === this.seat)?.name ?? this.words.name(this.seat));
  /** The tokens of the choice so far; a figure that is nobody's id by chance is none of them. */
  picked: Set<TokenId> = $derived(
    new Set(this.fields.filter((field) => isOfTokens(field, this.named)).flatMap(({ name }) => [this.values[name] ?? []].flat() as TokenId[])),
  );
  /** What is legal to point at now. */
  legal: Map<TokenId, string> = $derived(this.pointable());

  /** The board says which fields name something on it: a figure alone could be anything. */
  named = (field: string, values: readonly unknown[]): boolean =>
    (this.board?.picks ?? []).includes(field) && values.some((value) => this.ids.has(value as TokenId));

  private decides = false; // an umpire who looks through somebody's eyes may answer for him
  private live: Live;
  private questions = 0;
  private guessing = 0;
  private drafting = 0;
  private thoughts = 0;

  constructor(
    readonly game: string,
    readonly key: string,
  ) {
    this.live = new Live(game, key, (message) => this.hear(message), (state, why) => this.turned(state, why));
  }

  leave(): void {
    this.live.leave();
  }

  drop(): void {
    this.live.drop();
  }

  // ---- what is heard ---------------------------------------------------------------------------------------------------

  private turned(state: State, why: string): void {
    this.state = state;
    this.lost = why;
  }

  private hear(message: { type: string }): void {
    if (message.type === "sat") void this.sat(message as unknown as Sat);
    else if (message.type === "news") this.news(message as unknown as News);
    else if (message.type === "said") this.talk = [...this.talk, message as unknown as Line];
    else if (message.type === "table") {
      const { chairs, proposals } = message as unknown as { chairs: Chair[]; proposals?: Proposal[] };
      this.chairs = chairs;
      this.proposals = proposals ?? [];
    }
  }

  private async sat(said: Sat): Promise<void> {
    const { system, title, role, n, chairs } = said;
    this.boards = said.views ?? { [String(said.seat ?? "")]: said.board! };
    Object.assign(this, { system, title, role, n, chairs, seat: said.seat ?? null, waiting: said.waiting });
    if (!(this.looking in this.boards)) this.looking = Object.keys(this.boards)[0] ?? "";
    this.briefing = said.briefing ?? "";
    this.notes = said.notes ?? "";
    this.talk = said.talk ?? [];
    this.proposals = said.proposals ?? [];
    this.outcome = said.outcome ?? null;
    this.log = [...this.log, ...(said.entries ?? [])];
    this.fresh = [];
    const names = said.names ?? Object.fromEntries(chairs.map((chair) => [String(chair.seat), chair.side]));
    const side = names[String(said.seat)] ?? "";
    keepSeat({ game: this.game, key: this.key, system, title, role, seat: this.seat, side, opened: Date.now(), over: !!said.outcome });
    if (this.decides) this.decideOn(said.throw);
    else void this.put(said.question ?? null, said.throw ?? null).then(() => said.draft && this.takeUp(said.draft));
    await this.learn(system, names);
  }

  /** The words of a system; without them nothing can be asked, so a server that is still waking is asked again. */
  private async learn(system: string, names: Record<string, string>): Promise<void> {
    try {
      this.words = new Words((await book(system)).words, names);
      this.ready = true;
    } catch {
      if (this.state !== "closed") setTimeout(() => void this.learn(system, names), AGAIN);
    }
  }

  private news(said: News): void {
    if (said.views) {
      const changed = Object.entries(said.views).map(([seat, edits]) => [seat, patched(this.boards[seat], edits)]);
      this.boards = { ...this.boards, ...(Object.fromEntries(changed) as Record<string, Board>) };
    } else if (said.edits.length) {
      this.boards = patched(this.boards, said.edits.map(([path, value]) => [[this.looking, ...path], value] as Edit));
    }
    this.n = said.n;
    this.waiting = said.waiting;
    this.proposals = []; // what has happened since overtakes them
    this.log = [...this.log, ...said.entries];
    this.fresh = said.entries.flatMap((entry) => entry.reports ?? []);
    if (said.outcome && !this.outcome) {
      this.outcome = said.outcome;
      endSeat(this.game, this.key);
    }
    if (this.decides) this.decideOn(said.throw);
    else if (!this.goesOnAsking(said)) void this.put(said.question ?? null, said.throw ?? null);
  }

  /** Another has answered what all are asked: what this seat is putting together stays. */
  private goesOnAsking({ question, entries, throw: due }: News): boolean {
    const quiet = !due && entries.every((entry) => entry.seat !== this.seat && !entry.reports?.length);
    return quiet && !!question && !question.by && JSON.stringify(question) === JSON.stringify(this.question);
  }

  /** A new question, or none: what was being put together is cleared away; who was about to act stays in hand. */
  private async put(question: Question | null, due: Thrown | null): Promise<void> {
    const at = ++this.questions;
    const doers = [...new Set(question?.doers ?? [])];
    const doer = this.doer !== null && doers.includes(this.doer) ? this.doer : doers.length === 1 ? doers[0]! : null;
    // what he may do is here before he is asked, so that nothing moves under anybody's finger
    const offers = question && doer !== null ? await this.offersOf(question, doer) : (question?.offers ?? []);
    if (at !== this.questions) return;
    this.question = question;
    this.throw = due;
    this.barred = [];
    this.clear();
    this.doer = doer;
    this.offers = offers;
    if (question?.by) this.inspected = doer;
    else if (question) this.begin();
  }

  private async offersOf(question: Question, doer: TokenId): Promise<Offer[]> {
    this.arriving++;
    const answer = await this.look({ do: "offers", doer });
    this.arriving--;
    return answer.type === "done" ? [...(answer.data as Offer[]), ...question.offers] : question.offers;
  }

  /** One action that leaves no choice of another is taken up at once. */
  private begin(): void {
    const open = acts(this.offers).filter((act) => !act.gives_up);
    if (open.length === 1 && !isListed(this.offers)) this.start(open[0]!.verb);
  }

  // ---- putting a choice together ---------------------------------------------------------------------------------------

  clear(): void {
    this.verb = "";
    this.values = {};
    this.touched = new Set();
    this.guess = {};
    this.reach = null;
    this.reckoned = null;
    this.thoughts++;
    this.reason = null;
    this.asksFirst = false;
  }

  /** Who shall act; null: nobody yet. */
  async take(doer: TokenId | null): Promise<void> {
    const question = this.question;
    if (!question) return;
    this.clear();
    this.doer = doer;
    this.inspected = doer;
    if (doer === null) {
      this.offers = question.offers;
      return;
    }
    const at = this.questions;
    const offers = await this.offersOf(question, doer);
    if (at === this.questions && this.doer === doer) this.offers = offers;
  }

  start(verb: string): void {
    this.clear();
    this.verb = verb;
    this.settle({});
  }

  /** A field gets a value; what no longer fits is dropped, what leaves no choice is filled in. */
  set(name: string, value: unknown): void {
    const several = this.fields.find((field) => field.name === name)?.shape === "several";
    const picked = several ? toggled(this.values[name], value) : value;
    this.touched = new Set([...this.touched, name]);
    this.reason = null;
    this.guess = {};
    this.settle({ ...this.kept(name, picked), [name]: picked });
  }

  /** The other values, as far as they go with this one; those that a person has picked go last. */
  private kept(name: string, value: unknown): Values {
    let values: Values = { [name]: value };
    const order = Object.keys(this.values).sort((a, b) => Number(this.touched.has(b)) - Number(this.touched.has(a)));
    for (const other of order) {
      const more = { ...values, [other]: this.values[other] };
      if (other !== name && fitting(this.offers, this.verb, more).length) values = more;
    }
    return values;
  }

  private settle(values: Values): void {
    this.values = this.turnedTowards(usual(this.offers, this.verb, values, this.named, this.touched));
    this.reckoned = null;
    this.lightUp();
    void this.reckon(this.choice);
    this.draft();
  }

  /** What is half put together is kept at the server: a reload, another device or a broken line does not lose it. */
  private draft(): void {
    clearTimeout(this.drafting);
    const [at, n] = [this.questions, this.n + 1];
    if (this.role !== "player" || !this.question || this.question.by || !this.touched.size) return;
    this.drafting = window.setTimeout(() => {
      if (at === this.questions && this.verb && !this.held) void this.ask({ do: "draft", n, choice: { verb: this.verb, ...this.values } });
    }, DRAFT);
  }

  private takeUp(draft: Choice): void {
    const { verb, ...values } = draft;
    if (this.question && !this.question.by && fitting(this.offers, verb, values).length) void this.show(draft);
  }

  /** Who goes somewhere looks where he goes, unless told otherwise; who only turns begins with where he looks. */
  private turnedTowards(values: Values): Values {
    const all = fields(this.offers, this.verb, values);
    const turn = all.find((field) => field.shape === "number" && (field.domains[0] as { unit: string }).unit === "degrees");
    if (!turn || (this.touched.has(turn.name) && turn.name in values)) return values;
    const [domain] = turn.domains as { low: number; high: number; step: number }[];
    const spot = all.find((field) => field.shape === "spot");
    const here = this.doer === null ? null : this.tokens.get(this.doer);
    const to = spot ? (values[spot.name] as Place | undefined) : undefined;
    if (spot && !to) return values;
    const middle: Point = [(this.board?.width ?? 0) / 2, (this.board?.height ?? 0) / 2];
    const degrees = to
      ? bearingTo(here?.at ?? (to as unknown as Point), here?.at ? (to as unknown as Point) : middle)
      : here?.angle != null ? (((90 - here.angle) % 360) + 360) % 360
      : 0;
    return { ...values, [turn.name]: stepped(degrees, domain!.low, domain!.high, domain!.step, true) };
  }

  /** The places that a spot may be. */
  private lightUp(): void {
    const spot = this.fields.find((field) => field.shape === "spot");
    if (!spot) {
      this.reach = null;
      return;
    }
    const at = this.questions;
    const verb = this.verb;
    const { [spot.name]: _, ...others } = this.values;
    const of = JSON.stringify([verb, ...this.fields.filter((field) => field.shape !== "number" && field !== spot).map((field) => others[field.name])]);
    if (this.reach?.field === spot.name && this.reach.of === of) return;
    this.reach = { field: spot.name, of, points: [], prices: {} };
    void this.look({ do: "spots", choice: { verb, ...others }, field: spot.name, most: MOST_SPOTS }).then((answer) => {
      if (at !== this.questions || this.reach?.of !== of || answer.type !== "done") return;
      this.reach = { field: spot.name, of, ...(answer.data as { points: Place[]; prices: Record<string, number[]> }) };
    });
  }

  /** What a place would cost, in words. */
  price(at: Place | null): string {
    if (!at || !this.reach) return "";
    const k = this.reach.points.findIndex((point) => same(point, at));
    return Object.entries(this.reach.prices).flatMap(([name, all]) => (all[k] ? [`${all[k]} ${this.words.field(name)}`] : [])).join(", ");
  }

  /** A point of the table is meant: the place itself if it is legal, else the nearest that is; one far off says why not. Was it
   * a legal one? */
  async point(at: Place): Promise<boolean> {
    const reach = this.reach;
    const near = reach ? nearest(reach.points, at) : null;
    if (!reach || !near) return false;
    if (distance(near as unknown as Point, at as unknown as Point) > FAR) {
      await this.why({ verb: this.verb, ...this.values, [reach.field]: at });
      return false;
    }
    this.set(reach.field, near);
    return true;
  }

  private pointable(): Map<TokenId, string> {
    const found = new Map<TokenId, string>();
    if (this.verb) {
      for (const field of this.fields) {
        if (field.name !== this.question?.by && isOfTokens(field, this.named)) for (const value of field.values) found.set(value as TokenId, field.name);
      }
      return found;
    }
    for (const doer of this.doers) found.set(doer, "");
    if (this.listed || !this.question?.by) {
      for (const offer of this.offers) {
        for (const [name, domain] of Object.entries(offer.fields ?? {})) {
          if (domain.type === "one" && this.named(name, domain.among)) for (const value of domain.among) found.set(value as TokenId, name);
        }
      }
    }
    return found;
  }

  /** Somebody points at a token. */
  async touch(id: TokenId, pointer = "mouse"): Promise<void> {
    if (this.verb) {
      const field = this.legal.get(id);
      if (field) {
        if (this.choice && same(this.values[field], id) && this.touched.has(field)) return isMeant(pointer) ? this.commit() : undefined;
        this.set(field, id);
        this.asksFirst = asksFirst(pointer);
        return;
      }
      const open = this.fields.find((one) => one.name !== this.question?.by && isOfTokens(one, this.named));
      if (open && !this.doers.includes(id)) return this.why({ verb: this.verb, ...this.values, [open.name]: id });
    }
    if (this.doers.includes(id)) return void (await this.take(this.doer === id ? null : id));
    const offers = this.offers.filter((offer) =>
      Object.entries(offer.fields ?? {}).some(([name, domain]) => domain.type === "one" && domain.among.includes(id) && this.named(name, domain.among)),
    );
    if (!this.verb && this.question && !this.question.by && offers.length) {
      const name = this.legal.get(id)!;
      this.start(offers[0]!.verb);
      if (offers.every((offer) => offer.verb === offers[0]!.verb)) this.set(name, id);
      return;
    }
    this.inspected = this.inspected === id ? null : id;
  }

  /** The pointer rests upon something that could be picked: what would come of it? */
  muse(field: string, value: unknown): void {
    clearTimeout(this.guessing);
    if (!this.verb) return;
    this.guess = field ? { [field]: value } : {};
    this.guessing = window.setTimeout(() => {
      const wanted = field ? usual(this.offers, this.verb, { ...this.kept(field, value), [field]: value }, this.named, this.touched) : this.values;
      void this.reckon(whole(this.offers, this.verb, wanted));
    }, GUESS);
  }

  /** Somebody looks at a whole choice of a list: what would come of it? */
  consider(choice: Choice | null): void {
    clearTimeout(this.guessing);
    if (this.verb) return;
    this.reckoned = null;
    this.guess = choice ?? {};
    if (choice) this.guessing = window.setTimeout(() => void this.reckon(choice), GUESS);
  }

  private async reckon(choice: Choice | null): Promise<void> {
    const thought = ++this.thoughts;
    if (!choice) return;
    const answer = await this.look({ do: "odds", choice });
    if (thought !== this.thoughts) return; // he thinks of something else by now
    if (answer.type === "done") this.reckoned = answer.data as Reckoned;
    else if (answer.type === "refused") this.reason = { rule: answer.rule ?? "", fact: answer.fact ?? "", text: answer.text ?? "" };
  }

  async why(choice: Choice): Promise<void> {
    const [at, verb, doer] = [this.questions, this.verb, this.doer];
    const answer = await this.look({ do: "why", choice });
    if (at !== this.questions || verb !== this.verb || doer !== this.doer) return;
    if (answer.type === "done" && answer.data) this.reason = answer.data as Reason;
  }

  /** All that is barred now; asked for when somebody wants to know. */
  async allBarred(): Promise<void> {
    const answer = await this.look({ do: "why" });
    if (answer.type === "done") this.barred = (answer.data as Reason[]) ?? [];
  }

  async hint(): Promise<string> {
    const answer = await this.look({ do: "hint" });
    this.refused(answer);
    if (answer.type !== "done") return "";
    const { choice, text } = answer.data as { choice: Choice; text: string };
    await this.show(choice);
    return text;
  }

  /** Follow such advice for as long as the same is asked, or until somebody says stop: to put eight men down, say. */
  async delegate(): Promise<void> {
    const topic = this.question?.topic;
    this.delegating = true;
    while (this.delegating && this.question && this.question.topic === topic && !this.answered) {
      const at = this.questions;
      const answer = await this.look({ do: "hint" });
      if (answer.type !== "done") this.refused(answer);
      else if (this.delegating && at === this.questions) await this.commit((answer.data as { choice: Choice }).choice);
      if (at === this.questions) break; // nothing has come of it
      while (this.held) await new Promise((resolve) => setTimeout(resolve, SHORTLY));
    }
    this.delegating = false;
  }

  /** A whole choice, put together before somebody's eyes. */
  async show(choice: Choice): Promise<void> {
    const by = this.question?.by;
    if (by && choice[by] !== undefined) await this.take(choice[by] as TokenId);
    const { verb, ...values } = choice;
    this.verb = verb;
    this.touched = new Set(Object.keys(values));
    this.settle(obvious(this.offers, verb, values));
  }

  // ---- doing it --------------------------------------------------------------------------------------------------------

  /** An action was picked: if it leaves nothing to choose it is done, or asked about first. */
  async act(verb: string, pointer = "mouse"): Promise<void> {
    if (this.verb === verb) return this.clear();
    this.start(verb);
    if (!this.choice) return;
    const givesUp = this.offers.some((offer) => offer.verb === verb && offer.gives_up);
    const free = this.fields.every((field) => field.values.length <= 1 && field.shape === "one");
    if (free && !givesUp && !asksFirst(pointer)) await this.commit();
    else this.asksFirst = true;
  }

  async commit(choice: Choice | null = this.choice): Promise<void> {
    if (!choice || this.held) return;
    this.busy = true;
    const answer = await this.ask({ do: "choose", n: this.n + 1, choice, ...this.forSeat() });
    this.busy = false;
    this.refused(answer);
  }

  async enter(face: unknown): Promise<void> {
    this.refused(await this.ask({ do: "enter", n: this.n + 1, face }));
  }

  /** Anything else that a seat may do: undo, draw, resign, say ... */
  async ask(request: Record<string, unknown>): Promise<Answer> {
    return this.live.ask(request);
  }

  async do(request: Record<string, unknown>): Promise<boolean> {
    const answer = await this.ask(request);
    this.refused(answer);
    return answer.type === "done";
  }

  private refused(answer: Answer): void {
    if (answer.type === "lost") this.reason = { rule: "", fact: "lost", text: t("ask.lost") };
    else if (answer.type === "refused" || answer.type === "wrong") {
      this.reason = { rule: answer.rule ?? "", fact: answer.fact ?? "", text: answer.text ?? "" };
    }
  }

  private look(request: Record<string, unknown>): Promise<Answer> {
    return this.ask({ ...request, ...this.forSeat() });
  }

  private forSeat(): { seat?: Seat } {
    return this.role === "umpire" && this.looking ? { seat: Number(this.looking) } : {};
  }

  private decideOn(due: Thrown | undefined): void {
    this.throw = due ?? null;
    void this.lookAs(this.looking);
  }

  /** An umpire looks through another's eyes, and at what he is asked. */
  async lookAs(seat: string): Promise<void> {
    this.looking = seat;
    if (this.role !== "umpire") return;
    this.decides = true;
    const answer = await this.ask({ do: "question", seat: Number(seat) });
    if (this.looking === seat) await this.put(answer.type === "done" ? ((answer.data as Question | undefined) ?? null) : null, this.throw);
  }
}

function asToken({ id, name, at, level }: { id: TokenId; name: string; at: Point; level?: number }): Token {
  return { id, name, at, level, label: "", shape: "thing", colour: "white", size: [0.9, 0.9] };
}

function toggled(before: unknown, value: unknown): unknown[] {
  const list = Array.isArray(before) ? before : [];
  return list.some((one) => same(one, value)) ? list.filter((one) => !same(one, value)) : [...list, value];
}
