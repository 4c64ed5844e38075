/** Manifests applied beside traffic, beside each other, and broken off half-way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from '../cli/kith.ts';
import { statementProxy } from '../faults/statement-proxy.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { withValue } from './manifests.ts';

let kith: TestKith;
let organization: TestOrganization;
let client: Client;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  client = organization.admin;
}, 60_000);
afterAll(() => kith.stop());

async function apply(manifest: object): Promise<readonly unknown[]> {
  const reply = await client.post('/manifest?allow_destroy=true', manifest);
  expect(reply.json, reply.text).toHaveProperty('changes');
  return reply.json.changes;
}

describe('traffic', () => {
  it('goes on while a field is retyped, renamed, made searchable and unique', async () => {
    await apply(withValue('INTEGER'));
    let over = false;
    const failures: string[] = [];
    let writes = 0;
    const created = [0, 0, 0, 0];
    const worker = async (number: number) => {
      for (let at = 0; !over; at++) {
        const posted = await client.post('/records/items', { name: `w${number} ${at}` });
        const listed = await client.get('/records/items', { limit: 5, search: `w${number}` });
        const imported = await client.post('/import/items', { records: [{ name: `i${number} ${at}` }] });
        for (const reply of [posted, listed, imported]) if (reply.status !== 200) failures.push(reply.text);
        if (imported.json?.created !== 1) failures.push(imported.text);
        writes += 2;
        created[number] = at + 1;
      }
    };
    const workers = [1, 2, 3].map(worker);
    for (const manifest of [
      withValue('DECIMAL'),
      withValue('INTEGER'),
      withValue('DECIMAL', { isUnique: true }),
      withValue('TEXT'),
      withValue('TEXT', { isSearchable: true }),
      { objects: [{ name: 'items', fields: [{ name: 'worth', renamedFrom: 'value' }] }] },
      { objects: [{ name: 'items', fields: [{ name: 'value', renamedFrom: 'worth', isSearchable: false }] }] },
      { roles: [{ name: 'Viewer', permissions: { '*': { view: 'own' } } }] },
    ]) {
      expect((await apply(manifest)).length).toBeGreaterThan(0);
    }
    over = true;
    await Promise.all(workers);
    expect(failures).toEqual([]);
    const { total } = (await client.get('/records/items', { limit: 1 })).json;
    expect(total).toBe(writes);
    expect((await client.get('/records/items', { search: 'w1', limit: 1 })).json.total).toBe(created[1]);
  }, 120_000);

  it('takes several manifests at once, one after the other', async () => {
    const manifests = Array.from({ length: 6 }, (_, at) => ({
      objects: [
        {
          name: 'shared',
          fields: [
            { name: 'name', type: 'TEXT' },
            { name: `f${at}`, type: 'TEXT' },
          ],
        },
      ],
    }));
    await Promise.all(manifests.map(apply));
    const { fields } = (await client.get('/schema/shared')).json;
    const names = fields.map((field: { name: string }) => field.name);
    expect(names).toEqual(expect.arrayContaining(['name', 'f0', 'f1', 'f2', 'f3', 'f4', 'f5', 'owner']));
    expect(new Set(names).size).toBe(names.length);
  }, 60_000);

  it('never writes an option that is being taken away', async () => {
    const choice = (...values: readonly string[]) => ({
      objects: [
        { name: 'picks', fields: [{ name: 'choice', type: 'SELECT', options: values.map((value) => ({ value })) }] },
      ],
    });
    await apply(choice('a', 'b'));
    let over = false;
    const writer = async () => {
      while (!over) {
        await client.post('/records/picks', { choice: 'b' });
        await client.post('/import/picks', { records: [{ choice: 'b' }] });
      }
    };
    const writers = [writer(), writer()];
    for (let round = 0; round < 5; round++) {
      await apply(choice('a'));
      const { data } = (await client.get('/records/picks', { limit: 100 })).json;
      expect(data.filter((record: { choice: string | null }) => record.choice === 'b')).toEqual([]);
      await apply(choice('a', 'b'));
    }
    over = true;
    await Promise.all(writers);
  }, 60_000);
});

describe('an apply that is killed', () => {
  it('leaves the old workspace or the new one, whatever the statement', async () => {
    const proxy = await statementProxy(kith.database.url);
    const before = async () => (await client.get('/manifest')).text;
    const manifest = (at: number) => ({
      objects: [
        {
          name: `kept_${at}`,
          fields: [
            { name: 'name', type: 'TEXT', isSearchable: true },
            { name: 'links', type: 'MANY_TO_MANY', relationConfig: { targetObjectName: 'contacts' } },
          ],
        },
        { name: 'contacts', fields: [{ name: `extra_${at}`, type: 'SELECT', options: [{ value: 'x' }] }] },
      ],
      roles: [{ name: `Role ${at}`, permissions: { [`kept_${at}`]: { view: 'all' } } }],
    });
    const secret = 'a-secret-of-the-tests-that-is-long-enough-0000';
    const env = { DATABASE_URL: proxy.url, KITH_SECRET_KEY: secret, KITH_LOG_LEVEL: 'silent' };
    const outcomes = new Set<string>();
    /** How many statements there were, which is not the same number on every kind of server. */
    const killedAt = async (n: number, at: number) => {
      const { process: child, outcome } = start(['apply', '--org', organization.id, '--file', '-', '--json'], env);
      child.stdin?.on('error', () => {});
      child.stdin?.end(JSON.stringify(manifest(at)));
      proxy.arm(n, 'before', () => void child.kill('SIGKILL'));
      await outcome;
      return proxy.disarm();
    };
    const all = await killedAt(Infinity, 0);
    for (let at = 1; at <= 10; at++) {
      const old = await before();
      await killedAt(Math.round((all * at) / 10), at);
      proxy.cut();
      const now = await before();
      outcomes.add(now === old ? 'old' : 'new');
      if (now !== old) expect((await client.post('/manifest', manifest(at))).json).toEqual({ changes: [] });
      const created = await client.post('/records/contacts', { first_name: 'Ann' });
      expect(created.status, created.text).toBe(200);
      await apply(manifest(at));
      expect((await client.post(`/records/kept_${at}`, { name: 'x', links: [created.json.id] })).status).toBe(200);
    }
    expect([...outcomes].toSorted()).toEqual(['new', 'old']);
    proxy.close();
  }, 180_000);
});
