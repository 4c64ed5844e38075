/**
 * SQL as a value: fragments compose, every value is bound, and identifiers come only from `identifier`. Text reaches
 * a statement only as a template literal of this code.
 */
import { hash } from 'node:crypto';
import { bytesOfText } from '../lib/lru.ts';

/** Bindable values. Cells travel as text and are cast in the statement; lists travel as one array. */
export type Value = string | number | bigint | boolean | null | readonly (string | null)[] | readonly number[];

type Take = (sent: unknown) => Value;

/** A bound value: `value`, or the result of `take` for what the statement is sent with, initially `sent`. */
class Parameter {
  readonly value: Value;
  readonly take: Take | undefined;
  readonly sent: unknown;
  constructor(value: Value, take?: Take, sent?: unknown) {
    this.value = value;
    this.take = take;
    this.sent = sent;
  }
}

/**
 * A part of a statement: text and parameters. Input from outside becomes a parameter, or a quoted `identifier` or
 * `literal`.
 */
export class Sql {
  /** Text and parameters, alternating. */
  readonly parts: readonly (string | Parameter)[];
  constructor(parts: readonly (string | Parameter)[]) {
    this.parts = parts;
  }
}

/** Builds a fragment: interpolated `Sql` is spliced in, everything else is bound as a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly (Sql | Value)[]): Sql {
  const parts: (string | Parameter)[] = [strings[0]!];
  values.forEach((value, index) => {
    if (value instanceof Sql) append(parts, value.parts);
    else parts.push(new Parameter(value));
    append(parts, [strings[index + 1]!]);
  });
  return new Sql(parts);
}

/** A time in milliseconds since the epoch as a bound timestamptz. */
export function instant(millis: number): Sql {
  return sql`${new Date(millis).toISOString()}::timestamptz`;
}

/** Merges adjacent texts, so that nested fragments stay short. */
function append(parts: (string | Parameter)[], more: readonly (string | Parameter)[]): void {
  for (const part of more) {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
}

export const empty = new Sql([]);

/** Approximate bytes of a fragment's text in memory. */
export function bytesOfSql({ parts }: Sql): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? bytesOfText(part) : 0), 0);
}

/** A quoted identifier, or a qualified one. Names must come from metadata or from code. */
export function identifier(...names: readonly string[]): Sql {
  return new Sql([names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')]);
}

/** A quoted text constant, for DDL, which takes no parameters. */
export function literal(text: string): Sql {
  const doubled = text.replaceAll("'", "''");
  return new Sql([text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`]);
}

/** Text of this program, such as a column type or `desc`; never input from outside. */
export function trusted(text: string): Sql {
  return new Sql([text]);
}

/** The fragments joined with `separator`, which is text of the program, never a caller's. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  const parts: (string | Parameter)[] = [];
  fragments.forEach((fragment, index) => {
    if (index > 0) append(parts, [separator]);
    append(parts, fragment.parts);
  });
  return new Sql(parts);
}

/** All conditions hold; true without any. */
export function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`;
}

/** One of the conditions holds; false without any. */
export function or(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`;
}

/** `with …` in front of a statement; empty without clauses. */
export function withClauses(clauses: readonly Sql[]): Sql {
  return clauses.length === 0 ? empty : sql`with ${join(clauses, ',\n')}`;
}

/** A statement ready for the driver. Named ones are prepared once per connection. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  readonly name?: string;
  /** Its plan does not depend on values, so PostgreSQL need not plan it anew for each of them. */
  readonly hasOnePlan?: boolean;
}

/**
 * Numbers the parameters. With `version` (the model's) the statement is named after its shape and that version, so
 * that a changed column never meets an old plan.
 */
export function statement(fragment: Sql, version?: string): Statement {
  const { text, parameters } = numbered(fragment);
  const values = parameters.map(({ value, take, sent }) => (take ? take(sent) : value));
  return version === undefined ? { text, values } : { text, values, name: shapeName(text, version) };
}

/**
 * A parameter computed from what the statement is sent with: from `sent` in a `statement`, from each call's argument
 * in a template, whose slots all take the same argument.
 */
export function slot<Sent>(take: (sent: Sent) => Value, sent?: Sent): Sql {
  return new Sql([new Parameter(null, take as Take, sent)]);
}

/** A statement whose slots are filled when it is sent. */
export interface Template {
  readonly text: string;
  /** Undefined without a version. */
  readonly name: string | undefined;
  /** The values of the parameters; the slots take theirs from `sent`. */
  valuesOf(sent: unknown): readonly Value[];
}

/** A template, named like a `statement`. */
export function templateOf(fragment: Sql, version: string | undefined): Template {
  const { text, parameters } = numbered(fragment);
  // Drops the initial arguments, which would be kept in memory.
  const bound = parameters.map((one) => (one.sent === undefined ? one : new Parameter(one.value, one.take)));
  return {
    text,
    name: version === undefined ? undefined : shapeName(text, version),
    valuesOf: (sent) => bound.map(({ value, take }) => (take ? take(sent) : value)),
  };
}

/** The template's statement, with its slots filled from `sent`. */
export function filled({ text, name, valuesOf }: Template, sent: unknown): Statement {
  return { text, values: valuesOf(sent), ...(name !== undefined && { name }) };
}

/** As `templateOf`, for a statement that is built once and sent often. */
export function template(fragment: Sql, version: string): (sent: unknown) => Statement {
  const whole = templateOf(fragment, version);
  return (sent) => filled(whole, sent);
}

function numbered({ parts }: Sql): { text: string; parameters: readonly Parameter[] } {
  const numbers = new Map<Parameter, number>(); // a fragment used several times binds its values once
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else {
      let number = numbers.get(part);
      if (number === undefined) numbers.set(part, (number = numbers.size + 1));
      text += `$${number}`;
    }
  }
  return { text, parameters: [...numbers.keys()] };
}

/** Computed each time: a cache look-up by text costs no less. */
function shapeName(text: string, version: string): string {
  return `${hash('sha256', text, 'base64url').slice(0, 22)}_${version}`;
}
