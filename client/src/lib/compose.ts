// Putting a choice together from offers: which fields are still open, what each may be, when it is whole. Legality stays with
// the server: this only asks for nothing that no offer has.

import type { Choice, Domain, Offer } from "./shapes";

export type Values = Record<string, unknown>;

export interface Field {
  name: string;
  domains: Domain[];
  values: unknown[]; // of short lists, in the order of the offers
  shape: "one" | "flag" | "number" | "several" | "spot";
}

/** 1, 1.0 and "1" are different things, and so are lists by what they hold. */
export function same(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}

export function admits(domain: Domain, value: unknown): boolean {
  switch (domain.type) {
    case "one":
      return domain.among.some((one) => same(one, value));
    case "flag":
      return typeof value === "boolean";
    case "number":
      return typeof value === "number" && value >= domain.low && value <= domain.high && (value - domain.low) % domain.step === 0;
    case "several":
      return Array.isArray(value) && value.every((one) => domain.among.some((other) => same(one, other)));
    case "spot":
      return Array.isArray(value);
  }
}

/** The offers of a verb that what was picked so far still fits. */
export function fitting(offers: readonly Offer[], verb: string, values: Values): Offer[] {
  return offers.filter(
    (offer) =>
      offer.verb === verb &&
      Object.entries(values).every(([name, value]) => {
        const domain = offer.fields?.[name];
        return domain !== undefined && admits(domain, value);
      }),
  );
}

/** Every field of a verb, and what it may be when the others stay as they are. */
export function fields(offers: readonly Offer[], verb: string, values: Values): Field[] {
  const names = [...new Set(fitting(offers, verb, {}).flatMap((offer) => Object.keys(offer.fields ?? {})))];
  const found: Field[] = [];
  for (const name of names) {
    const others = Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
    const domains = fitting(offers, verb, others).flatMap((offer) => (offer.fields?.[name] ? [offer.fields[name]] : []));
    if (domains.length) found.push(field(name, domains));
  }
  return found;
}

function field(name: string, domains: Domain[]): Field {
  const values: unknown[] = [];
  for (const domain of domains) {
    const among = domain.type === "flag" ? [false, true] : domain.type === "one" || domain.type === "several" ? domain.among : [];
    for (const value of among) if (!values.some((other) => same(other, value))) values.push(value);
  }
  return { name, domains, values, shape: domains[0]!.type };
}

/** The choice, when nothing is open any more. */
export function whole(offers: readonly Offer[], verb: string, values: Values): Choice | null {
  const names = Object.keys(values);
  const found = fitting(offers, verb, values).some(
    (offer) => Object.keys(offer.fields ?? {}).length === names.length && names.every((name) => settled(offer.fields![name]!, values[name])),
  );
  return found ? { verb, ...values } : null;
}

function settled(domain: Domain, value: unknown): boolean {
  return domain.type !== "several" || (Array.isArray(value) && value.length >= domain.least && value.length <= domain.most);
}

/** With all that leaves no choice filled in. */
export function obvious(offers: readonly Offer[], verb: string, values: Values): Values {
  const filled: Values = { ...values };
  for (let again = true; again; ) {
    again = false;
    const fit = fitting(offers, verb, filled);
    for (const { name, shape, values: among } of fields(offers, verb, filled)) {
      const everywhere = fit.length > 0 && fit.every((offer) => offer.fields?.[name]);
      if (!(name in filled) && everywhere && shape === "one" && among.length === 1) {
        filled[name] = among[0];
        again = true;
      }
    }
  }
  return filled;
}

/** Which fields name things on the table? */
export type Named = (field: string, values: readonly unknown[]) => boolean;

export function isOfTokens({ name, shape, values }: Field, named: Named): boolean {
  return (shape === "one" || shape === "several") && named(name, values);
}

/** What is picked on the table comes first; the rest has a value to begin with, which can be changed. */
export function usual(
  offers: readonly Offer[], verb: string, values: Values, named: Named, touched: ReadonlySet<string>,
): Values {
  let filled = obvious(offers, verb, values);
  const all = fields(offers, verb, filled);
  const placed = (field: Field) => isOfTokens(field, named) || field.shape === "spot";
  const open = all.filter((field) => placed(field) && !(field.name in filled) && isNeeded(offers, verb, filled, field.name));
  if (!all.some(placed) || open.length) return filled;
  for (const { name, shape, values: among } of all) {
    if (name in filled || touched.has(name) || !(shape === "one" || shape === "flag")) continue;
    if (!isNeeded(offers, verb, filled, name)) continue;
    filled = obvious(offers, verb, { ...filled, [name]: among[0] });
  }
  return filled;
}

/** Is there no way to be whole without this field? */
function isNeeded(offers: readonly Offer[], verb: string, values: Values, name: string): boolean {
  const fit = fitting(offers, verb, values);
  return fit.length > 0 && fit.every((offer) => offer.fields?.[name]);
}

/** The fields to show. What only some ways need waits until the rest is picked, and never keeps one from changing the rest:
 * it came with another value, and goes with it. */
export function asked(offers: readonly Offer[], verb: string, values: Values): Field[] {
  const all = fields(offers, verb, values);
  const always = Object.fromEntries(Object.entries(values).filter(([name]) => isNeeded(offers, verb, {}, name)));
  const wide = new Map(fields(offers, verb, always).map((field) => [field.name, field]));
  const needed = (name: string) => isNeeded(offers, verb, values, name);
  const open = all.some(({ name }) => !(name in values) && needed(name));
  return all
    .filter(({ name }) => name in values || !open || needed(name))
    .map((field) => (field.name in always ? (wide.get(field.name) ?? field) : field));
}

/** How many choices an offer holds; endless with a spot. */
export function size(offer: Offer): number {
  let many = 1;
  for (const domain of Object.values(offer.fields ?? {})) {
    if (domain.type === "one") many *= domain.among.length;
    else if (domain.type === "flag") many *= 2;
    else if (domain.type === "number") many *= Math.max(0, Math.floor((domain.high - domain.low) / domain.step) + 1);
    else many *= Infinity;
  }
  return many;
}

/** All choices of an offer that holds few. */
export function choices(offer: Offer): Choice[] {
  let found: Choice[] = [{ verb: offer.verb }];
  for (const [name, domain] of Object.entries(offer.fields ?? {})) {
    const values =
      domain.type === "one" ? domain.among
      : domain.type === "flag" ? [true, false]
      : domain.type === "number" ? range(domain.low, domain.high, domain.step)
      : [];
    found = values.flatMap((value) => found.map((choice) => ({ ...choice, [name]: value })));
  }
  return found;
}

function range(low: number, high: number, step: number): number[] {
  return Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, k) => low + k * step);
}

/** Of an offer of cards or figures, each with several values, one picks field by field; all else is listed. */
export function isListed(offers: readonly Offer[], most = 12): boolean {
  const many = offers.reduce((sum, offer) => sum + size(offer), 0);
  const open = (offer: Offer) => Object.values(offer.fields ?? {}).filter((domain) => domain.type !== "one" || domain.among.length > 1);
  return many <= most && offers.every((offer) => open(offer).length <= 1);
}

export interface Act {
  verb: string;
  rule: string;
  cost: Record<string, number>;
  minor: boolean;
  gives_up: boolean;
}

/** The verbs that are offered, in order, each with the least it may cost. */
export function acts(offers: readonly Offer[]): Act[] {
  const found = new Map<string, Act>();
  for (const { verb, rule, cost = {}, minor = false, gives_up = false } of offers) {
    const before = found.get(verb);
    if (!before) found.set(verb, { verb, rule, cost, minor, gives_up });
    else {
      before.minor &&= minor;
      for (const [name, figure] of Object.entries(cost)) before.cost = { ...before.cost, [name]: Math.min(figure, before.cost[name] ?? figure) };
    }
  }
  return [...found.values()];
}
