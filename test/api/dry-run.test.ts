/** [decisions: Writing] `?dry_run=true`: the answer of the write, and nothing is kept. */
import { describe, expect, it } from 'vitest';
import { sql } from '../../src/postgres/sql.ts';
import { startKith, type Reply } from '../support/kith.ts';
import { create, expectError, list, makeUnique } from './records.ts';
import { admin, kith, organization, table, useStage } from './stage.ts';
import { run } from './workspace.ts';

useStage(() => makeUnique(kith, organization, 'companies', 'domain'));

/** Everything that a write could leave behind. */
async function kept(): Promise<unknown> {
  const names = ['contacts', 'companies', 'opportunities', '_history', '_state', '_unique_values', '_lists', '_fields'];
  const parts = [...names, '_list_entries', '_idempotency', '_objects', '_organization'].map(
    (name) => sql`select coalesce(json_agg(t order by t::text), '[]')::text from ${table(name)} t`,
  );
  return Promise.all(parts.map((part) => run(kith, organization, part)));
}

async function send(method: string, path: string, body?: object): Promise<Reply> {
  return admin.send(`/api/v1${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
}

/** The reply without what differs from one write to the next. */
function comparable({ status, json }: Reply) {
  const text = JSON.stringify(json)
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  return { status, body: JSON.parse(text) as unknown };
}

type Write = readonly [method: string, path: string, body?: object];

const writes: Readonly<Record<string, () => Promise<Write>>> = {
  create: async () => ['POST', '/records/contacts', { first_name: 'Ada', emails: ['ada@x.test'] }],
  'create with links and a new list': async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Linked' });
    return ['POST', '/records/opportunities', { name: 'Deal', contacts: [id], create_list_name: 'New' }];
  },
  'create with a list that is not there': async () => [
    'POST',
    '/records/contacts',
    { first_name: 'Listless', add_to_list_ids: ['01890a5d-ac96-774b-bcce-b302099a8057'] },
  ],
  update: async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Before' });
    return ['PUT', `/records/contacts/${id}`, { first_name: 'After' }];
  },
  patch: async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Before' });
    return ['PATCH', `/records/contacts/${id}`, { first_name: 'After' }];
  },
  delete: async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Goes' });
    return ['DELETE', `/records/contacts/${id}`];
  },
  restore: async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Returns' });
    await admin.delete(`/records/contacts/${id}`);
    return ['POST', `/records/contacts/${id}/restore`];
  },
  purge: async () => {
    const { id } = await create(admin, 'contacts', { first_name: 'Over' });
    await admin.delete(`/records/contacts/${id}`);
    return ['DELETE', `/trash/contacts/${id}`];
  },
  batch: async () => [
    'POST',
    '/records/contacts/batch/create',
    { records: [{ first_name: 'One' }, { first_name: 7 }, { nonsense: 1 }] },
  ],
  import: async () => ['POST', '/import/contacts', { records: [{ first_name: 'One', created_at: 'x' }, 7] }],
  'an unknown field': async () => ['POST', '/records/contacts', { nonsense: 1 }],
  'no such record': async () => ['DELETE', '/records/contacts/01890a5d-ac96-774b-bcce-b302099a8057'],
  'a unique value that is taken': async () => {
    const domain = `https://${crypto.randomUUID()}.test`;
    await create(admin, 'companies', { name: 'First', domain });
    return ['POST', '/records/companies', { name: 'Second', domain }];
  },
  'a batch with a unique value twice': async () => {
    const domain = `https://${crypto.randomUUID()}.test`;
    const records = [{ name: 'First', domain }, { name: 'Second', domain }, { name: 'Third' }];
    return ['POST', '/records/companies/batch/create', { records }];
  },
  manifest: async () => [
    'POST',
    '/manifest',
    { objects: [{ name: 'contacts', fields: [{ name: 'nickname', label: 'Nickname', type: 'TEXT' }] }] },
  ],
};

describe('a dry run', () => {
  it.each(Object.entries(writes))('%s: answers as the write does, and leaves nothing', async (_name, prepare) => {
    const [method, path, body] = await prepare();
    const before = await kept();
    const trial = await send(method, `${path}?dry_run=true`, body);
    expect(await kept()).toEqual(before);
    const real = await send(method, path, body);
    expect(comparable(trial)).toEqual(comparable(real));
    expect(trial.headers.get('warning')).toBe(real.headers.get('warning'));
    expect([trial.headers.get('dry-run'), real.headers.get('dry-run')]).toEqual(['true', null]);
  });

  it('twice is the same again', async () => {
    const domain = `https://${crypto.randomUUID()}.test`;
    const once = await send('POST', '/records/companies?dry_run=true', { name: 'A', domain });
    const again = await send('POST', '/records/companies?dry_run=true', { name: 'A', domain });
    expect([once.status, comparable(once)]).toEqual([200, comparable(again)]);
  });

  it('leaves the totals of lists right', async () => {
    const filter = { filter_field: 'last_name', filter_operator: 'equals', filter_value: 'Total' };
    const total = async () => (await admin.get('/records/contacts', { ...filter, limit: 1 })).json.total;
    await create(admin, 'contacts', { last_name: 'Total' });
    expect(await total()).toBe(1);
    await send('POST', '/records/contacts?dry_run=true', { last_name: 'Total' });
    expect(await total()).toBe(1);
    await create(admin, 'contacts', { last_name: 'Total' });
    expect(await total()).toBe(2);
  });

  it('of someone who may not is refused like the write', async () => {
    const viewer = await organization.user('Viewer');
    expectError(await viewer.post('/records/contacts?dry_run=true', {}), 'PERMISSION_DENIED');
    expectError(await viewer.post('/import/contacts?dry_run=true', { records: [{}] }), 'PERMISSION_DENIED');
  });
});

describe('the parameter', () => {
  it('false asks for the write itself', async () => {
    const reply = await send('POST', '/records/contacts?dry_run=false', { first_name: 'Kept' });
    expect(reply.headers.get('dry-run')).toBeNull();
    expect((await admin.get(`/records/contacts/${reply.json.id}`)).status).toBe(200);
  });

  it.each(['1', 'yes', '', 'TRUE'])('%j is refused', async (value) => {
    const before = await kept();
    expectError(await send('POST', `/records/contacts?dry_run=${value}`, {}), 'VALIDATION_ERROR');
    expectError(await send('POST', `/import/contacts?dry_run=${value}`, { records: [{}] }), 'VALIDATION_ERROR');
    expect(await kept()).toEqual(before);
  });

  it('is unknown to reads', async () => {
    const reply = await admin.get('/records/contacts', { dry_run: true });
    expectError(reply, 'VALIDATION_ERROR');
    expect(reply.json.message).toContain('dry_run');
    expect(await list(admin, 'contacts')).not.toEqual([]);
  });
});

it('counts against the limits', async () => {
  const limited = await startKith({ KITH_RATE_LIMITS: '{"api:bulk":{"limit":2,"windowSeconds":600}}' });
  try {
    const { admin: client } = await limited.organization();
    const trial = () => client.post('/import/contacts?dry_run=true', { records: [{}] });
    expect([(await trial()).status, (await trial()).status, (await trial()).status]).toEqual([200, 200, 429]);
  } finally {
    await limited.stop();
  }
});
