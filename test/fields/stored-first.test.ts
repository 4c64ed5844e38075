/** What tags of records and history lean on: a reading begins with the stored columns, and its first key is the field. */
import { expect, it } from 'vitest';
import { fieldType } from '../../src/fields/registry.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { choiceSamples } from './samples/choices.ts';
import { numberSamples } from './samples/numbers.ts';
import { referenceSamples } from './samples/references.ts';
import { textSamples } from './samples/texts.ts';
import { timeSamples } from './samples/times.ts';
import { scopeOf } from './stand.ts';

const samples = [...textSamples, ...numberSamples, ...timeSamples, ...choiceSamples, ...referenceSamples];

it.each(samples.map(({ field }) => [field.type, field] as const))('%s', (_type, field) => {
  const type = fieldType(field.type);
  const { columns, members } = type.read(field, scopeOf('r'));
  const stored = type.columns(field).slice(0, columns.length);
  expect(columns.slice(0, stored.length).map((column) => statement(column).text)).toEqual(
    stored.map(({ name }) => statement(sql`r.${identifier(name)}`).text),
  );
  expect(members[0]?.key).toBe(field.name);
});
