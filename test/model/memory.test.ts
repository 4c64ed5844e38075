/** What a model takes, with all that hangs on it, is no more than the cache of models counts for it. */
import { expect, it } from 'vitest';
import { fieldType } from '../../src/fields/registry.ts';
import { newId } from '../../src/lib/id.ts';
import { loadMeasured } from '../../src/model/load.ts';
import type { Model } from '../../src/model/model.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sizeOfField } from '../../src/query/measure.ts';
import { storedColumns } from '../../src/records/writing/columns.ts';
import { decodeContext } from '../fields/samples/sample.ts';
import { heapUsed } from '../support/heap.ts';

type Field = Readonly<Record<string, unknown>>;

type Row = readonly [kind: string, owner: string | null, document: string];

/** A workspace of 50 objects which have all of these fields, in the rows that it is stored in. */
function workspace(fields: readonly Field[]): readonly Row[] {
  const organization = { name: 'Acme', currency: 'EUR', timezone: 'UTC', version: '1', epoch: '1' };
  const rows: Row[] = [['organization', null, JSON.stringify(organization)]];
  for (let at = 0; at < 50; at++) {
    const id = newId();
    const object = { label: `Things ${at}`, labelSingular: 'Thing', isSystem: false, displayField: 'field_0' };
    rows.push(['object', null, JSON.stringify({ id, name: `things_${at}`, definition: object })]);
    for (const [number, field] of fields.entries()) {
      const definition = { label: `Field ${number}`, ...field };
      rows.push(['field', id, JSON.stringify({ id: newId(), name: `field_${number}`, definition })]);
    }
  }
  return rows;
}

const load = (rows: readonly Row[]) =>
  loadMeasured({ read: async () => [{ rows }] } as unknown as Database, { id: 'o', schema: 'org_o' });

/** Has everything made that is remembered with a model. */
function use(model: Model): void {
  for (const object of model.objects.values()) {
    storedColumns(object);
    for (const field of object.attributes.values()) {
      sizeOfField(model, object, field);
      const [option] = field.options ?? [];
      const value = option && (field.type === 'MULTI_SELECT' ? [option.value] : option.value);
      if (value) fieldType(field.type).decode(value, field, decodeContext);
      else if (field.type === 'RICH_TEXT') fieldType(field.type).decode(field.defaultValue, field, decodeContext);
    }
  }
}

const options = Array.from({ length: 500 }, (_, at) => ({ value: `OPT_${at}`, label: `Option ${at}` }));
it.each<[string, readonly Field[]]>([
  [
    'options',
    [
      { type: 'SELECT', options },
      { type: 'MULTI_SELECT', options },
    ],
  ],
  ['small fields', Array.from({ length: 200 }, () => ({ type: 'TEXT' }))],
  ['fields of several columns', Array.from({ length: 200 }, () => ({ type: 'ADDRESS' }))],
  ['default HTML', Array.from({ length: 20 }, () => ({ type: 'RICH_TEXT', defaultValue: '<p>a</p>'.repeat(100) }))],
])('%s', async (_what, fields) => {
  const rows = workspace(fields);
  use((await load(rows)).model);
  const before = await heapUsed();
  const { model, bytes } = await load(rows);
  use(model);
  const taken = (await heapUsed()) - before;
  expect(taken).toBeLessThan(bytes);
  expect(model.objects.size).toBe(50);
});
