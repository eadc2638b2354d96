// Made from the server's OpenAPI document by tools/typescript.py: do not edit, make it anew.

export interface BillLine {
  what: string;
  points: number;
  rule: string;
  role?: string;
  n?: number;
  back?: string[];
}

/** The rules of a system in our words, and the words in which its games are told. */
export interface Book {
  key: string;
  title: string;
  rules_version: string;
  rules: RuleFacts[];
  words: Record<string, Record<string, string>>;
  guide: GuideFacts;
}

/** All that a roster may name, with prices. */
export interface Catalogue {
  system: string;
  title: string;
  points: number;
  lists: Hire[];
}

export interface Changes {
  name?: string | null;
  webhook?: string | null;
}

export interface ChoiceMade {
  n: number;
  choice: Record<string, unknown>;
  seat?: number | null;
}

/** What is wrong with a roster, or perhaps not meant, and how to mend it. */
export interface Flaw {
  rule: string;
  fact: string;
  data: Record<string, unknown>;
  text: string;
}

export interface ForkWanted {
  n: number;
  players?: Record<string, string>;
  entropy?: string;
}

/** What everyone at the table may know. */
export interface GameFacts {
  game: string;
  system: string;
  title: string;
  rules_version: string;
  options: Record<string, unknown>;
  dice: string;
  commitment: string;
  entropy: string;
  over: boolean;
  n: number;
  waiting: number[];
  role: string;
  seat: number | null;
  chairs: SeatFacts[];
}

/** The keys are shown this once: keep them. */
export interface GameMade {
  game: string;
  keys: Record<string, string>;
  watch: string;
}

export interface GameOfMine {
  game: string;
  system: string;
  title: string;
  seat: number;
  role: string;
  over: boolean;
  n: number;
  waiting: number[];
  my_turn: boolean;
  moved: string;
  created: string;
  link: string;
  people?: Sitting[];
}

/** What a host asks for. */
export interface GameWanted {
  system: string;
  scenario?: string | Record<string, unknown> | null;
  seats?: number | null;
  teams?: number[][] | null;
  options?: Record<string, unknown>;
  players?: Record<string, string>;
  rosters?: Record<string, Record<string, unknown>>;
  umpire?: boolean;
  dice?: "sealed" | "typed";
  entropy?: string;
  delay?: number;
  clock?: number | null;
  increment?: number;
  webhook?: string;
}

export interface GamesOfMine {
  games: GameOfMine[];
  next: string | null;
}

/** What a newcomer is told in his first game. */
export interface GuideFacts {
  scenario: string;
  steps: StepFacts[];
}

export interface Health {
  status?: string;
  version?: string;
}

/** A list: a team of it is `{"list": id}` in the roster's `teams`. */
export interface Hire {
  id: string;
  name: string;
  group: string;
  points: number;
  reconstructed: boolean;
  men: Man[];
  wares: Ware[];
}

export interface Imported {
  game: string;
  keys: Record<string, string>;
  watch: string;
  over: boolean;
}

export interface Man {
  role: string;
  title: string;
  sets: Named[][];
}

/** A roster, and all that can be said about it. */
export interface Mustered {
  system: string;
  roster: Record<string, unknown>;
  legal: boolean;
  cost: number;
  points: number;
  violations: Flaw[];
  notes: Flaw[];
  bill: TeamBill[];
  bill_text: string;
  sheet: string;
  text: string;
  link: string;
}

export interface Named {
  id: string;
  name: string;
}

export interface NewPerson {
  name: string;
}

export interface Offered {
  systems: SystemFacts[];
  bots: string[];
}

export interface OptionFacts {
  name: string;
  takes: string;
  default: unknown;
  rule: string;
}

/** Why a request was not met. Nothing has changed. */
export interface Problem {
  error: string;
  rule?: string | null;
  fact?: string | null;
  data?: Record<string, unknown> | null;
}

export interface Profile {
  name: string;
  webhook: string;
  since: string;
}

export interface RosterByChance {
  points?: number;
  seed?: number;
  of?: string | null;
  options?: Record<string, unknown>;
}

export interface RosterGiven {
  roster: Record<string, unknown>;
  points?: number | null;
  mixed?: boolean;
  options?: Record<string, unknown>;
}

export interface RosterShared {
  text: string;
}

export interface RuleFacts {
  id: string;
  name: string;
  text: string;
  source: string;
  ruling: string;
  options: string[];
}

export interface ScenarioFacts {
  key: string;
  name: string;
  about: string;
  seats: SideFacts[];
  fewest: number;
  most: number;
  usual: number;
}

export interface SeatFacts {
  seat: number;
  role: string;
  side: string;
  player: string;
  name: string;
  present: boolean;
  watchable: boolean;
  time_left?: number | null;
  resigned?: boolean;
}

export interface SeatKey {
  key: string;
}

/** The key is shown this once: keep it, or send it to whom the seat is for. */
export interface SeatLink {
  key: string;
}

export interface SeatTaken {
  game: string;
  seat: number;
  name: string;
}

export interface SideFacts {
  seat: number;
  side: string;
}

/** The key is shown this once: keep it. It is the sign-in link of all your devices. */
export interface SignIn {
  name: string;
  key: string;
}

export interface Sitting {
  seat: number;
  player: string;
  name: string;
}

export interface StepFacts {
  when: string;
  say: string;
  then: string;
}

export interface SystemFacts {
  key: string;
  title: string;
  about: string;
  seats: [number, number];
  rules_version: string;
  scenarios: ScenarioFacts[];
  first: string;
  plain: ScenarioFacts;
  options: OptionFacts[];
  muster: boolean;
}

export interface TeamBill {
  list: string;
  name: string;
  cost: number;
  lines: BillLine[];
}

export interface TurnsOfMine {
  turns: GameOfMine[];
}

export interface VerdictInWords {
  verified: boolean;
  entries: number;
  faces: number;
  text: string;
}

/** What a man of a list may buy. In a roster it is `{"role": ..., "item": id}` (or `perk`) in the `buy` of his team. */
export interface Ware {
  kind: string;
  id: string;
  name: string;
  points: number;
  rule: string;
  about?: string;
  once?: boolean;
  roles?: string[];
  needs?: string;
  not_with?: string[];
  most_in_team?: number | null;
  calibres?: string[];
}

/** The first message: who one is, and the last entry one has seen; `draw`: be shown boards instead of views. */
export interface Sit {
  do: "sit";
  id?: number | string | null;
  game: string;
  key: string;
  after?: number | null;
  draw?: boolean;
}

/** An answer. `n` is the number that it will have in the record: sent twice, it counts once. */
export interface Choose {
  do: "choose";
  id?: number | string | null;
  n: number;
  choice: Record<string, unknown>;
  seat?: number | null;
}

/** What a real die shows. */
export interface Enter {
  do: "enter";
  id?: number | string | null;
  n: number;
  face: unknown;
}

/** Take the last choice back; where others must agree, ask them. */
export interface Undo {
  do: "undo";
  id?: number | string | null;
}

/** Yes or no to what another seat proposes. */
export interface Agree {
  do: "agree";
  id?: number | string | null;
  kind: "draw" | "undo";
  yes?: boolean;
}

/** Propose that nobody wins. */
export interface Draw {
  do: "draw";
  id?: number | string | null;
}

/** Give up, whoever is asked now. */
export interface Resign {
  do: "resign";
  id?: number | string | null;
}

/** An answer begun and not yet given: kept for this seat alone, on whatever device. */
export interface Draft {
  do: "draft";
  id?: number | string | null;
  n: number;
  choice: Record<string, unknown> | null;
}

/** The question itself; nothing if none is put. */
export interface Put {
  do: "question";
  id?: number | string | null;
  seat?: number | null;
}

/** What would follow a choice. */
export interface Odds {
  do: "odds";
  id?: number | string | null;
  seat?: number | null;
  choice: Record<string, unknown>;
}

/** Why this cannot be chosen; without a choice, all that is barred. */
export interface Why {
  do: "why";
  id?: number | string | null;
  seat?: number | null;
  choice?: Record<string, unknown> | null;
}

/** What may be chosen for one of those that a question is put for (its `doers`). */
export interface OffersOf {
  do: "offers";
  id?: number | string | null;
  seat?: number | null;
  doer: unknown;
}

/** Points that a field of a choice would take: some of them, spread evenly. The other fields of the choice say which offer. */
export interface Spots {
  do: "spots";
  id?: number | string | null;
  seat?: number | null;
  choice: Record<string, unknown>;
  field: string;
  most?: number;
}

/** What a drilled bot would choose here. */
export interface Hint {
  do: "hint";
  id?: number | string | null;
  seat?: number | null;
}

/** What somebody on the table could see from where he stands, as far as this seat knows; `who` is the id of his token. */
export interface ThroughEyes {
  do: "eye";
  id?: number | string | null;
  seat?: number | null;
  who: string | number;
}

/** To all at the table, or whispered to some. */
export interface Say {
  do: "say";
  id?: number | string | null;
  text: string;
  to?: number[];
}

/** An umpire's ruling: fields of pieces set to values. */
export interface Ruling {
  do: "rule";
  id?: number | string | null;
  because: string;
  changes: [unknown, string, unknown][];
}

/** An umpire takes the game back to where it stood after an entry. */
export interface Rewind {
  do: "rewind";
  id?: number | string | null;
  to: number;
  because: string;
}

/** The umpire's own notes, kept whole. */
export interface Note {
  do: "note";
  id?: number | string | null;
  text: string;
}

/** May spectators look on? All people at the table must agree. */
export interface Watchable {
  do: "watchable";
  id?: number | string | null;
  yes: boolean;
}

/** Who plays a seat from now on: a bot by name, or `person` for its holder again. */
export interface TakeOver {
  do: "take_over";
  id?: number | string | null;
  seat: number;
  player: string;
}

/** Is anybody there? */
export interface Ping {
  do: "ping";
  id?: number | string | null;
}

/** All that a seat needs to begin or to go on. Who draws has a `board` and no `view`; an umpire's `views` are boards then. */
export interface Sat {
  type: "sat";
  id: number | string | null;
  game: string;
  system: string;
  title: string;
  role: "player" | "spectator" | "umpire";
  n: number;
  view: unknown;
  waiting: number[];
  chairs: Chair[];
  seat?: number | null;
  briefing?: string;
  entries?: Happened[];
  question?: Asked | null;
  throw?: Thrown | null;
  draft?: unknown;
  talk?: Line[];
  proposals?: Proposal[];
  outcome?: unknown;
  notes?: string | null;
  views?: Record<string, unknown> | null;
  board?: Board | null;
  names?: Record<string, string>;
}

/** Who sits where, as everyone may know. */
export interface Chair {
  seat: number;
  role: string;
  side: string;
  player: string;
  name: string;
  present: boolean;
  watchable: boolean;
  time_left?: number | null;
  resigned?: boolean;
}

/** An entry of the record, as far as this seat may know it. */
export interface Happened {
  n: number;
  kind: string;
  seat?: number | null;
  by?: number | null;
  undone?: number[];
  reports?: Told[];
}

/** A real die or card that the game waits for. */
export interface Thrown {
  rule: string;
  kind: string;
  faces: unknown[];
  about: Record<string, unknown>;
}

/** A line of talk. */
export interface Line {
  type: "said";
  seat: number;
  to: number[];
  text: string;
}

export interface Proposal {
  kind: string;
  seat: number;
  agreed: number[];
  needs: number[];
}

/** Something has happened: apply the edits to the view (or the board); the question is for this seat. */
export interface News {
  type: "news";
  n: number;
  entries: Happened[];
  edits: ([(string | number)[], unknown])[];
  waiting: number[];
  question?: Asked | null;
  throw?: Thrown | null;
  outcome?: unknown;
  views?: Record<string, ([(string | number)[], unknown])[]> | null;
}

/** Who sits at the table, and what is proposed, has changed. */
export interface Table {
  type: "table";
  chairs: Chair[];
  proposals?: Proposal[];
}

export interface Done {
  type: "done";
  id: number | string | null;
  n?: number | null;
  data?: unknown;
}

/** The rules, or the state of the game, forbid it; nothing has changed. */
export interface Refused {
  type: "refused";
  id: number | string | null;
  text: string;
  rule?: string;
  fact?: string;
  data?: Record<string, unknown>;
}

/** The message cannot be used; nothing has changed. */
export interface Wrong {
  type: "wrong";
  id: number | string | null;
  text: string;
}

/** One report, in figures and in words. */
export interface Told {
  rule: string;
  fact: string;
  data: Record<string, unknown>;
  text: string;
}

/** What this seat is asked. Where it may choose for several, `by` names the field that says for whom, `doers` are those, and `offers` holds only what is for nobody in particular: ask `offers` for the rest, one by one. */
export interface Asked {
  rule: string;
  topic: string;
  text: string;
  offers: Offer[];
  default: Record<string, unknown>;
  by?: string;
  doers?: unknown[];
}

/** A family of legal choices: a verb, its fields, what it costs, the rule that allows it. */
export interface Offer {
  verb: string;
  rule: string;
  fields?: Record<string, OneOf | Flag | Number | Several | Spot>;
  cost?: Record<string, number>;
  gives_up?: boolean;
  minor?: boolean;
}

/** One of a short list. */
export interface OneOf {
  type: "one";
  among: unknown[];
}

/** Yes or no. */
export interface Flag {
  type: "flag";
}

/** A whole number in a range; an angle is a number of degrees. */
export interface Number {
  type: "number";
  low: number;
  high: number;
  step?: number;
  unit?: string;
}

/** Some of a list, each at most once: tokens on the table, or cards of a hand. */
export interface Several {
  type: "several";
  among: unknown[];
  least: number;
  most: number;
  what?: string;
}

/** A point of the table, [x, y, z] in inches. What leaves the table is how its ground is called; the ground itself stays. */
export interface Spot {
  type: "spot";
  what: string;
}

export interface Board {
  title: string;
  width: number;
  height: number;
  scale: number;
  patterns: string;
  floors: Floor[];
  marks: string[];
  tokens: Token[];
  facts?: string[];
  scores?: Score[];
  turn?: number;
  night?: boolean;
  measured?: boolean;
  compass?: boolean;
  places?: Place[];
  picks?: string[];
}

/** The plan, with every building shown at this level; floors stand in order, the ground is level 0. */
export interface Floor {
  name: string;
  svg: string;
}

/** Somebody or something on the table, or waiting beside it; `id` is how offers name it. */
export interface Token {
  id: string | number;
  name: string;
  label: string;
  shape: "fallen" | "lying" | "man" | "plane" | "thing" | "vehicle";
  at?: [number, number] | null;
  where?: string;
  side?: number | null;
  group?: string;
  colour?: string;
  size?: [number, number];
  pivot?: number | null;
  angle?: number | null;
  height?: number;
  level?: number;
  bars?: Bar[];
  signs?: Sign[];
  facts?: [string, string][];
  lost?: boolean;
  active?: boolean;
}

/** A figure of so many at most: health, action points, speed. */
export interface Bar {
  name: string;
  now: number;
  most: number;
}

/** A short mark beside a token, and what it means. */
export interface Sign {
  sign: string;
  means: string;
}

export interface Score {
  side: number;
  name: string;
  colour: string;
  text: string;
}

/** Something of the plan that offers may name, and where its middle is: a house, a door, a wall. */
export interface Place {
  id: string;
  name: string;
  at: [number, number];
  level?: number;
}

/** What would follow from a choice, from the code that resolves it. */
export interface Reckoned {
  text?: string;
  chances?: Chance[];
  terms?: Term[];
  total?: string;
  marks?: string[];
}

/** How likely something is, exactly: a fraction as text, and as a share of 1. */
export interface Chance {
  what: string;
  exactly: string;
  share: number;
}

/** One thing that makes it easier or harder, with its rule. */
export interface Term {
  what: string;
  value: number;
  rule: string;
}

/** What a model could see from where it stands. */
export interface Eye {
  id: string | number;
  at: [number, number, number];
  angle: number;
  size: [number, number];
  solids: Solid[];
  others: Beheld[];
}

/** An upright piece of what stands about: an outline on the ground, from one height to another. */
export interface Solid {
  outline: [number, number][];
  bottom: number;
  top: number;
  look: string;
  open?: boolean;
  clear?: boolean;
}

/** Somebody as an eye sees him. */
export interface Beheld {
  id: string | number;
  name: string;
  colour: string;
  shape: [number, number, number, number, number][];
  probes: Probe[];
  shares: [string, string][];
  text: string;
}

/** A point of a body, as the sight kernel judged it. */
export interface Probe {
  at: [number, number, number];
  part: string;
  seen: string;
}

export type ToServer = Sit | Choose | Enter | Undo | Agree | Draw | Resign | Draft | Put | Odds | Why | OffersOf | Spots | Hint | ThroughEyes | Say | Ruling | Rewind | Note | Watchable | TakeOver | Ping;

export type FromServer = Sat | News | Table | Line | Done | Refused | Wrong;

/** The requests. */
export interface Requests {
  /** The games that can be played here, their scenarios, house rules and bots. */
  "GET /api/systems": { answer: Offered; };
  /** The table of a scenario as it stands at the beginning, as spectators see it. */
  "GET /api/systems/{system}/scenarios/{scenario}/picture.svg": { path: { system: string; scenario: string; }; answer: string; };
  /** Every rule of a system, and its words: all that a client needs to open the rule that a line cites. */
  "GET /api/systems/{system}": { path: { system: string; }; answer: Book; };
  /** The lists, their men and what each may buy; enough to build a form. */
  "GET /api/muster/{system}/catalogue": { path: { system: string; }; answer: Catalogue; };
  /** Is a roster legal? What it costs, line by line, and everything that is against the rules. */
  "POST /api/muster/{system}/check": { path: { system: string; }; body: RosterGiven; answer: Mustered; };
  /** A legal force by chance. */
  "POST /api/muster/{system}/random": { path: { system: string; }; body: RosterByChance; answer: Mustered; };
  /** A roster that somebody has sent: a link, or the text of a message. */
  "POST /api/muster/{system}/share": { path: { system: string; }; body: RosterShared; answer: Mustered; };
  /** Make a game; the answer holds a secret key for every seat, one for the umpire, and one for spectators. */
  "POST /api/games": { body: GameWanted; answer: GameMade; };
  /** What is played, who sits where, whose turn it is. */
  "GET /api/games/{game}": { path: { game: string; }; answer: GameFacts; };
  /** All that your seat may know now: view, question, what was said; and the entries after a number. */
  "GET /api/games/{game}/state": { path: { game: string; }; query: { after?: number | null; wait?: number; draw?: boolean; }; answer: Sat; };
  /** What has happened after an entry; waits for it, if asked to. */
  "GET /api/games/{game}/news": { path: { game: string; }; query: { after: number; wait?: number; draw?: boolean; }; answer: News; };
  /** A new secret link to a seat, for a friend or for yourself; the old one is void at once. */
  "POST /api/games/{game}/seats/{seat}/key": { path: { seat: number; game: string; }; answer: SeatLink; };
  /** Answer the question that your seat is asked. */
  "POST /api/games/{game}/choices": { path: { game: string; }; body: ChoiceMade; answer: Done; };
  /** Whatever may be asked over the socket: choose, type a face, take back, agree, resign, ask for odds, talk, rule ... The body is a request of the socket, named by `do`; the answer is its answer. */
  "POST /api/games/{game}/do": { path: { game: string; }; body: Choose | Enter | Undo | Agree | Draw | Resign | Draft | Put | Odds | Why | OffersOf | Spots | Hint | ThroughEyes | Say | Ruling | Rewind | Note | Watchable | TakeOver | Ping; answer: Done; };
  /** Make a sign-in link, without a password. */
  "POST /api/people": { body: NewPerson; answer: SignIn; };
  /** Who holds this sign-in link. */
  "GET /api/me": { answer: Profile; };
  /** Another name, another webhook (empty: none). */
  "PATCH /api/me": { body: Changes; answer: Profile; };
  /** A new sign-in link; the old one is void at once. */
  "POST /api/me/key": { answer: SignIn; };
  /** Take a seat under your name: from now on your sign-in link opens it on all your devices. */
  "POST /api/games/{game}/seat": { path: { game: string; }; body: SeatKey; answer: SeatTaken; };
  /** Leave your seat; who holds its secret key can take it. */
  "DELETE /api/games/{game}/seat": { path: { game: string; }; answer: null; };
  /** My games on all devices, newest first. */
  "GET /api/me/games": { query: { before?: string | null; most?: number; }; answer: GamesOfMine; };
  /** The games that wait for me: a feed to look at now and then, instead of a webhook. */
  "GET /api/me/turns": { query: { most?: number; }; answer: TurnsOfMine; };
  /** The same for a feed reader, which cannot send a key but in the address. */
  "GET /api/me/turns.atom": { query: { key?: string; }; answer: string; };
  /** The whole record of a finished game, as a file; of a running one, for its umpire. */
  "GET /api/games/{game}/record": { path: { game: string; }; answer: string; };
  /** Keep a record: a finished game to look at, a running one with typed dice to go on with, any running one as a fork. Its chain, its rules and its sealed dice are checked first. Send the file as it is. */
  "POST /api/records": { query: { fork?: boolean; }; body: string; answer: Imported; };
  /** A finished game again, as any seat heard and saw it, one line of JSON for each entry. The edits of the first line set the whole view (or board), those of the others change it. Where the game was played by other rules there are words only, and the line says so. */
  "GET /api/games/{game}/replay": { path: { game: string; }; query: { seat?: number | null; from?: number; to?: number | null; draw?: boolean; }; answer: string; };
  /** Run the rules again over the record of a finished game, and open the seal of its dice. */
  "GET /api/games/{game}/verify": { path: { game: string; }; answer: VerdictInWords; };
  /** A new game, with new keys and new dice, from any entry of a finished one; of a running one, for its umpire. */
  "POST /api/games/{game}/fork": { path: { game: string; }; body: ForkWanted; answer: GameMade; };
  /** This worker is alive. */
  "GET /health": { answer: Health; };
  /** Games can be read and written. */
  "GET /ready": { answer: Health; };
}
