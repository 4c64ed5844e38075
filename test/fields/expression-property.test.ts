/** Random expressions, compiled and asked of PostgreSQL, give what a small evaluator in memory gives. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compileExpression } from '../../src/fields/expressions/to-sql.ts';
import { parseExpression } from '../../src/fields/expressions/parse.ts';
import type { Expression } from '../../src/fields/expressions/tree.ts';
import type { FieldDef } from '../../src/fields/field-def.ts';
import type { ReadScope } from '../../src/fields/field-type.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { join, sql, statement } from '../../src/postgres/sql.ts';
import { randomFrom, type Random } from '../query/random.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testField } from './samples/sample.ts';
import { scopeOf } from './stand.ts';

type Value = number | boolean | string | null;
type Kind = 'number' | 'boolean' | 'text';
type Row = Readonly<Record<string, Value>>;

const fields: readonly FieldDef[] = [
  testField('INTEGER', 'a'),
  testField('DECIMAL', 'b'),
  testField('BOOLEAN', 'p'),
  testField('BOOLEAN', 'q'),
  testField('TEXT', 's'),
  testField('TEXT', 't'),
];
const named: Readonly<Record<Kind, readonly string[]>> = { number: ['a', 'b'], boolean: ['p', 'q'], text: ['s', 't'] };
const words = ['', 'a', 'Ab', 'b a', "it's", '%'];

/** Whole numbers alone: a float carries them exactly, as long as they are small. */
function randomRow(random: Random): Row {
  const maybe = <T extends Value>(value: T): T | null => (random.chance(0.25) ? null : value);
  return {
    a: maybe(random.below(9) - 4),
    b: maybe(random.below(5) - 2),
    p: maybe(random.chance(0.5)),
    q: maybe(random.chance(0.5)),
    s: maybe(random.pick(words)),
    t: maybe(random.pick(words)),
  };
}

function randomSource(random: Random, kind: Kind, depth: number): string {
  const of = (wanted: Kind) => randomSource(random, wanted, depth - 1);
  const any = () => of(random.pick(['number', 'boolean', 'text'] as const));
  if (depth === 0 || random.chance(0.15)) {
    if (random.chance(0.1)) return 'null';
    if (random.chance(0.6)) return random.pick(named[kind]);
    if (kind === 'number') return String(random.below(6));
    return kind === 'boolean' ? random.pick(['true', 'false']) : `'${random.pick(words).replaceAll("'", "''")}'`;
  }
  const common = [
    () => `if(${of('boolean')}, ${of(kind)}, ${of(kind)})`,
    () => `if(${of('boolean')}, ${of(kind)})`,
    () => `coalesce(${of(kind)}, ${of(kind)})`,
  ];
  const shapes: Record<Kind, (() => string)[]> = {
    number: [
      () => `(${of('number')} ${random.pick(['+', '-', '*', '%'])} ${of('number')})`,
      () => `-${of('number')}`,
      () => `(${of('number')} ${random.pick(['+', '-'])} ${of('number')} ${random.pick(['*', '%'])} ${of('number')})`,
      () => `abs(${of('number')})`,
      () => `${random.pick(['min', 'max'])}(${of('number')}, ${of('number')})`,
      () => `floor(${of('number')} / 2)`,
      () => `length(${of('text')})`,
    ],
    boolean: [
      () => `(${of('number')} ${random.pick(['=', '!=', '<', '<=', '>', '>='])} ${of('number')})`,
      () => `(${of('text')} ${random.pick(['=', '!='])} ${of('text')})`,
      () => `(${of('boolean')} ${random.pick(['and', 'or', '=', '!='])} ${of('boolean')})`,
      () => `(not ${of('boolean')})`,
      () => `is_empty(${any()})`,
      () => `${random.pick(['starts_with', 'ends_with', 'contains'])}(${of('text')}, ${of('text')})`,
    ],
    text: [
      () => `concat(${of('text')}, ${any()})`,
      () => `join('-', ${of('text')}, ${of('text')})`,
      () => `${random.pick(['upper', 'lower', 'trim'])}(${of('text')})`,
      () => `${random.pick(['left', 'right'])}(${of('text')}, ${of('number')})`,
      () => `replace(${of('text')}, ${of('text')}, ${of('text')})`,
      () => `text(${any()})`,
    ],
  };
  return random.pick([...common, ...shapes[kind]])();
}

function evaluate(tree: Expression, row: Row): Value {
  switch (tree.kind) {
    case 'text':
    case 'boolean':
      return tree.value;
    case 'number':
      return Number(tree.value);
    case 'null':
      return null;
    case 'field':
      return row[tree.name] ?? null;
    case 'not': {
      const value = evaluate(tree.of, row);
      return value === null ? null : !value;
    }
    case 'sign':
      return signed(tree.sign, evaluate(tree.left, row), evaluate(tree.right, row));
    default:
      return called(
        tree.name,
        tree.args.map((arg) => evaluate(arg, row)),
      );
  }
}

function signed(sign: string, a: Value, b: Value): Value {
  if (sign === 'and') return a === false || b === false ? false : a === null || b === null ? null : true;
  if (sign === 'or') return a === true || b === true ? true : a === null || b === null ? null : false;
  if (a === null || b === null) return null;
  const [x, y] = [Number(a), Number(b)];
  const found: Record<string, () => Value> = {
    '+': () => x + y,
    '-': () => x - y,
    '*': () => x * y,
    '/': () => (y === 0 ? null : x / y),
    '%': () => (y === 0 ? null : x % y),
    '=': () => a === b,
    '!=': () => a !== b,
    '<': () => a < b,
    '<=': () => a <= b,
    '>': () => a > b,
    '>=': () => a >= b,
  };
  const value = found[sign]?.() ?? null;
  return value === 0 ? 0 : value; // no negative zero
}

function called(name: string, args: readonly Value[]): Value {
  const [first = null, second = null, third = null] = args;
  const texts = args.map((arg) => (arg === null ? '' : String(arg)));
  const present = args.filter((arg) => arg !== null);
  const count = (text: string, from: (size: number) => string) =>
    Number(second) < 0 ? null : from(Math.min(Number(second), text.length));
  const strict: Record<string, (text: string, other: string, more: string) => Value> = {
    abs: () => Math.abs(Number(first)),
    floor: () => Math.floor(Number(first)) || 0,
    length: (text) => text.length,
    upper: (text) => text.toUpperCase(),
    lower: (text) => text.toLowerCase(),
    trim: (text) => text.trim(),
    text: (text) => text,
    left: (text) => count(text, (size) => text.slice(0, size)),
    right: (text) => count(text, (size) => text.slice(text.length - size)),
    starts_with: (text, other) => text.startsWith(other),
    ends_with: (text, other) => text.endsWith(other),
    contains: (text, other) => text.toLowerCase().includes(other.toLowerCase()),
    replace: (text, other, more) => (other === '' ? text : text.replaceAll(other, () => more)),
  };
  switch (name) {
    case 'if':
      return first === true ? second : third;
    case 'coalesce':
      return present[0] ?? null;
    case 'is_empty':
      return first === null || first === '';
    case 'concat':
      return texts.join('') || null;
    case 'join':
      return (
        texts
          .slice(1)
          .filter((text) => text !== '')
          .join(texts[0]) || null
      );
    case 'min':
    case 'max':
      return present.length === 0 ? null : Math[name](...present.map(Number));
    default: {
      const write = strict[name];
      if (!write) throw new Error(`the evaluator has no ${name}`);
      return present.length < args.length ? null : write(texts[0] ?? '', texts[1] ?? '', texts[2] ?? '');
    }
  }
}

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

const seed = Number(process.env['KITH_SEED'] ?? Math.floor(Math.random() * 1_000_000));

it(`300 expressions of seed ${seed}`, async () => {
  const random = randomFrom(seed);
  const rows = Array.from({ length: 40 }, () => randomRow(random));
  const cells = rows.map(
    (
      row,
      at,
    ) => sql`(${at}::int, ${row['a'] ?? null}::bigint, ${row['b'] ?? null}::numeric, ${row['p'] ?? null}::boolean,
    ${row['q'] ?? null}::boolean, ${row['s'] ?? null}::text, ${row['t'] ?? null}::text)`,
  );
  await test.database.run(
    'test',
    statement(
      sql`create table sums (at int, a bigint, b numeric, p boolean, q boolean, s text collate "C", t text collate "C")`,
    ),
  );
  await test.database.run('test', statement(sql`insert into sums values ${join(cells, ', ')}`));
  const base = scopeOf('r');
  const scope: ReadScope = {
    ...base,
    operand(name) {
      const field = fields.find((candidate) => candidate.name === name);
      if (!field) throw new Error(`no field ${name}`);
      return fieldType(field.type).operand(field, base);
    },
  };
  for (let turn = 0; turn < 300; turn++) {
    const kind = random.pick(['number', 'boolean', 'text'] as const);
    const source = randomSource(random, kind, 4);
    const tree = parseExpression(source);
    const { value } = compileExpression(tree, scope, kind);
    const { rows: found } = await test.database.run(
      'test',
      statement(sql`select (${value})::text from sums r order by at`),
    );
    const expected = rows.map((row) => evaluate(tree, row)).map((each) => (each === null ? null : String(each)));
    expect(
      found.map(([text]) => text),
      `${source} (KITH_SEED=${seed})`,
    ).toEqual(expected);
  }
});
