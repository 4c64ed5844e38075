import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExpression } from '../../src/fields/expressions/parse.ts';
import type { FieldDef, FieldTypeName } from '../../src/fields/field-def.ts';
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
  testField('DATETIME', 'seen'),
  testField('MULTI_SELECT', 'tags', { options }),
  testField('EMAILS', 'mails'),
];
const rows: readonly (readonly Json[])[] = [
  ['Anna', 'Šmíd', 1.5, '2026-01-02', 'new', 'Köln', true, '2026-10-29T23:30:00Z', ['new'], ['a@b.ch']],
  ['', 'Bo', null, null, null, null, false, null, null, null],
  [null, null, null, null, null, null, null, null, null, null],
  ["O'Neil", '', 0, '1999-12-31', 'done', null, null, '0001-01-01T00:00:00Z', null, null],
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

function calculation(expression: string, outputType: FieldTypeName = 'TEXT'): FieldDef {
  return testField('CALCULATED', 'c', {
    isReadonly: true,
    calculation: { expression, outputType, parsed: parseExpression(expression) },
  });
}

const type = fieldType('CALCULATED');

describe('CALCULATED', () => {
  let test: TestDatabase;
  const run = async (query: Sql) => (await test.database.run('test', statement(query))).rows;

  beforeAll(async () => {
    test = await testDatabase();
    await run(sql`create table calculated (at int, first text collate "C", last text collate "C", amount numeric,
      born date, stage text collate "C", home jsonb, open boolean, seen timestamptz, tags text[], mails jsonb)`);
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
    // Numbers
    ['amount * 10 % 4', [3, null, null, 0]],
    ['1 / amount', [2 / 3, null, null, null]],
    ['1 % amount', [1, null, null, null]],
    ['-7 % 4', [-3, -3, -3, -3]],
    ['amount * 1.00', [1.5, null, null, 0]],
    ['round(amount)', [2, null, null, 0]],
    ['round(10 / 3, 2)', [3.33, 3.33, 3.33, 3.33]],
    ['round(1234, -2)', [1200, 1200, 1200, 1200]],
    ['floor(-amount) + ceil(amount) * 10 + abs(-1) * 100', [118, null, null, 100]],
    ['min(amount, 1)', [1, 1, 1, 0]],
    ['max(amount, 1)', [1.5, 1, 1, 1]],
    ["number('12.50')", [12.5, 12.5, 12.5, 12.5]],
    ["coalesce(number(' -.5e2 '), 1)", [-50, -50, -50, -50]],
    ["number('1e999999')", [null, null, null, null]],
    ["number('0x10')", [null, null, null, null]],
    ['number(first)', [null, null, null, null]],
    // Conditions
    ['amount > 1', [true, null, null, false]],
    ['amount >= 0 and open', [true, false, null, null]],
    ['amount < 1 or open', [true, null, null, true]],
    ['not open', [false, true, null, null]],
    ['first = last', [false, false, null, false]],
    ["first != 'anna'", [true, true, null, true]],
    ["first < 'b'", [true, true, null, false]],
    ["stage = 'new'", [true, null, null, false]],
    ['open = true', [true, false, null, null]],
    ["if(amount > 1, 'big', 'small')", ['big', 'small', 'small', 'small']],
    ["if(open, 'yes')", ['yes', null, null, null]],
    ['if(open, null, amount)', [null, null, null, 0]],
    ['if(open, amount, last)', ['1.5', 'Bo', null, '']],
    ['amount = null', [null, null, null, null]],
    ['is_empty(first)', [false, true, true, false]],
    ['is_empty(tags)', [false, true, true, true]],
    ['is_empty(mails) and is_empty(amount)', [false, true, true, false]],
    ['is_empty(null)', [true, true, true, true]],
    ['coalesce(open, amount > 5)', [true, false, null, false]],
    // Texts
    ['length(last)', [4, 2, null, 0]],
    ['left(last, 2)', ['Šm', 'Bo', null, '']],
    ['right(last, length(last) - 1)', ['míd', 'o', null, null]],
    ['left(last, -1)', [null, null, null, null]],
    ["contains(last, 'MÍ')", [true, false, null, false]],
    ["contains(last, '%')", [false, false, null, false]],
    ["starts_with(last, 'b')", [false, false, null, false]],
    ["ends_with(last, 'íd')", [true, false, null, false]],
    ["replace(last, 'o', '0')", ['Šmíd', 'B0', null, '']],
    ['text(amount)', ['1.5', null, null, '0']],
    ["concat(born, ' ', open)", ['2026-01-02 true', ' false', ' ', '1999-12-31 ']],
    ['text(seen)', ['2026-10-29T23:30:00.000Z', null, null, '0001-01-01T00:00:00.000Z']],
    // Days: it is 22:30 in London on 30 October 2026, 23:30 in Berlin
    ['today()', ['2026-10-30', '2026-10-30', '2026-10-30', '2026-10-30']],
    [
      'text(now())',
      ['2026-10-30T22:30:00.000Z', '2026-10-30T22:30:00.000Z', '2026-10-30T22:30:00.000Z', '2026-10-30T22:30:00.000Z'],
    ],
    ['seen', ['2026-10-29T23:30:00.000Z', null, null, '0001-01-01T00:00:00.000Z']],
    ['date(seen)', ['2026-10-30', null, null, '0001-01-01']],
    ["seen = date('2026-10-30')", [true, null, null, false]],
    ['seen < now()', [true, null, null, true]],
    ['day(seen) + month(born) * 100 + year(born) * 10000', [20260130, null, null, 19991201]],
    ["days_between(born, date('2026-02-01'))", [30, null, null, 9529]],
    ['add_days(born, 30)', ['2026-02-01', null, null, '2000-01-30']],
    ['add_days(born, -1.9)', ['2026-01-01', null, null, '1999-12-30']],
    ['add_days(born, amount)', ['2026-01-03', null, null, '1999-12-31']],
    ["add_months(date('2026-01-31'), 1)", ['2026-02-28', '2026-02-28', '2026-02-28', '2026-02-28']],
    ['add_months(born, -12)', ['2025-01-02', null, null, '1998-12-31']],
    ['start_of_month(born)', ['2026-01-01', null, null, '1999-12-01']],
    ["min(born, date('2000-01-01'))", ['2000-01-01', '2000-01-01', '2000-01-01', '1999-12-31']],
    ['max(born, seen)', ['2026-10-30', null, null, '1999-12-31']],
    ['if(open, born, seen)', ['2026-01-02', null, null, '0001-01-01']],
  ])('%s', async (expression, values) => {
    const field = calculation(expression);
    const reading = type.read(field, scope);
    const found = await run(sql`select ${join(reading.columns, ', ')} from calculated r order by at`);
    expect(found.map((row) => JSON.parse(reading.members[0]?.json(row, 0) ?? ''))).toEqual(values);
  });

  it.each<[string, Json]>([
    [`${'9'.repeat(100)}${` * ${'9'.repeat(100)}`.repeat(40)}`, null],
    [`${'9'.repeat(20)}${` * ${'9'.repeat(20)}`.repeat(200)}`, null],
    [`-${'9'.repeat(100)} * ${'9'.repeat(101)}`, null],
    [`1 / (0.${'0'.repeat(90)}1${` * 0.${'0'.repeat(90)}1`.repeat(40)})`, null],
    [`round(1${' / 3 * 0.3'.repeat(100)}, 50)`, 0],
    [`1${" * number('1e-99')".repeat(195)}`, 0],
    [`1 / (1${" / number('1e99')".repeat(195)})`, null],
    ["add_days(date('9999-12-31'), 1)", null],
    ["add_days(date('0001-01-01'), -1)", null],
    [`add_days(date('2026-01-01'), ${'9'.repeat(200)})`, null],
    [`add_days(date('2026-01-01'), -${'9'.repeat(200)})`, null],
    ["add_days(date('0001-01-01'), 3652058)", '9999-12-31'],
    ["add_months(date('9999-12-31'), 1)", null],
    ["add_months(date('0001-01-01'), -1)", null],
    [`add_months(date('2026-01-01'), ${'9'.repeat(200)})`, null],
    [`add_months(date('2026-01-01'), -${'9'.repeat(200)})`, null],
    ["add_months(date('0001-12-31'), 119976)", '9999-12-31'],
    ["add_months(date('9999-12-31'), -119976)", '0001-12-31'],
    ["add_months(date('2024-02-29'), -12)", '2023-02-28'],
    [`left('abc', ${'9'.repeat(200)})`, 'abc'],
    [`length(${'replace('.repeat(30)}'aaaaaaaaaa'${", 'a', 'aaaaaaaaaa')".repeat(30)})`, 10_000],
    [
      `length(concat(${Array.from({ length: 100 }, () => "replace('aaaaaaaaaa', 'a', 'aaaaaaaaaa')").join(', ')}))`,
      10_000,
    ],
  ])('fails for no value (%#)', async (expression, value) => {
    const reading = type.read(calculation(expression, 'DECIMAL'), scope);
    const [row = []] = await run(sql`select ${join(reading.columns, ', ')} from calculated r limit 1`);
    expect(JSON.parse(reading.members[0]?.json(row, 0) ?? '')).toEqual(value);
  });

  it('keeps every digit of a product', async () => {
    const digits = `${'7'.repeat(50)}.${'3'.repeat(50)}`;
    const reading = type.read(calculation(`${digits} * ${digits}`, 'DECIMAL'), scope);
    const [row = []] = await run(sql`select ${join(reading.columns, ', ')} from calculated r limit 1`);
    expect(row[0]).toBe(String(BigInt(digits.replace('.', '')) ** 2n).replace(/(\d{100})$/, '.$1'));
  });

  it('is rounded where its output is whole, and of its kind where it is null', async () => {
    const kindOf = (field: FieldDef) => type.operand(field, scope).kind;
    expect(
      ['TEXT', 'DECIMAL', 'BOOLEAN', 'DATE', 'DATETIME'].map((output) =>
        kindOf(calculation('null', output as FieldTypeName)),
      ),
    ).toEqual(['text', 'number', 'boolean', 'date', 'datetime']);
    const reading = type.read(calculation('amount', 'INTEGER'), scope);
    const found = await run(sql`select ${join(reading.columns, ', ')} from calculated r order by at`);
    expect(found.map(([value]) => value)).toEqual(['2', null, null, '0']);
  });

  it.each([
    ['amount + first', 'cannot calculate with a text (position 8)'],
    ['-born', 'cannot calculate with a date (position 1)'],
    ['amount < first', '< needs two numbers, two texts, two dates or times, not a number and a text (position 8)'],
    ['open > true', '> needs two numbers, two texts, two dates or times, not a boolean and a boolean (position 6)'],
    ['amount = born', 'two ids or two booleans, not a number and a date (position 8)'],
    ['tags = 1', 'not a list and a number (position 6)'],
    ['amount and open', 'and needs a condition, not a number (position 8)'],
    ['not first', 'not needs a condition, not a text (position 1)'],
    ['if(amount, 1, 2)', 'if needs a condition, not a number (position 4)'],
    ['upper(tags)', 'upper needs a text, not a list (position 7)'],
    ['coalesce(first, mails)', 'coalesce needs a text, not a list (position 17)'],
    ['year(first)', 'year needs a date, not a text (position 6)'],
    ["date('2026-02-30')", 'needs a day such as 2026-01-31 (position 6)'],
    ['round(amount, amount)', 'needs a whole number below 100 as the second argument of round (position 1)'],
    ['join(first, last)', "needs a text in '…' as the first argument of join (position 1)"],
    ['max(amount, born)', 'max needs numbers, dates or times, not a number, a date (position 1)'],
    ['  tags', 'gives a list (position 3)'],
  ])('refuses %s', (expression, message) => {
    expect(() => type.operand(calculation(expression), scope)).toThrow(message);
  });

  it('grows with its length alone, however it is nested', () => {
    const nested = (depth: number) => `${'if(open, amount + 1, '.repeat(depth)}1${')'.repeat(depth)}`;
    const length = (depth: number) => statement(type.operand(calculation(nested(depth)), scope).value).text.length;
    expect(length(30)).toBeLessThan(3 * length(10));
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

  it('is never written', () => {
    expect(() => type.decode('x', calculation('first'), decodeContext)).toThrow('is computed');
  });
});
