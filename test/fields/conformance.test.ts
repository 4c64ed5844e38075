/** One suite that every type of field passes against a real PostgreSQL. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import { FieldProblem } from '../../src/fields/field-problem.ts';
import { fieldType, fieldTypes } from '../../src/fields/registry.ts';
import { operatorNames } from '../../src/fields/operators/operator.ts';
import { parseJson } from '../../src/lib/json.ts';
import type { Json } from '../../src/lib/json.ts';
import { sql, trusted } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { finds, ordered } from './oracle.ts';
import type { Subject } from './oracle.ts';
import { choiceSamples } from './samples/choices.ts';
import { numberSamples } from './samples/numbers.ts';
import { referenceSamples } from './samples/references.ts';
import { decodeContext, filterContext } from './samples/sample.ts';
import type { Sample } from './samples/sample.ts';
import { textSamples } from './samples/texts.ts';
import { timeSamples } from './samples/times.ts';
import { buildStand } from './stand.ts';
import type { Stand } from './stand.ts';

const samples = [...textSamples, ...numberSamples, ...timeSamples, ...choiceSamples, ...referenceSamples];

/** Types that store nothing of their own: pipeline.test.ts, expression-sql.test.ts and computed.test.ts hold them. */
const elsewhere = ['PIPELINE', 'CALCULATED', 'ROLLUP'];

let test: TestDatabase;
beforeAll(async () => {
  test = await testDatabase();
});
afterAll(() => test.drop());

it('has a sample of every registered type', () => {
  const names = fieldTypes.flatMap((type) => type.names).toSorted();
  expect([...samples.map((sample) => sample.field.type), ...elsewhere].toSorted()).toEqual(names);
});

it('knows every type that the interface names', () => {
  for (const name of fieldTypeNames) expect(fieldType(name).names).toContain(name);
});

describe.each(samples.map((sample) => ({ name: sample.field.type, sample })))('$name', ({ name, sample }) => {
  let stand: Stand;
  beforeAll(async () => {
    stand = await buildStand(test.database, name.toLowerCase(), sample);
  });

  it('reads what was written', () => {
    expect(stand.shown.map(({ json }) => normalised(json))).toEqual(sample.values.map(({ read }) => normalised(read)));
  });

  it('writes a CSV cell', () => {
    expect(stand.shown.map(({ cell }) => cell)).toEqual(sample.values.map(({ cell }) => cell));
  });

  it('reads its own CSV cell as the same value', () => {
    for (const [index, { written, cell, lossy }] of sample.values.entries()) {
      if (sample.field.type === 'MANY_TO_MANY') continue; // its cell has labels, which an import looks up first
      const value = stand.type.fromCell(cell, sample.field);
      const again = value === null && written !== null ? written : value;
      const cells = stand.type.decode(again, sample.field, decodeContext);
      if (lossy) expect(cells.length, `value ${index}`).toBe(stand.type.columns(sample.field).length);
      else expect(cells, `value ${index}`).toEqual(stand.type.decode(written, sample.field, decodeContext));
    }
  });

  it.each(sample.cells)('takes the cell %j', (cell, meaning) => {
    expect(stand.type.fromCell(cell, sample.field)).toEqual(meaning);
  });

  it('takes back the JSON that it shows', () => {
    for (const { json } of stand.shown) {
      if (sample.field.type === 'MANY_TO_MANY') continue; // shown by the stand, not by the service
      expect(() => stand.type.decode(parseJson(json), sample.field, decodeContext)).not.toThrow();
    }
  });

  it.each(sample.refused)('refuses %j', (value, reason) => {
    const error = problemOf(() => stand.type.decode(value, sample.field, decodeContext));
    expect(error.message).toContain(reason);
  });

  it('has a filter for each of its operators', () => {
    const used = new Set(sample.filters.map(([operator]) => operator));
    expect([...used].toSorted()).toEqual(operatorNames.filter((known) => stand.type.operators[known]).toSorted());
  });

  it.each(sample.filters)('%s %j finds what it means', async (operator, value) => {
    const operand = stand.type.operand(sample.field, stand.scope);
    const condition = stand.type.operators[operator]?.(operand, value, filterContext) ?? sql`null`;
    const found = await stand.select([], sql`where ${condition} order by r.row_id`);
    const subject: Subject = { kind: operand.kind, options: operand.options ?? [], key: operand.key };
    const expected = stand.ids.filter((_, index) => {
      const read = seen(stand, sample, index);
      return finds(subject, operator, read, plain(value), filterContext.timeZone, filterContext.now);
    });
    expect(found.map(([id]) => id)).toEqual(expected);
  });

  it.each(sample.badFilters)('%s %j is refused', (operator, value, reason) => {
    const operand = stand.type.operand(sample.field, stand.scope);
    const error = problemOf(() => stand.type.operators[operator]?.(operand, value, filterContext));
    expect(error.message).toContain(reason);
  });

  it('sorts', async () => {
    const operand = stand.type.operand(sample.field, stand.scope);
    const { sort } = operand;
    if (!sort) return expect(['options', 'links']).toContain(operand.kind);
    const rows = await stand.select(
      [sql`${sort.value}::${trusted(sort.type)}`],
      sql`where ${sort.value} is not null
      order by ${sort.value}, r.row_id`,
    );
    const subject: Subject = { kind: operand.kind, options: [], key: operand.key };
    const values = stand.ids.map((id, index) => ({ id, read: seen(stand, sample, index) }));
    const present = values.filter(({ read }) => !finds(subject, 'is_null', read, null, 'UTC', 0));
    const expected = present.toSorted((a, b) => ordered(subject, a.read, b.read) || (a.id < b.id ? -1 : 1));
    expect(rows.map(([id]) => id)).toEqual(expected.map(({ id }) => id));
    expect(sort.nullable).toBe(sample.field.type !== 'ID');
  });
});

describe('what refers to something', () => {
  it.each([
    ['RELATION', '"companies aaaa"', 'companies aaaa'],
    ['DEPENDENT_RELATION', '"companies aaaa"', 'companies aaaa'],
    ['MORPH_RELATION', '"contacts aaaa"', 'contacts aaaa'],
    ['USERS', '"user aaaa"', 'user aaaa'],
    ['PIPELINE_ID', '"Sales"', 'Sales'],
    ['PIPELINE_STEP_ID', '"Lead"', 'Lead'],
  ])('%s shows what it is called, and exports nothing else', async (name, json, cell) => {
    const sample = samples.find((candidate) => candidate.field.type === name) as Sample;
    const stand = await buildStand(test.database, `display_${name.toLowerCase()}`, sample);
    const type = fieldType(sample.field.type);
    const reading = type.read(sample.field, stand.scope);
    const [none, first] = await stand.select(reading.columns, sql`order by r.row_id`);
    const display = reading.members[1];
    expect(reading.members.map((member) => member.key)).toEqual(['f', 'f_display']);
    expect(display?.json(first ?? [], 1)).toBe(json);
    expect(display?.json(none ?? [], 1)).toBe('null');
    const exported = type.exported?.(sample.field, stand.scope);
    const [, row] = await stand.select(exported?.columns ?? [], sql`order by r.row_id`);
    expect(
      exported?.members.map((member) => [member.key, member.json(row ?? [], 1), member.cell(row ?? [], 1)]),
    ).toEqual([['f', json, cell]]);
  });
});

function problemOf(act: () => unknown): FieldProblem {
  try {
    act();
  } catch (error) {
    if (error instanceof FieldProblem) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

function seen(stand: Stand, sample: Sample, index: number): Json {
  const seenValue = sample.values[index]?.seen;
  return seenValue === undefined ? plain(parseJson(stand.shown[index]?.json ?? 'null')) : seenValue;
}

/** The same JSON whatever its spaces; digits stay as they are. */
function normalised(json: string): string {
  return json.includes('": ') ? JSON.stringify(JSON.parse(json)) : json;
}

/** Digits as numbers, which is exact enough for comparing samples. */
function plain(value: Json): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
