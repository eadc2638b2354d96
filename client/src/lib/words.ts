// Sentences from templates, as docs/kernel.md has them: {field}, {field:seat}, {field:seats}, {field:last}, {field:place},
// {field:@table}, and {field:0=misses|1=hits|*=hits {field} times}.

import type { Choice } from "./shapes";

export type Templates = Record<string, Record<string, string>>;
type Data = Record<string, unknown>;
interface Hole {
  field: string;
  form: string;
  cases: Map<string, string> | null;
}

const FORMS = new Set(["", "seat", "seats", "last", "place"]);
const GROUND = 0.5; // inches: what lies no higher lies on the ground

/** As the templates spell a value: they were written where True and None are called so. */
function spelt(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  return String(value);
}

export class Words {
  constructor(
    readonly templates: Templates,
    readonly names: Record<string, string>,
  ) {}

  choice(choice: Choice): string {
    const template = this.templates.choices?.[choice.verb];
    return template ? this.fill(template, choice) : bare(choice);
  }

  /** An action before its fields are known: what stays of the sentence when they say nothing. */
  verb(verb: string, doer: Choice | null = null): string {
    const named = this.templates.verbs?.[verb];
    if (named) return named;
    const template = this.templates.choices?.[verb];
    if (!template) return verb.replaceAll("_", " ");
    const said = this.fill(strip(template, doer), { verb, ...doer });
    return tidied(said) || verb.replaceAll("_", " ");
  }

  /** One value of one field, as the sentence of its verb would say it. */
  value(verb: string, field: string, value: unknown, data: Data = {}): string {
    if (typeof value === "boolean") return "";
    const template = this.templates.choices?.[verb];
    const hole = template ? findHole(template, field) : null;
    const said = hole ? tidied(this.hole(hole, { ...data, [field]: value })) : "";
    return said || this.plain(value);
  }

  /** What a value does, where the templates have a note on it. */
  note(verb: string, field: string, value: unknown): string {
    const template = this.templates.choices?.[verb];
    const form = (template && findHole(template, field)?.form) || "";
    const note = form.startsWith("@") ? this.templates[`${form.slice(1)}_note`]?.[String(value)] : undefined;
    return (note ?? "").trim().replace(/^\(|\)$/g, "");
  }

  field(name: string): string {
    return this.templates.fields?.[name] ?? name.replaceAll("_", " ");
  }

  plain(value: unknown): string {
    if (Array.isArray(value)) return listed(value.map((item) => this.plain(item)));
    const text = spelt(value);
    return this.templates.values?.[text] ?? text;
  }

  name(seat: unknown): string {
    return this.names[String(seat)] ?? (typeof seat === "number" ? `seat ${seat}` : String(seat));
  }

  fill(template: string, data: Data): string {
    return taken(template)
      .map((part) => (typeof part === "string" ? part : this.hole(part, data)))
      .join("");
  }

  private hole({ field, form, cases }: Hole, data: Data): string {
    const value = data[field];
    if (cases) {
      const chosen = cases.get(spelt(value)) ?? cases.get("*") ?? spelt(value);
      return chosen.includes("{") ? this.fill(chosen, data) : chosen;
    }
    if (form === "") return this.plain(value);
    if (form === "seat") return this.name(value);
    if (form === "seats") return listed(((value as unknown[]) ?? []).map((seat) => this.name(seat)));
    if (form === "last") return Array.isArray(value) && value.length ? this.plain(value.at(-1)) : "";
    if (form === "place") return place(value);
    return this.templates[form.slice(1)]?.[spelt(value)] ?? spelt(value);
  }
}

function bare(choice: Choice): string {
  const figures = Object.entries(choice).filter(([key]) => key !== "verb");
  const said = figures.map(([key, value]) => `${key} ${spelt(value)}`).join(", ");
  return choice.verb.replaceAll("_", " ") + (said ? `: ${said}` : "");
}

/** Holes that stand for nothing yet are taken out, unless the template has words for nothing. */
function strip(template: string, known: Data | null): string {
  const parts = taken(template).map((part) => {
    if (typeof part === "string") return part;
    if (known && part.field in known) return raw(part);
    return part.cases?.has("None") ? raw(part) : "";
  });
  return parts.join("");
}

function raw({ field, form, cases }: Hole): string {
  const inside = cases ? [...cases].map(([key, words]) => `${key}=${words}`).join("|") : form;
  return `{${field}${inside ? `:${inside}` : ""}}`;
}

function tidied(said: string): string {
  return said
    .replace(/\s+/g, " ")
    .replace(/^[\s,;:]+|[\s,;:]+$/g, "")
    .replace(/\b(at|with|to|towards|against|the)$/u, "")
    .trim();
}

function findHole(template: string, field: string): Hole | null {
  for (const part of taken(template)) {
    if (typeof part === "string") continue;
    if (part.field === field) return inner(part) ?? part;
    for (const words of part.cases?.values() ?? []) {
      const found = words.includes("{") ? findHole(words, field) : null;
      if (found) return found;
    }
  }
  return null;
}

/** Of words by value, those for any value often hold the plain hole: "{to:None=|*= to {to:place}}". */
function inner(hole: Hole): Hole | null {
  const any = hole.cases?.get("*");
  return any?.includes("{") ? findHole(any, hole.field) : null;
}

const known = new Map<string, (string | Hole)[]>();

function taken(template: string): (string | Hole)[] {
  const before = known.get(template);
  if (before) return before;
  const parts: (string | Hole)[] = [];
  let rest = template;
  for (let at = rest.indexOf("{"); at >= 0; at = rest.indexOf("{")) {
    const end = closing(rest, at + 1);
    const inside = rest.slice(at + 1, end);
    const colon = inside.indexOf(":");
    const [field, form] = colon < 0 ? [inside, ""] : [inside.slice(0, colon), inside.slice(colon + 1)];
    const byValue = !FORMS.has(form) && !form.startsWith("@");
    parts.push(rest.slice(0, at), { field, form, cases: byValue ? casesOf(form) : null });
    rest = rest.slice(end + 1);
  }
  parts.push(rest);
  known.set(template, parts);
  return parts;
}

function casesOf(form: string): Map<string, string> {
  return new Map(
    split(form).map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1)] as const;
    }),
  );
}

function closing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    depth += text[at] === "{" ? 1 : text[at] === "}" ? -1 : 0;
    if (depth === 0) return at;
  }
  throw new Error(`a hole is not closed: ${text}`);
}

function split(form: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of form) {
    depth += letter === "{" ? 1 : letter === "}" ? -1 : 0;
    if (letter === "|" && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

export function place(value: unknown): string {
  if (!Array.isArray(value)) return value === null || value === undefined ? "" : ruled(value);
  if (value.length < 2) return listed(value.map(ruled));
  const [x, y, up] = value as number[];
  const height = up !== undefined && up > GROUND ? `, ${ruled(up)} inches up` : "";
  return `${ruled(x)}, ${ruled(y)}${height}`;
}

function ruled(figure: unknown): string {
  return typeof figure === "number" ? String(Math.round(figure * 10) / 10) : String(figure);
}

export function listed(items: string[]): string {
  return items.length > 1 ? `${items.slice(0, -1).join(", ")} and ${items.at(-1)}` : items.join("");
}

export function sentence(said: string): string {
  return said ? said[0]!.toUpperCase() + said.slice(1) : said;
}
