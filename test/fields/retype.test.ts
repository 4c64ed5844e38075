/** Every change of type on a real column: what stays, and what forbids it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldTypeNames } from '../../src/fields/field-def.ts';
import type { FieldDef, FieldTypeName } from '../../src/fields/field-def.ts';
import { fieldType } from '../../src/fields/registry.ts';
import { retyping } from '../../src/fields/retype.ts';
import { Digits, type Json } from '../../src/lib/json.ts';
import { identifier, join, sql, statement, trusted } from '../../src/postgres/sql.ts';
import type { Sql } from '../../src/postgres/sql.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { decodeContext, options, testField } from './samples/sample.ts';
import { retypesTo } from './retypes-to.ts';
import { castType, scopeOf } from './stand.ts';

const id = '0190a000-0000-7000-8000-00000000aaaa';
const numerics = ['NUMBER', 'DECIMAL', 'PERCENT', 'DURATION', 'ELAPSED_TIME'] as const;
const texts = ['TEXT', 'LONG_TEXT'] as const;
const decimals: Json[] = [null, 0.5, -7, 100];
const hidden = "it's \\ odd";

/** From, to, values that stay, as JSON afterwards where it differs, and values that forbid it. */
type Case = readonly [FieldTypeName, FieldTypeName, Json[], { after?: Json[]; unfit?: Json[] }?];

const cases: readonly Case[] = [
  ['TEXT', 'LONG_TEXT', [null, '', 'Anna']],
  ['TEXT', 'SELECT', [null, 'new', 'done', hidden], { unfit: ['', 'New', 'lost'] }],
  ['LONG_TEXT', 'TEXT', [null, '', 'x'.repeat(10_000)], { unfit: ['x'.repeat(10_001)] }],
  ['URL', 'TEXT', [null, 'acme.com']],
  ['URL', 'LONG_TEXT', [null, 'acme.com']],
  ['EMAIL', 'TEXT', [null, 'a@b.c']],
  ['EMAIL', 'LONG_TEXT', [null, 'a@b.c']],
  ['SELECT', 'TEXT', [null, 'new']],
  ['SELECT', 'LONG_TEXT', [null, 'new']],
  ['SELECT', 'MULTI_SELECT', [null, 'new', 'done'], { after: [[], ['new'], ['done']], unfit: ['gone'] }],
  ...numerics.flatMap((from): Case[] => [
    ...numerics.filter((to) => to !== from).map((to): Case => [from, to, decimals]),
    [from, 'INTEGER', [null, 5, -7], { unfit: [0.5, 1e19] }],
    [from, 'RATING', [null, 0, 5], { unfit: [0.5, 6, -1] }],
    ['INTEGER', from, [null, 5, -7]],
    ['RATING', from, [null, 5, 0]],
    ...texts.map((to): Case => [
      from,
      to,
      [...decimals, new Digits('7.50'), new Digits('12345678901234567890.10')],
      { after: [null, '0.5', '-7', '100', '7.50', '12345678901234567890.10'] },
    ]),
  ]),
  ...texts.flatMap((to): Case[] => [
    ['INTEGER', to, [null, 5, -7], { after: [null, '5', '-7'] }],
    ['RATING', to, [null, 5, 0], { after: [null, '5', '0'] }],
    ['BOOLEAN', to, [null, true, false], { after: [null, 'true', 'false'] }],
    ['DATE', to, [null, '2026-01-31', '0001-01-01', '9999-12-31']],
    [
      'DATETIME',
      to,
      [
        null,
        '2026-01-31T09:30:00.000Z',
        '2026-01-31T09:30:00.600Z',
        '2026-01-31T09:30:00.678901Z',
        '0001-01-01T00:00:00.000Z',
      ],
    ],
  ]),
  ['INTEGER', 'RATING', [null, 0, 5], { unfit: [6, -1] }],
  ['RATING', 'INTEGER', [null, 0, 5]],
  [
    'DATE',
    'DATETIME',
    [null, '2026-01-31', '2026-07-01'],
    { after: [null, '2026-01-30T23:00:00.000Z', '2026-06-30T22:00:00.000Z'] },
  ],
  ['RELATION', 'DEPENDENT_RELATION', [null, id]],
  ['DEPENDENT_RELATION', 'RELATION', [null, id]],
];

const more = { value: hidden, label: 'Odd' };
const gone = { value: 'gone', label: 'Gone' };

function fieldOf(type: FieldTypeName, extra: FieldDef['options'] = []): FieldDef {
  const { takesOptions, relationTypes } = fieldType(type);
  return testField(type, 'f', {
    ...(takesOptions && { options: [...options, ...(extra ?? [])] }),
    ...(relationTypes && { relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' } }),
  });
}

it('has a case for every change that there is', () => {
  const known = fieldTypeNames.flatMap((from) => retypesTo(from).map((to) => `${from} to ${to}`));
  expect(cases.map(([from, to]) => `${from} to ${to}`).toSorted()).toEqual(known.toSorted());
});

describe('a field retyped', () => {
  let test: TestDatabase;
  const run = async (query: Sql) => (await test.database.run('test', statement(query))).rows;
  beforeAll(async () => {
    test = await testDatabase();
  });
  afterAll(() => test.drop());

  it.each(
    cases.map(([fromName, toName, values, { after = values, unfit = [] } = {}]) => ({
      fromName,
      toName,
      values,
      after,
      unfit,
    })),
  )('from $fromName to $toName keeps its values', async ({ fromName, toName, values, after, unfit }) => {
    const from = fieldOf(fromName, [gone]);
    const to = fieldOf(toName, [more]);
    const [column] = fieldType(fromName).columns(from);
    const [changed] = fieldType(toName).columns(to);
    const table = identifier(`${fromName}_${toName}`.toLowerCase());
    const insert = (value: Json, at: number) => {
      const cell = fieldType(fromName).decode(value, from, decodeContext)[0] ?? null;
      return run(sql`insert into ${table} values (${at}, ${cell}::${castType(column?.type ?? '')})`);
    };
    await run(sql`create table ${table} (at int, f ${trusted(column?.type ?? '')})`);
    for (const [at, value] of [...values, ...unfit].entries()) await insert(value, at);

    const change = retyping(from, to, sql`f`, 'Europe/Berlin');
    const misfits = await run(sql`select at from ${table} where ${change?.unfit ?? sql`false`} order by at`);
    expect(misfits.map(([at]) => Number(at))).toEqual(unfit.map((_, at) => values.length + at));
    await run(sql`delete from ${table} where at >= ${values.length}::int`);

    const using = change?.using ? sql`using ${change.using}` : sql``;
    const ddl = statement(sql`alter table ${table} alter column f type ${trusted(changed?.type ?? '')} ${using}`);
    expect(ddl.values).toEqual([]);
    await test.database.run('test', ddl);
    const reading = fieldType(toName).read(to, scopeOf('r'));
    const rows = await run(sql`select ${join(reading.columns, ', ')} from ${table} r order by at`);
    expect(rows.map((row) => JSON.parse(reading.members[0]?.json(row, 0) ?? ''))).toEqual(after);
  });

  it.each<[FieldTypeName, FieldTypeName]>([
    ['TEXT', 'NUMBER'],
    ['TEXT', 'RICH_TEXT'],
    ['NUMBER', 'CURRENCY'],
    ['DATETIME', 'DATE'],
    ['MULTI_SELECT', 'SELECT'],
  ])('from %s to %s is another field', (from, to) => {
    expect(retyping(fieldOf(from), fieldOf(to), sql`f`, 'UTC')).toBeUndefined();
  });

  it('keeps its target', () => {
    const from = fieldOf('RELATION');
    const elsewhere = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'contacts' } as const;
    const to = { ...fieldOf('DEPENDENT_RELATION'), relationConfig: elsewhere };
    expect(retyping(from, to, sql`f`, 'UTC')).toBeUndefined();
  });
});
