/** [decisions: Writing] Tags of records: what makes them differ, and what a write does with one that is old. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll, expectError, fieldsIn } from './records.ts';
import { addRole } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
/** Sees neither industries nor companies' owners. */
let half: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addRole(kith, organization, 'Half', {
    '*': { view: 'all', create: true, update: 'all', delete: 'all' },
    companies: { fields: { industry: 'none' } },
  });
  half = await organization.user('Half');
});
afterAll(() => kith.stop());

const etagOf = (reply: Reply): string => {
  const etag = reply.headers.get('etag') ?? '';
  expect(etag, reply.text).toMatch(/^"[0-9a-f]{32}(-[\w-]{16})?"$/);
  return etag;
};
const get = (client: Client, object: string, id: string, headers: Record<string, string> = {}) =>
  client.get(`/records/${object}/${id}`, {}, headers);
const tagOf = async (client: Client, object: string, id: string) => etagOf(await get(client, object, id));
const stateOf = (etag: string) => etag.slice(1, 33);
const remove = (client: Client, object: string, id: string, etag: string) =>
  client.send(`/api/v1/records/${object}/${id}`, { method: 'DELETE', headers: { 'if-match': etag } });

describe('the tag of a record', () => {
  it('is on get, create, update and restore, and the same state has the same tag', async () => {
    const created = await admin.post('/records/companies', { name: 'Tagged' });
    const { id } = created.json;
    const read = await tagOf(admin, 'companies', id);
    expect(stateOf(read)).toBe(stateOf(etagOf(created)));
    const updated = etagOf(await admin.put(`/records/companies/${id}`, { name: 'Other' }));
    expect(stateOf(updated)).not.toBe(stateOf(read));
    const back = etagOf(await admin.put(`/records/companies/${id}`, { name: 'Tagged' }));
    expect(back).toBe(etagOf(created));
    await admin.delete(`/records/companies/${id}`);
    expect(etagOf(await admin.post(`/records/companies/${id}/restore`))).toBe(back);
  });

  it('is another one for the indented answer, of the same state', async () => {
    const { id } = await create(admin, 'companies', { name: 'Indented' });
    const plain = await get(admin, 'companies', id);
    const pretty = await admin.get(`/records/companies/${id}`, { pretty: '' });
    expect(pretty.text).toBe(`${JSON.stringify(plain.json, null, 2)}\n`);
    const tag = pretty.headers.get('etag') ?? '';
    expect(tag).toBe(`${etagOf(plain).slice(0, -1)}-pretty"`);
    const url = `/api/v1/records/companies/${id}`;
    const headers = { 'content-type': 'application/json', 'if-match': tag };
    const put = await admin.send(url, { method: 'PUT', body: '{"name":"Changed"}', headers });
    expect(put.status, put.text).toBe(200);
    expect((await admin.send(url, { method: 'PUT', body: '{"name":"Again"}', headers })).status).toBe(412);
  });

  it.each([
    ['a text', 'opportunities', { name: 'B' }],
    ['an amount', 'opportunities', { amount: { amount: 1, currency: 'EUR' } }],
    ['the currency alone', 'opportunities', { amount: { amount: 5, currency: 'USD' } }],
    ['nothing instead of a value', 'opportunities', { close_date: null }],
    ['an option', 'opportunities', { source: 'referral' }],
  ])('differs with %s', async (_name, object, change) => {
    const made = await admin.post(`/records/${object}`, {
      name: 'A',
      amount: { amount: 5, currency: 'EUR' },
      close_date: '2026-01-01',
    });
    const before = await tagOf(admin, object, made.json.id);
    const reply = await admin.put(`/records/${object}/${made.json.id}`, change);
    expect(reply.status, reply.text).toBe(200);
    expect(stateOf(etagOf(reply))).not.toBe(stateOf(before));
  });

  it('stays where a number is the same, however it is written', async () => {
    const { id } = await create(admin, 'opportunities', { name: 'A', amount: { amount: 5, currency: 'EUR' } });
    const url = `/api/v1/records/opportunities/${id}`;
    const put = (body: string) =>
      admin.send(url, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
    await put('{"amount":{"amount":1200.00,"currency":"EUR"}}');
    const before = await get(admin, 'opportunities', id);
    const again = await put('{"amount":{"amount":1200,"currency":"EUR"}}');
    expect(again.status).toBe(200);
    expect(stateOf(etagOf(again))).toBe(stateOf(etagOf(before)));
    expect((await get(admin, 'opportunities', id)).text).toBe(before.text);
  });

  it('differs with links, with what they carry and with their order', async () => {
    const [a, b] = await createAll(admin, 'contacts', [{ first_name: 'A' }, { first_name: 'B' }]);
    const { id } = await create(admin, 'opportunities', { name: 'Links' });
    const states = [stateOf(await tagOf(admin, 'opportunities', id))];
    for (const contacts of [
      [a.id],
      [{ id: a.id, role: 'Buyer' }],
      [{ id: a.id, role: 'Buyer' }, b.id],
      [b.id, { id: a.id, role: 'Buyer' }],
    ]) {
      states.push(stateOf(etagOf(await admin.put(`/records/opportunities/${id}`, { contacts }))));
    }
    expect(new Set(states).size).toBe(states.length);
  });

  it('stays when a display or a hidden field changes; the rest of the tag tells of a display', async () => {
    const company = await create(admin, 'companies', { name: 'Shown' });
    const { id } = await create(admin, 'contacts', { first_name: 'X', company_id: company.id });
    const [contact, seen] = [await tagOf(admin, 'contacts', id), await tagOf(half, 'companies', company.id)];
    await admin.put(`/records/companies/${company.id}`, { name: 'Renamed' });
    const after = await tagOf(admin, 'contacts', id);
    expect(stateOf(after)).toBe(stateOf(contact));
    expect(after).not.toBe(contact);
    const named = stateOf(await tagOf(half, 'companies', company.id));
    expect(named).not.toBe(stateOf(seen));
    await admin.put(`/records/companies/${company.id}`, { industry: 'retail' });
    expect(stateOf(await tagOf(half, 'companies', company.id))).toBe(named);
  });

  it('is not on a record of which only some fields are asked for', async () => {
    const { id } = await create(admin, 'companies', { name: 'Part' });
    expect((await admin.get(`/records/companies/${id}`, { fields: 'name' })).headers.get('etag')).toBeNull();
  });
});

describe('If-Match', () => {
  it.each(['PUT', 'PATCH'])(
    '%s goes on with the tag of a read or of a write, and not with an old one',
    async (method) => {
      const { id } = await create(admin, 'companies', { name: 'One', employees: 1 });
      const old = await tagOf(admin, 'companies', id);
      const put = (etag: string, values: object) =>
        admin.send(`/api/v1/records/companies/${id}`, {
          method,
          body: JSON.stringify(values),
          headers: { 'content-type': 'application/json', 'if-match': etag },
        });
      const first = await put(old, { name: 'Two' });
      expect(first.status, first.text).toBe(200);
      const stale = await put(old, { name: 'Three', employees: 3 });
      expectError(stale, 'CONFLICT', 412);
      expect(stale.json.field_errors).toEqual([
        { field: 'name', message: 'name is now "Two"' },
        { field: 'employees', message: 'employees is now 1' },
      ]);
      expect((await put(etagOf(first), { name: 'Three' })).status).toBe(200);
      expect((await put(`"nonsense", ${await tagOf(admin, 'companies', id)}`, { name: 'Four' })).status).toBe(200);
      expect((await put('*', { name: 'Five' })).status).toBe(200);
      expectError(await put(`W/${await tagOf(admin, 'companies', id)}`, { name: 'Six' }), 'CONFLICT', 412);
      for (const broken of ['', 'abc', '"a" "b"', '"a']) {
        expectError(await put(broken, { name: 'Seven' }), 'VALIDATION_ERROR');
      }
      expect((await get(admin, 'companies', id)).json.record.name).toBe('Five');
    },
  );

  it('holds for writes that change links, and nothing of a refused one stays', async () => {
    const [a, b] = await createAll(admin, 'contacts', [{ first_name: 'A' }, { first_name: 'B' }]);
    const { id } = await create(admin, 'opportunities', { name: 'Linked', contacts: [a.id] });
    const old = await tagOf(admin, 'opportunities', id);
    await admin.put(`/records/opportunities/${id}`, { contacts: [{ id: a.id, role: 'Buyer' }] });
    const stale = await admin.put(`/records/opportunities/${id}`, { contacts: [b.id] }, { 'if-match': old });
    expectError(stale, 'CONFLICT', 412);
    expect(fieldsIn(stale)).toEqual(['contacts']);
    const { record } = (await get(admin, 'opportunities', id)).json;
    expect(record.contacts).toMatchObject([{ id: a.id, role: 'Buyer' }]);
  });

  it('holds for the move of a pipeline step, and for what is written back whole', async () => {
    const { id } = await create(admin, 'opportunities', { name: 'Moved' });
    const read = await get(admin, 'opportunities', id);
    const moved = await admin.put(`/records/opportunities/${id}`, { pipeline_step_id: 'Won' });
    expect(moved.json.record.pipeline_step_id).not.toBe(read.json.record.pipeline_step_id);
    const stale = await admin.put(`/records/opportunities/${id}`, read.json.record, { 'if-match': etagOf(read) });
    expectError(stale, 'CONFLICT', 412);
    const fresh = await get(admin, 'opportunities', id);
    const written = await admin.put(`/records/opportunities/${id}`, fresh.json.record, { 'if-match': etagOf(fresh) });
    expect(written.status, written.text).toBe(200);
  });

  it('lets two writers of one state pass one after the other, once', async () => {
    const { id } = await create(admin, 'companies', { name: 'Raced' });
    const tag = await tagOf(admin, 'companies', id);
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        admin.put(`/records/companies/${id}`, { name: `N${at}` }, { 'if-match': tag }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412, 412, 412, 412]);
  });

  it('holds for DELETE', async () => {
    const { id } = await create(admin, 'companies', { name: 'Gone' });
    const old = await tagOf(admin, 'companies', id);
    await admin.put(`/records/companies/${id}`, { name: 'Still here' });
    const stale = await remove(admin, 'companies', id, old);
    expectError(stale, 'CONFLICT', 412);
    expect(stale.json.field_errors).toBeUndefined();
    expect((await remove(admin, 'companies', id, await tagOf(admin, 'companies', id))).json).toEqual({ deleted: true });
    expectError(await remove(admin, 'companies', id, '*'), 'RECORD_NOT_FOUND');
  });

  it('tells nothing to who may not see the record or change it', async () => {
    await addRole(kith, organization, 'Reader', { '*': { view: 'all' }, companies: { view: 'own' } });
    const reader = await organization.user('Reader');
    const company = await create(admin, 'companies', { name: 'Foreign' });
    const contact = await create(admin, 'contacts', { first_name: 'C' });
    const stale = { 'if-match': '"0"' };
    expectError(await reader.put(`/records/companies/${company.id}`, { name: 'x' }, stale), 'RECORD_NOT_FOUND');
    expectError(await reader.put(`/records/contacts/${contact.id}`, { first_name: 'x' }, stale), 'PERMISSION_DENIED');
  });

  it('holds for a move in a pipeline', async () => {
    const { id } = await create(admin, 'opportunities', { name: 'Moved' });
    const [{ steps }] = (await admin.get('/pipelines')).json.pipelines;
    const url = `/pipelines/opportunities/${id}/move`;
    const body = { pipeline_step_id: steps[1].id };
    expect((await admin.put(url, body, { 'if-match': '"0"' })).status).toBe(412);
    const before = await get(admin, 'opportunities', id);
    expect(before.json.record.pipeline_step_id).toBe(steps[0].id);
    expect((await admin.put(url, body, { 'if-match': etagOf(before) })).status).toBe(200);
    expect((await get(admin, 'opportunities', id)).json.record.pipeline_step_id).toBe(steps[1].id);
  });

  it('is a header and no parameter', async () => {
    const { id } = await create(admin, 'companies', { name: 'Q' });
    expectError(await admin.put(`/records/companies/${id}?if_match=x`, { name: 'x' }), 'VALIDATION_ERROR');
  });
});

describe('If-None-Match', () => {
  it('gives 304 while the answer is the same, and the answer when it is not', async () => {
    const { id } = await create(admin, 'companies', { name: 'Cached' });
    const etag = await tagOf(admin, 'companies', id);
    const same = await get(admin, 'companies', id, { 'if-none-match': `"x", W/${etag}` });
    expect([same.status, same.text, same.headers.get('etag')]).toEqual([304, '', etag]);
    const reply = await admin.put(`/records/companies/${id}`, { name: 'Changed' });
    expect((await get(admin, 'companies', id, { 'if-none-match': etag })).status).toBe(200);
    expect((await get(admin, 'companies', id, { 'if-none-match': etagOf(reply) })).status).toBe(200);
  });

  it.each(['/schema', '/schema/contacts', '/users'])('%s has a tag of its text', async (path) => {
    const first = await admin.get(path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    const again = await admin.get(path, {}, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await admin.get(path, {}, { 'if-none-match': '"x"' })).text).toBe(first.text);
  });
});

describe('a list', () => {
  it('has its total and its next page in headers', async () => {
    await createAll(
      admin,
      'contacts',
      Array.from({ length: 5 }, (_, at) => ({ first_name: `Paged ü${at}` })),
    );
    const filters = { field: 'first_name', operator: 'starts_with', value: 'Paged ü' };
    let reply = await admin.get('/records/contacts', { limit: 2, filters });
    const names: string[] = [];
    for (let pages = 0; pages < 3; pages++) {
      expect(reply.headers.get('x-total-count')).toBe('5');
      names.push(...reply.json.data.map((record: { first_name: string }) => record.first_name));
      const [, next] = /^<(.+)>; rel="next"$/.exec(reply.headers.get('link') ?? '') ?? [];
      expect(next === undefined).toBe(reply.json.nextCursor === undefined);
      if (next !== undefined) reply = await admin.send(next);
    }
    expect(new Set(names).size).toBe(5);
  });
});
