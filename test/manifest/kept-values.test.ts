/** Values that stay when their field becomes a text, and defaults as the schema shows them. */
import { describe, expect, it } from 'vitest';
import { applied, apply, create, fieldOf, useWorkspaces, withValue } from './manifests.ts';

const { admin } = useWorkspaces();

describe('a field that becomes a text', () => {
  const options = [
    { value: 'new', label: 'Brand new' },
    { value: 'old', label: 'Old' },
  ];

  it.each<[type: string, more: object, value: unknown, text: string]>([
    ['INTEGER', { isUnique: true }, 42, '42'],
    ['RATING', {}, 4, '4'],
    ['PERCENT', {}, 12.5, '12.5'],
    ['BOOLEAN', {}, false, 'false'],
    ['DATE', {}, '2026-01-31', '2026-01-31'],
    ['DATETIME', {}, '2026-01-31T09:30:00+01:00', '2026-01-31T08:30:00.000Z'],
    ['SELECT', { options }, 'new', 'new'],
  ])('from %s keeps what it showed', async (type, more, value, text) => {
    const client = await admin();
    await applied(client, withValue(type, more));
    const { id } = await create(client, 'items', { name: 'full', value });
    await create(client, 'items', { name: 'empty' });
    const before = (await client.get(`/records/items/${id}`)).json.record.value;
    expect(String(before)).toBe(text);
    const asText = { objects: [{ name: 'items', fields: [{ name: 'value', type: 'TEXT', isSearchable: true }] }] };
    const planned = await apply(client, asText, '?dry_run=true');
    expect(
      planned.json.changes.every((change: object) => !('rows' in change)),
      planned.text,
    ).toBe(true);
    await applied(client, asText);
    const { data } = (await client.get('/records/items', { sort_by: 'name', sort_dir: 'asc' })).json;
    expect(data.map((record: { value: unknown }) => record.value)).toEqual([null, text]);
    expect((await client.get('/records/items', { search: text.slice(0, 4) })).json.data).toHaveLength(1);
    const found = await client.get('/records/items', { filters: { field: 'value', operator: 'equals', value: text } });
    expect(found.json.total).toBe(1);
    expect(await applied(client, asText)).toEqual([]);
  });

  it('loses what has more than one part, and says so', async () => {
    const client = await admin();
    await applied(client, withValue('CURRENCY'));
    await create(client, 'items', { value: 5 });
    const refused = await apply(client, withValue('TEXT'));
    expect(refused.json).toMatchObject({ code: 'DESTRUCTIVE_CHANGE' });
  });
});

describe('a default', () => {
  const options = [{ value: 'a' }, { value: '7' }];

  it.each<[type: string, given: unknown, value: unknown, more?: object]>([
    ['INTEGER', '7', 7],
    ['INTEGER', 7, 7],
    ['DECIMAL', '7.50', 7.5],
    ['BOOLEAN', 'true', true],
    ['BOOLEAN', 'false', false],
    ['CURRENCY', '{"amount":5,"currency":"EUR"}', { amount: 5, currency: 'EUR' }],
    ['MULTI_SELECT', '["a"]', ['a'], { options }],
    ['DATE_RANGE', '{"start":"2026-01-01","end":"2026-01-31"}', { start: '2026-01-01', end: '2026-01-31' }],
    ['EMAILS', '[{"email":"a@b.test"}]', [{ email: 'a@b.test', label: 'work', is_primary: true }]],
    ['TEXT', '7', '7'],
    ['TEXT', '"7"', '"7"'],
    ['SELECT', '7', '7', { options }],
    ['DATE', '2026-01-31', '2026-01-31'],
  ])('of %s is taken as %j', async (type, given, value, more = {}) => {
    const client = await admin();
    await applied(client, withValue(type, { ...more, defaultValue: given }));
    expect((await create(client, 'items', {})).value).toEqual(value);
    const { defaultValue: shown } = await fieldOf(client, 'items', 'value');
    expect(await applied(client, withValue(type, { ...more, defaultValue: shown }))).toEqual([]);
    const pulled = (await client.get('/manifest')).json;
    expect(await applied(client, pulled)).toEqual([]);
  });

  it.each([
    ['INTEGER', 'seven', 'must be a whole number such as 1200, not "seven"'],
    ['INTEGER', '7.5', 'must be a whole number such as 1200, not 7.5'],
    ['BOOLEAN', 'yes', 'must be true or false, not "yes"'],
    ['BOOLEAN', 'null', 'must be true or false, not "null"'],
    ['MULTI_SELECT', String.raw`["a\u0000"]`, 'must be a list of options'],
  ])('of %s is not %s', async (type, given, message) => {
    const client = await admin();
    const reply = await apply(
      client,
      withValue(type, { defaultValue: given, ...(type === 'MULTI_SELECT' && { options }) }),
    );
    expect(reply.json).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(reply.json.field_errors[0]).toMatchObject({ field: 'objects[0].fields[1].defaultValue' });
    expect(reply.json.message).toContain(message);
  });
});
