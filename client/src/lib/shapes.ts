// The shapes of offers, and of what the server draws. Nothing here knows a game.

export type Seat = number;
export type TokenId = string | number;
export type Point = [number, number];
export type Place = number[]; // x, y and height in inches
export interface Choice {
  verb: string;
  [field: string]: unknown;
}

export type Domain =
  | { type: "one"; among: unknown[] }
  | { type: "flag" }
  | { type: "number"; low: number; high: number; step: number; unit: string }
  | { type: "several"; among: unknown[]; least: number; most: number; what: string }
  | { type: "spot"; what: string };

export interface Offer {
  verb: string;
  rule: string;
  fields?: Record<string, Domain>;
  cost?: Record<string, number>;
  gives_up?: boolean;
  minor?: boolean;
}

export interface Question {
  rule: string;
  topic: string;
  text: string;
  offers: Offer[];
  default: Choice;
  by?: string;
  doers?: TokenId[];
}

export interface Bar {
  name: string;
  now: number;
  most: number;
}

export interface Token {
  id: TokenId;
  name: string;
  label: string;
  shape: "man" | "lying" | "fallen" | "plane" | "vehicle" | "thing";
  at?: Point | null;
  where?: string;
  side?: Seat | null;
  group?: string;
  colour?: string;
  size?: Point;
  pivot?: number | null;
  angle?: number | null;
  height?: number;
  level?: number;
  bars?: Bar[];
  signs?: { sign: string; means: string }[];
  facts?: [string, string][];
  lost?: boolean;
  active?: boolean;
}

export interface Board {
  title: string;
  width: number;
  height: number;
  scale: number;
  patterns: string;
  floors: { name: string; svg: string }[];
  marks: string[];
  tokens: Token[];
  picks?: string[]; // fields of offers that name tokens or places
  places?: { id: TokenId; name: string; at: Point; level?: number }[];
  facts?: string[];
  scores?: { side: Seat; name: string; colour: string; text: string }[];
  turn?: number;
  night?: boolean;
  measured?: boolean;
  compass?: boolean;
}

export interface Reckoned {
  text?: string;
  chances?: { what: string; exactly: string; share: number }[];
  terms?: { what: string; value: number; rule: string }[];
  total?: string;
  marks?: string[];
}

export interface Reason {
  rule: string;
  fact: string;
  text: string;
  choice?: Choice;
}

export interface Told {
  rule: string;
  fact: string;
  data: Record<string, unknown>;
  text: string;
  die?: string;
}

export interface Happened {
  n: number;
  kind: string;
  seat?: Seat;
  by?: Seat;
  undone?: number[];
  reports?: Told[];
}

export interface Chair {
  seat: Seat;
  role: string;
  side: string;
  player: string;
  name: string;
  present: boolean;
  watchable: boolean;
  time_left?: number | null;
  resigned?: boolean;
}

export interface Proposal {
  kind: "undo" | "draw";
  seat: Seat;
  agreed: Seat[];
  needs: Seat[];
}

export interface Line {
  type: "said";
  seat: Seat;
  to: Seat[];
  text: string;
}

export interface Thrown {
  rule: string;
  kind: string;
  faces: unknown[];
  about: Record<string, unknown>;
}
