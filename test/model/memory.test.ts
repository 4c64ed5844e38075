/** What a model takes, with all that hangs on it, is no more than the cache of models counts for it. */
import { expect, it } from 'vitest';
import { fieldType } from '../../src/fields/registry.ts';
import { newId } from '../../src/lib/id.ts';
import { loadMeasured } from '../../src/model/load.ts';
import type { Model } from '../../src/model/model.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sizeOfField } from '../../src/query/measure.ts';
import { storedColumns } from '../../src/records/columns.ts';
import { decodeContext } from '../fields/samples/sample.ts';
import { heapUsed } from '../support/heap.ts';

type Field = Readonly<Record<string, unknown>>;

/** A workspace of 50 objects which have all of these fields. */
function document(fields: readonly Field[]): string {
  const objects = Array.from({ length: 50 }, (_, at) => ({
    id: newId(),
    name: `things_${at}`,
    definition: { label: `Things ${at}`, labelSingular: 'Thing', isSystem: false, displayField: 'field_0' },
    fields: fields.map((definition, field) => ({
      id: newId(),
      name: `field_${field}`,
      definition: { label: `Field ${field}`, ...definition },
    })),
  }));
  const rest = { name: 'Acme', currency: 'EUR', timezone: 'UTC', version: '1', epoch: '1', pipelines: [], roles: [] };
  return JSON.stringify({ ...rest, objects });
}

const load = (text: string) =>
  loadMeasured({ read: async () => [{ rows: [[text]] }] } as unknown as Database, { id: 'o', schema: 'org_o' });

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
  const text = document(fields);
  use((await load(text)).model);
  const before = await heapUsed();
  const { model, bytes } = await load(text);
  use(model);
  const taken = (await heapUsed()) - before;
  expect(taken).toBeLessThan(bytes);
  expect(model.objects.size).toBe(50);
});
