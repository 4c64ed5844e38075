/** What the organization is called and counts in, and the names of its roles. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../support/kith.ts';
import { expectError } from './records.ts';
import { admin, kith, organization, useStage } from './stage.ts';
import { addRole } from './workspace.ts';

let mia: Client;
useStage(async () => {
  mia = await organization.user('Member');
});

const settings = async (client: Client) => {
  const { organization: name, currency, timezone } = (await client.get('/workspace')).json;
  return { organization: name, currency, timezone };
};

describe('the organization', () => {
  it('is changed by admins, as far as it is given, and everybody sees it', async () => {
    const before = await settings(admin);
    const renamed = await admin.put('/workspace', { organization: ' Acme <3 ' });
    expect([renamed.status, renamed.json]).toEqual([200, { ...before, organization: 'Acme <3' }]);
    const moved = await admin.put('/workspace', { currency: 'CHF', timezone: 'Asia/Kathmandu' });
    const after = { organization: 'Acme <3', currency: 'CHF', timezone: 'Asia/Kathmandu' };
    expect(moved.json).toEqual(after);
    expect([await settings(admin), await settings(mia)]).toEqual([after, after]);
    expect((await admin.get('/manifest')).json.organization).toEqual({
      name: 'Acme <3',
      currency: 'CHF',
      timezone: 'Asia/Kathmandu',
    });
    expect((await admin.put('/workspace', {})).json).toEqual(after);
  });

  it('names no field by which records are called where the role may not see it', async () => {
    await addRole(kith, organization, 'Nameless', { companies: { view: 'all', fields: { name: 'none' } } });
    const nameless = await organization.user('Nameless');
    expect((await nameless.get('/workspace')).json.displayFields).toEqual({ companies: 'id' });
  });

  it('is told in the audit', async () => {
    await admin.put('/workspace', { organization: 'Audited' });
    const [entry] = (await admin.get('/audit', { action: 'model.changed', limit: '1' })).json.data;
    expect(entry.subject.changes).toEqual({ 'organization.update': 1 });
  });

  it('is tried without being changed', async () => {
    const before = await settings(admin);
    const { json } = await admin.put('/workspace?dry_run=true', { organization: 'Tried', currency: 'USD' });
    expect(json).toEqual({ ...before, organization: 'Tried', currency: 'USD' });
    expect(await settings(admin)).toEqual(before);
  });

  it.each([
    [{ organization: '  ' }, 'organization must not be empty'],
    [{ organization: 'x'.repeat(10_000) }, 'organization must have at most 200 characters'],
    [{ currency: 'EURO' }, 'currency must be a currency code of ISO 4217, such as EUR, not "EURO"'],
    [{ currency: 'eur' }, 'not "eur" (did you mean "EUR"?)'],
    [
      { timezone: 'Nowhere' },
      'timezone must be a time zone of the IANA database, such as Europe/Berlin, not "Nowhere"',
    ],
    [{ timezone: '+02:00' }, 'not "+02:00"'],
    [{ timezone: 'Europe/Zurch' }, 'not "Europe/Zurch" (did you mean "Europe/Zurich"?)'],
    [{ timezone: 5 }, 'timezone must be text'],
    [{ name: 'Acme' }, '"name" is not known here'],
  ])('is not made %j', async (body, words) => {
    const before = await settings(admin);
    const reply = await admin.put('/workspace', body);
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain(words);
    expect(reply.json.field_errors).toHaveLength(1);
    expect(await settings(admin)).toEqual(before);
  });

  it('is not for others to change', async () => {
    const reply = await mia.put('/workspace', { organization: 'Mine' });
    expectError(reply, 'PERMISSION_DENIED');
    expect(reply.json.message).toContain('needs an admin');
  });
});

it('the roles are told by name, to everybody', async () => {
  const { roles } = (await mia.get('/roles')).json;
  const names = roles.map(({ name, is_admin: isAdmin }: { name: string; is_admin: boolean }) => [name, isAdmin]);
  expect(names).toEqual(
    expect.arrayContaining([
      ['Admin', true],
      ['Member', false],
      ['Viewer', false],
    ]),
  );
  expect(Object.keys(roles[0])).toEqual(['id', 'name', 'is_admin']);
});
