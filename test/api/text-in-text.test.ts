/** What cannot be stored, inside of a list inside of a text: no check of the body or the query has seen it there. */
import { describe, expect, it } from 'vitest';
import { condition } from '../support/hostile.ts';
import { admin, organization, useStage } from './stage.ts';
import { expectError } from './records.ts';

useStage(async () => {});

/** As JSON has them in a text: they come to be when the text is read as JSON. */
const hidden = { 'a NUL': String.raw`\u0000`, 'half of a surrogate pair': String.raw`\ud800` };

describe.each(Object.entries(hidden))('%s', (_, escape) => {
  const list = `["a${escape}","b"]`;

  it.each([
    ['contacts', 'first_name', 'in'],
    ['contacts', 'first_name', 'not_in'],
    ['contacts', 'first_name', 'between'],
    ['contacts', 'emails', 'in'],
    ['contacts', 'tags', 'in'],
    ['contacts', 'birthday', 'date_between'],
    ['contacts', 'company_id', 'in'],
    ['contacts', 'company_id.name', 'in'],
    ['opportunities', 'contacts', 'in'],
    ['companies', 'employees', 'in'],
  ])('in a filter of %s by %s %s', async (object, field, operator) => {
    const reply = await admin.get(`/records/${object}`, { filters: condition(field, operator, list) });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.field_errors[0].field).toBe(field);
    const simple = { filter_field: field, filter_operator: operator, filter_value: list };
    expectError(await admin.get(`/records/${object}`, simple), 'VALIDATION_ERROR');
    expectError(await admin.get(`/export/${object}`, simple), 'VALIDATION_ERROR');
    expectError(await admin.get(`/aggregate/${object}`, simple), 'VALIDATION_ERROR');
  });

  it('in a cell of an import fails its row alone', async () => {
    const cells: [object: string, values: object][] = [
      ['opportunities', { name: 'x', contacts: list }],
      ['opportunities', { name: 'x', contacts: `[{"display":"a${escape}"}]` }],
      ['opportunities', { name: 'x', amount: `{"amount":1,"currency":"${escape}"}` }],
      ['contacts', { emails: list }],
      ['contacts', { phones: list }],
      ['contacts', { tags: list }],
      ['contacts', { address: `{"city":"a${escape}"}` }],
    ];
    for (const [object, values] of cells) {
      const good = object === 'contacts' ? { first_name: 'Good' } : { name: 'Good' };
      const reply = await admin.post(`/import/${object}`, { records: [good, values, good] });
      expect([reply.status, reply.json.created, reply.json.failed], reply.text).toEqual([200, 2, 1]);
      const key = Object.keys(values).at(-1) ?? '';
      expect(reply.json.errors).toEqual([{ index: 1, error: expect.stringMatching(new RegExp(`^${key} contains `)) }]);
    }
  });

  it('in the rule of a role is refused at its place', async () => {
    const rule = { type: 'AND', conditions: [{ field: 'first_name', operator: 'in', value: list }] };
    const role = (view: unknown) => ({ roles: [{ name: 'Odd', permissions: { contacts: { view } } }] });
    const reply = await admin.post('/manifest', role(rule));
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.field_errors[0].field).toBe('roles[0].permissions.contacts.view');
    expect(reply.json.message).toContain('contains');
  });

  it('in a sort, a name or an address is answered', async () => {
    const sort = `[{"field":"a${escape}"}]`;
    expectError(await admin.get('/records/contacts', { sort }), 'INVALID_FIELD');
    const filters = `{"field":"a${escape}","operator":"is_null"}`;
    expectError(await admin.get('/records/contacts', { filters }), 'INVALID_FIELD');
    const reply = await admin.get('/records/contacts%00');
    expectError(reply, 'INVALID_OBJECT');
    expect(organization.id).not.toBe('');
  });
});
