/**
 * SQL as a value: fragments compose, every value is bound, and an identifier is only ever made by `identifier`.
 * Text can't reach a statement but as a template literal of this code.
 */
import { hash } from 'node:crypto';
import { bytesOfText } from '../lib/lru.ts';

/** What may be bound. Cells travel as text and are cast in the statement; lists travel as one array. */
export type Value = string | number | bigint | boolean | null | readonly (string | null)[] | readonly number[];

type Take = (sent: unknown) => Value;

/** What is bound: `value`, or what `take` makes of what the statement is sent with, at first `sent`. */
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

/** A part of a statement: text and parameters. What comes from outside gets in as a parameter, or quoted as an `identifier` or `literal`. */
export class Sql {
  /** Text and parameters in turn. */
  readonly parts: readonly (string | Parameter)[];
  constructor(parts: readonly (string | Parameter)[]) {
    this.parts = parts;
  }
}

/** A fragment: interpolated `Sql` is spliced in, everything else is bound as a parameter. */
export function sql(strings: TemplateStringsArray, ...values: readonly (Sql | Value)[]): Sql {
  const parts: (string | Parameter)[] = [strings[0]!];
  values.forEach((value, index) => {
    if (value instanceof Sql) append(parts, value.parts);
    else parts.push(new Parameter(value));
    append(parts, [strings[index + 1]!]);
  });
  return new Sql(parts);
}

/** A moment, in milliseconds since the epoch, as a bound timestamptz. */
export function instant(millis: number): Sql {
  return sql`${new Date(millis).toISOString()}::timestamptz`;
}

/** Text that meets text becomes one part, so that fragments of fragments stay short. */
function append(parts: (string | Parameter)[], more: readonly (string | Parameter)[]): void {
  for (const part of more) {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
}

export const empty = new Sql([]);

/** About what the text of a fragment takes in memory. */
export function bytesOfSql({ parts }: Sql): number {
  return parts.reduce((sum, part) => sum + (typeof part === 'string' ? bytesOfText(part) : 0), 0);
}

/** A quoted identifier, or a qualified one. The caller takes the names from metadata or from code. */
export function identifier(...names: readonly string[]): Sql {
  return new Sql([names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')]);
}

/** A quoted text constant: for DDL, which takes no parameters. */
export function literal(text: string): Sql {
  const doubled = text.replaceAll("'", "''");
  return new Sql([text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`]);
}

/** Text of this program's own, such as a column type or `desc`; never anything from outside. */
export function trusted(text: string): Sql {
  return new Sql([text]);
}

/** The fragments one after the other, `separator` between them; it is text of the program, never of a caller. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  const parts: (string | Parameter)[] = [];
  fragments.forEach((fragment, index) => {
    if (index > 0) append(parts, [separator]);
    append(parts, fragment.parts);
  });
  return new Sql(parts);
}

/** All conditions hold; true where there are none. */
export function and(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`true` : sql`(${join(conditions, ' and ')})`;
}

/** One of the conditions holds; false where there are none. */
export function or(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql`false` : sql`(${join(conditions, ' or ')})`;
}

/** `with …` in front of a statement; nothing where there are no clauses. */
export function withClauses(clauses: readonly Sql[]): Sql {
  return clauses.length === 0 ? empty : sql`with ${join(clauses, ',\n')}`;
}

/** A statement ready for the driver. Named ones are prepared once per connection. */
export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
  readonly name?: string;
  /** Its plan is the same whatever its values are: PostgreSQL need not plan it anew for each of them. */
  readonly hasOnePlan?: boolean;
}

/**
 * Numbers the parameters. With `version` (the model's) the statement is named after its shape and that version,
 * so that a changed column never meets an old plan.
 */
export function statement(fragment: Sql, version?: string): Statement {
  const { text, parameters } = numbered(fragment);
  const values = parameters.map(({ value, take, sent }) => (take ? take(sent) : value));
  return version === undefined ? { text, values } : { text, values, name: shapeName(text, version) };
}

/**
 * A parameter whose value is taken from what the statement is sent with: from `sent` in a `statement`, from what is sent each time
 * in a `template`, all slots of which take from the same.
 */
export function slot<Sent>(take: (sent: Sent) => Value, sent?: Sent): Sql {
  return new Sql([new Parameter(null, take as Take, sent)]);
}

/** A statement that is made once and sent often, each time with what its slots take from `sent`. */
export function template(fragment: Sql, version: string): (sent: unknown) => Statement {
  const { text, parameters } = numbered(fragment);
  const name = shapeName(text, version);
  // What it was sent with at first is not held on to.
  const bound = parameters.map(({ value, take }) => ({ value, take }));
  return (sent) => ({ text, values: bound.map(({ value, take }) => (take ? take(sent) : value)), name });
}

function numbered({ parts }: Sql): { text: string; parameters: readonly Parameter[] } {
  const numbers = new Map<Parameter, number>(); // a fragment that stands in several places binds its values once
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

/** Made anew each time: to look a text up among those that were seen costs no less. */
function shapeName(text: string, version: string): string {
  return `${hash('sha256', text, 'base64url').slice(0, 22)}_${version}`;
}
