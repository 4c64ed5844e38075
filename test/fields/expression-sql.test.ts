import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExpression } from '../../src/fields/expression.ts';
import type { FieldDef } from '../../src/fields/field-def.ts';
import type { OperatorName } from '../../src/fields/operators/operator.ts';
import type { ReadScope } from '../../src/fields/field-type.ts';
import { fieldType } from '../../src/fields/registry.ts';
import type { Json } from '../../src/lib/json.ts';
import { join, sql, statement } from '../../src/postgres/sql.ts';
import type { Sql } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { decodeContext, filterContext, options, testField } from './samples/sample.ts';
import { castType, scopeOf } from './stand.ts';

const stored: readonly FieldDef[] = [
  testField('TEXT', 'first'),
  testField('TEXT', 'last'),
  testField('DECIMAL', 'amount'),
  testField('DATE', 'born'),
  testField('SELECT', 'stage', { options }),
  testField('ADDRESS', 'home'),
  testField('BOOLEAN', 'open'),
];
const rows: readonly (readonly Json[])[] = [
  ['Anna', 'Šmíd', 1.5, '2026-01-02', 'new', 'Köln', true],
  ['', 'Bo', null, null, null, null, false],
  [null, null, null, null, null, null, null],
  ["O'Neil", '', 0, '1999-12-31', 'done', null, null],
];

const base = scopeOf('r');
const scope: ReadScope = {
  ...base,
  operand(name) {
    const field = stored.find((candidate) => candidate.name === name);
    if (!field) throw new Error(`No field ${name}`);
    return fieldType(field.type).operand(field, base);
  },
};

function calculation(expression: string): FieldDef {
  return testField('CALCULATED', 'c', {
    isReadonly: true,
    calculation: { expression, outputType: 'TEXT', parsed: parseExpression(expression) },
  });
}

const type = fieldType('CALCULATED');

describe('CALCULATED', () => {
  let test: TestDatabase;
  const run = async (query: Sql) => (await test.database.run('test', statement(query))).rows;

  beforeAll(async () => {
    test = await testDatabase();
    await run(sql`create table calculated (at int, first text collate "C", last text collate "C", amount numeric,
      born date, stage text collate "C", home jsonb, open boolean)`);
    for (const [at, row] of rows.entries()) {
      const cells = stored.flatMap((field, index) => {
        const [cell = null] = fieldType(field.type).decode(row[index] ?? null, field, decodeContext);
        return [sql`${cell}::${castType(fieldType(field.type).columns(field)[0]?.type ?? 'text')}`];
      });
      await run(sql`insert into calculated values (${at}, ${join(cells, ', ')})`);
    }
  });
  afterAll(() => test.drop());

  it.each<[string, Json[]]>([
    ["join(' ', first, last)", ['Anna Šmíd', 'Bo', null, "O'Neil"]],
    ["join(' · ', first, 'x', last)", ['Anna · x · Šmíd', 'x · Bo', 'x', "O'Neil · x"]],
    ["join('', first, last)", ['AnnaŠmíd', 'Bo', null, "O'Neil"]],
    ["join('\\', first, last)", ['Anna\\Šmíd', 'Bo', null, "O'Neil"]],
    ["concat(first, '-', amount)", ['Anna-1.5', '-', '-', "O'Neil-0"]],
    ['coalesce(last, first)', ['Šmíd', 'Bo', null, '']],
    ["coalesce(amount, 'none')", ['1.5', 'none', 'none', '0']],
    ['coalesce(amount, 7)', [1.5, 7, 7, 0]],
    ['upper(last)', ['ŠMÍD', 'BO', null, '']],
    ['lower(home)', ['köln', null, null, null]],
    ["join(' ', lower(last), home, stage)", ['šmíd Köln new', 'bo', null, 'done']],
    ["trim(concat('  ', first, ' '))", ['Anna', '', '', "O'Neil"]],
    ['amount', [1.5, null, null, 0]],
    ['born', ['2026-01-02', null, null, '1999-12-31']],
    ['open', [true, false, null, null]],
    ["'it''s'", ["it's", "it's", "it's", "it's"]],
  ])('%s', async (expression, values) => {
    const field = calculation(expression);
    const reading = type.read(field, scope);
    const found = await run(sql`select ${join(reading.columns, ', ')} from calculated r order by at`);
    expect(found.map((row) => JSON.parse(reading.members[0]?.json(row, 0) ?? ''))).toEqual(values);
  });

  it('is filtered by its kind of value', async () => {
    const found = async (expression: string, name: OperatorName, value: Json) => {
      const condition =
        type.operators[name]?.(type.operand(calculation(expression), scope), value, filterContext) ?? sql`null`;
      return (await run(sql`select at from calculated r where ${condition} order by at`)).map(([at]) => Number(at));
    };
    expect(await found("join(' ', first, last)", 'contains', 'ŠMÍD')).toEqual([0]);
    expect(await found("join(' ', first, last)", 'is_null', null)).toEqual([2]);
    expect(await found('coalesce(amount, 7)', 'greater_than', 1)).toEqual([0, 1, 2]);
    expect(await found('born', 'date_before', '2000-01-01')).toEqual([3]);
    await expect(found('amount', 'contains', '1')).rejects.toThrow("can't be filtered by contains");
  });

  it('is sorted like text', async () => {
    const { sort } = type.operand(calculation("join(' ', first, last)"), scope);
    const found = await run(sql`select at from calculated r order by ${sort?.value ?? sql`null`} nulls last`);
    expect(found.map(([at]) => Number(at))).toEqual([0, 1, 3, 2]);
  });

  it('can be indexed, so it leans on no setting', async () => {
    for (const expression of [
      "join(' ', first, last)",
      'concat(first, amount, upper(trim(last)))',
      'coalesce(home, lower(stage))',
    ]) {
      const { value } = type.operand(calculation(expression), { ...scope, row: sql`calculated` });
      const text = statement(sql`create index on calculated ((${value}))`).text.replaceAll(/\br\./g, '');
      await expect(test.database.run('test', { text, values: [] })).resolves.toBeDefined();
    }
  });

  it('is never written, and makes no text of what has none', () => {
    expect(() => type.decode('x', calculation('first'), decodeContext)).toThrow('is computed');
    expect(() => type.operand(calculation("join(' ', born)"), scope)).toThrow('cannot make a text of a date');
    expect(() => type.operand(calculation('coalesce(born, first)'), scope)).toThrow('cannot make a text of a date');
  });
});
