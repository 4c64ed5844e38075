/** [decisions: Writing] `Idempotency-Key`: a POST that is sent again is answered again, not done again. */
import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql, statement } from '../../src/postgres/sql.ts';
import { revokeToken } from '../../src/provision/tokens.ts';
import { updateUser } from '../../src/provision/users.ts';
import { create, createAll, expectError, makeUnique } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { addRole, run } from './workspace.ts';

useStage(() => makeUnique(kith, organization, 'companies', 'domain'));
const count = async (name: string) =>
  Number((await run(kith, organization, sql`select count(*) from ${table(name)}`))[0]?.[0]);
const keyed = (key: string) => ({ 'idempotency-key': key });
const replayedOf = (reply: { headers: Headers }) => reply.headers.get('idempotent-replayed');

describe('the same request again', () => {
  it.each([
    ['/records/contacts', { first_name: 'Ada' }],
    ['/records/contacts/batch/create', { records: [{ first_name: 'One' }, { nonsense: 1 }] }],
    ['/import/contacts', { records: [{ first_name: 'One', created_at: 'x' }, { owner: 'Nobody Here' }] }],
  ])('POST %s: the same answer, and nothing more is written', async (path, body) => {
    const key = randomUUID();
    const first = await admin.post(path, body, keyed(key));
    expect(first.status, first.text).toBe(200);
    const written = await count('_history');
    const again = await admin.post(path, body, keyed(key));
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(200);
    for (const name of ['warning', 'etag', 'content-type', 'dry-run'])
      expect(again.headers.get(name), name).toBe(first.headers.get(name));
    expect([replayedOf(first), replayedOf(again)]).toEqual([null, 'true']);
    expect(await count('_history')).toBe(written);
  });

  it('restore: the record that was restored then', async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Back' });
    await admin.delete(`/records/contacts/${id}`);
    const key = keyed(randomUUID());
    const first = await admin.post(`/records/contacts/${id}/restore`, undefined, key);
    const again = await admin.post(`/records/contacts/${id}/restore`, undefined, key);
    expect([first.status, again.text, replayedOf(again)]).toEqual([200, first.text, 'true']);
  });

  it('a manifest: its changes, though there is nothing to change any more', async () => {
    const fields = [{ name: 'nickname', label: 'Nickname', type: 'TEXT', isSearchable: true }];
    const body = { objects: [{ name: 'contacts', fields }] };
    const key = keyed(randomUUID());
    const first = await admin.post('/manifest', body, key);
    expect(first.json.changes, first.text).not.toEqual([]);
    expect(first.headers.get('warning')).toBeNull();
    const again = await admin.post('/manifest', body, key);
    expect([again.text, replayedOf(again)]).toEqual([first.text, 'true']);
    expect((await admin.post('/manifest', body)).json.changes).toEqual([]);
    await create(admin, 'contacts', { nickname: 'Searchable' });
    expect((await admin.get('/records/contacts', { search: 'searchable' })).json.total).toBe(1);
  });

  it('keys in another order and other white space are the same', async () => {
    const key = randomUUID();
    const headers = { 'content-type': 'application/json', ...keyed(key) };
    const post = (body: string) => admin.send('/api/v1/records/contacts', { method: 'POST', body, headers });
    const first = await post('{"first_name":"A","last_name":"B"}');
    const again = await post('{ "last_name": "B",\n"first_name": "A" }');
    expect([again.text, replayedOf(again)]).toEqual([first.text, 'true']);
  });

  it('indents are of no account', async () => {
    const key = keyed(randomUUID());
    const first = await admin.post('/records/contacts', { first_name: 'A' }, key);
    const again = await admin.post('/records/contacts?pretty', { first_name: 'A' }, key);
    expect([again.text, replayedOf(again)]).toEqual([`${JSON.stringify(first.json, null, 2)}\n`, 'true']);
  });

  it('another token of the same user gets the answer, another user writes its own', async () => {
    const member = await organization.user('Member');
    const key = keyed(randomUUID());
    const first = await admin.post('/records/contacts', { first_name: 'Whose' }, key);
    const other = await member.post('/records/contacts', { first_name: 'Whose' }, key);
    expect(other.status).toBe(200);
    expect([other.json.id === first.json.id, replayedOf(other)]).toEqual([false, null]);
  });

  it('10,000 rows are imported once', async () => {
    const key = keyed(randomUUID());
    const records = Array.from({ length: 10_000 }, (_, index) => ({ last_name: `Row ${index}` }));
    const first = await admin.post('/import/contacts', { records }, key);
    expect(first.json.created).toBe(10_000);
    const again = await admin.post('/import/contacts', { records }, key);
    expect(replayedOf(again)).toBe('true');
    expect(again.text === first.text).toBe(true);
  });
});

describe('two requests with one key at once', () => {
  it('write once; the others get the same answer', async () => {
    const key = keyed(randomUUID());
    const last_name = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => admin.post('/records/contacts', { last_name }, key)),
    );
    const done = replies.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ text }) => text)).size).toBe(1);
    expect(done.filter((reply) => replayedOf(reply) === null)).toHaveLength(1);
    for (const reply of replies.filter(({ status }) => status !== 200)) expectError(reply, 'CONFLICT');
    const rows = await run(kith, organization, sql`select 1 from ${table('contacts')} where last_name = ${last_name}`);
    expect(rows).toHaveLength(1);
  });

  it('a request waits for two seconds, and is a CONFLICT then; the key works once the other one has failed', async () => {
    const key = randomUUID();
    const hash = createHash('sha256').update(key).digest('base64url');
    const failed = new Error('The other request failed');
    const other = kith.database.database.transaction(organization.id, async (tx) => {
      await tx.run(
        statement(sql`insert into ${table('_idempotency')} (workspace_user_id, key_hash, request_hash, role_id, created_at)
          values (${admin.workspaceUserId}::uuid, ${hash}, '', ${admin.workspaceUserId}::uuid, now())`),
      );
      const reply = await admin.post('/records/contacts', {}, keyed(key));
      expectError(reply, 'CONFLICT');
      expect(reply.json.message).toContain('still being carried out');
      throw failed;
    });
    await expect(other).rejects.toBe(failed);
    expect((await admin.post('/records/contacts', {}, keyed(key))).status).toBe(200);
  });

  it('manifests under different keys are both applied', async () => {
    const apply = (name: string) =>
      admin.post(
        '/manifest',
        { objects: [{ name: 'companies', fields: [{ name, label: name, type: 'TEXT' }] }] },
        keyed(randomUUID()),
      );
    const replies = await Promise.all([apply('motto_one'), apply('motto_two')]);
    expect(replies.map(({ status, text }) => [status, text.includes('motto')])).toEqual([
      [200, true],
      [200, true],
    ]);
    const reply = await admin.post('/records/companies', { name: 'Both', motto_one: '1', motto_two: '2' });
    expect(reply.json.record, reply.text).toMatchObject({ motto_one: '1', motto_two: '2' });
  });
});

describe('a key of another request', () => {
  it.each([
    ['another body', '/records/contacts', { first_name: 'Other' }],
    ['another path', '/records/companies', { first_name: 'This' }],
    ['another query', '/manifest?allow_lock=true', { objects: [] }],
  ])('%s is VALIDATION_ERROR', async (what, path, body) => {
    const key = keyed(randomUUID());
    const [usual, given] = path.startsWith('/manifest')
      ? ['/manifest', body]
      : ['/records/contacts', { first_name: 'This' }];
    const first = await admin.post(usual, given, key);
    expect(first.status, first.text).toBe(200);
    const before = await count('_history');
    const reply = await admin.post(path, body, key);
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message, what).toContain('Idempotency-Key');
    expect(await count('_history')).toBe(before);
  });

  it('tells numbers apart that no float can', async () => {
    const key = keyed(randomUUID());
    const post = (digit: number) =>
      admin.send('/api/v1/records/opportunities', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...key },
        body: `{"name":"Exact","probability":1.0000000000000000000${digit}}`,
      });
    expect((await post(1)).status).toBe(200);
    expectError(await post(2), 'VALIDATION_ERROR');
    expect(replayedOf(await post(1))).toBe('true');
  });

  it.each(['', ' ', 'with space', 'x'.repeat(256), 'ü'])('%j is refused', async (key) => {
    const before = await count('contacts');
    const encoded = Buffer.from(key, 'utf8').toString('latin1');
    expectError(await admin.post('/records/contacts', {}, keyed(encoded)), 'VALIDATION_ERROR');
    expect(await count('contacts')).toBe(before);
  });

  it('of 255 characters will do', async () => {
    const key = keyed('~'.repeat(255));
    await admin.post('/records/contacts', {}, key);
    expect(replayedOf(await admin.post('/records/contacts', {}, key))).toBe('true');
  });
});

describe('what does not use up a key', () => {
  it('a refused request: the key is free again', async () => {
    const key = keyed(randomUUID());
    const domain = `https://${randomUUID()}.test`;
    const { id } = await create(admin, 'companies', { name: 'First', domain });
    const body = { name: 'Second', domain };
    expectError(await admin.post('/records/companies', body, key), 'DUPLICATE_RECORD');
    expectError(await admin.post('/records/companies', { nonsense: 1 }, key), 'VALIDATION_ERROR');
    await admin.delete(`/records/companies/${id}`);
    const reply = await admin.post('/records/companies', body, key);
    expect([reply.status, replayedOf(reply)]).toEqual([200, null]);
  });

  it('a dry run neither takes a key nor replays', async () => {
    const key = keyed(randomUUID());
    const trial = await admin.post('/records/contacts?dry_run=true', { first_name: 'Trial' }, key);
    const real = await admin.post('/records/contacts', { first_name: 'Trial' }, key);
    expect([trial.status, real.status, replayedOf(real)]).toEqual([200, 200, null]);
    const later = await admin.post('/records/contacts?dry_run=true', { first_name: 'Trial' }, key);
    expect([later.json.id === real.json.id, replayedOf(later)]).toEqual([false, null]);
  });

  it.each(['PUT', 'DELETE'])('a %s ignores it', async (method) => {
    const key = randomUUID();
    const send = (id: string) =>
      admin.send(`/api/v1/records/contacts/${id}`, {
        method,
        headers: { 'idempotency-key': key, ...(method === 'PUT' && { 'content-type': 'application/json' }) },
        ...(method === 'PUT' && { body: '{"last_name":"x"}' }),
      });
    const [one, two] = await createAll(admin, 'contacts', [{}, {}]);
    expect([(await send(one.id)).status, (await send(two.id)).status]).toEqual([200, 200]);
  });
});

describe('a replay', () => {
  it('is for a token that is good', async () => {
    const member = await organization.user('Member');
    const key = keyed(randomUUID());
    expect((await member.post('/records/contacts', {}, key)).status).toBe(200);
    const [row] = await run(
      kith,
      organization,
      sql`select id from ${table('_tokens')} where workspace_user_id = ${member.workspaceUserId}::uuid`,
    );
    await revokeToken(kith.deps, row?.[0] ?? '');
    expect((await member.post('/records/contacts', {}, key)).status).toBe(401);
  });

  it('is not for one whose role has changed', async () => {
    const member = await organization.user('Member');
    const key = keyed(randomUUID());
    expect((await member.post('/records/contacts', { first_name: 'Then' }, key)).status).toBe(200);
    const [row] = await run(
      kith,
      organization,
      sql`select email from ${table('_users')} where id = ${member.workspaceUserId}::uuid`,
    );
    await updateUser(kith.deps, organization.id, row?.[0] ?? '', { role: 'Viewer' });
    const reply = await member.post('/records/contacts', { first_name: 'Then' }, key);
    expectError(reply, 'CONFLICT');
    expect(reply.json.message).toContain('carried out');
  });

  it('is not for a workspace that has changed: what it showed may be hidden now', async () => {
    const member = await organization.user('Member');
    const key = keyed(randomUUID());
    const before = await count('contacts');
    expect((await member.post('/records/contacts', { first_name: 'Then' }, key)).status).toBe(200);
    await addRole(kith, organization, randomUUID(), {});
    expectError(await member.post('/records/contacts', { first_name: 'Then' }, key), 'CONFLICT');
    expect(await count('contacts')).toBe(before + 1);
  });

  it('ends after 24 hours', async () => {
    const key = keyed(randomUUID());
    const first = await admin.post('/records/contacts', { first_name: 'Day' }, key);
    const age = (hours: number) =>
      run(
        kith,
        organization,
        sql`update ${table('_idempotency')} set created_at = now() - ${hours}::int * interval '1 hour'
          where created_at > now() - interval '1 hour' or ${hours}::int = 25`,
      );
    await age(23);
    expect(replayedOf(await admin.post('/records/contacts', { first_name: 'Day' }, key))).toBe('true');
    await age(25);
    const fresh = await admin.post('/records/contacts', { first_name: 'Another day' }, key);
    expect([fresh.status, replayedOf(fresh), fresh.json.id === first.json.id]).toEqual([200, null, false]);
    expect(replayedOf(await admin.post('/records/contacts', { first_name: 'Another day' }, key))).toBe('true');
  });

  it('is stored sealed, under a key that is stored hashed', async () => {
    const key = randomUUID();
    await admin.post('/records/contacts', { first_name: 'Confidential' }, keyed(key));
    const [row] = await run(kith, organization, sql`select json_agg(i)::text from ${table('_idempotency')} i`);
    expect(row?.[0]).not.toContain('Confidential');
    expect(row?.[0]).not.toContain(key);
  });
});
