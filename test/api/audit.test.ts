/** The audit: what leaves an entry and what does not, who reads it, and how a change of it is found out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifier, sql, type Sql } from '../../src/postgres/sql.ts';
import { proveAudit } from '../../src/provision/audit.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { updateUser } from '../../src/provision/users.ts';
import { kithJson } from '../cli/in-process.ts';
import { kithSecret, startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { agents } from '../tools/agent.ts';
import { emailOf, ingest } from './conversations.ts';
import { apply } from './records.ts';
import { account, email, preview, send } from './sending.ts';
import { run } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let member: Client;
let adminEmail: string;
const table = (name: string): Sql => identifier(organization.schema, name);

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  member = await organization.user('Member');
  adminEmail = await emailOf(admin);
});
afterAll(() => kith.stop());

interface Entry {
  readonly seq: number;
  readonly at: string;
  readonly action: string;
  readonly subject: Readonly<Record<string, unknown>>;
}

async function entries(query: object = {}): Promise<readonly Entry[]> {
  return (await admin.get('/audit', { limit: 100, ...query })).json.data;
}

const newest = async () => (await entries({ limit: 1 }))[0]?.seq ?? 0;

/** What `act` has left, the first first. */
async function left(act: () => Promise<unknown>): Promise<readonly Entry[]> {
  const before = await newest();
  await act();
  return (await entries()).filter(({ seq }) => seq > before).toReversed();
}

/** A thing that a test asked for has to have come about. */
const done = async (reply: ReturnType<Client['post']>, status = 200) => {
  const { status: got, text, json } = await reply;
  expect([got, text]).toEqual([status, text]);
  return json;
};

const cli = (...args: readonly string[]) =>
  kithJson([...args, '--org', organization.id], { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret });

async function company(name: string): Promise<string> {
  return (await done(admin.post('/records/companies', { name }))).record.id;
}

async function twoCompanies(): Promise<{
  action: string;
  object_name: string;
  master_id: string;
  duplicate_ids: string[];
}> {
  const [master_id, duplicate] = [await company('Acme'), await company('Acme')];
  return { action: 'merge', object_name: 'companies', master_id, duplicate_ids: [duplicate] };
}

describe('what leaves an entry', () => {
  const ofOperator = { actor: null, means: 'cli', token: null, address: null, request_id: null };
  const ofAdmin = () => ({
    actor: { id: admin.workspaceUserId, display: 'Ada Admin' },
    means: 'api',
    token: 'Admin',
    address: '127.0.0.1',
    request_id: expect.stringMatching(/./),
  });
  const cases: [what: string, act: () => Promise<unknown>, expected: () => readonly object[]][] = [
    [
      'a token that is made and revoked, once',
      async () => {
        const made = await createToken(kith.deps, organization.id, {
          email: adminEmail,
          name: 'Laptop',
          scopes: ['mcp'],
        });
        await revokeToken(kith.deps, made.tokenId);
        await revokeToken(kith.deps, made.tokenId);
      },
      () => [
        {
          ...ofOperator,
          action: 'token.created',
          subject: {
            token: expect.any(String),
            name: 'Laptop',
            scopes: ['mcp'],
            expires_at: null,
            user: admin.workspaceUserId,
          },
        },
        { ...ofOperator, action: 'token.revoked', subject: { token: expect.any(String), user: admin.workspaceUserId } },
      ],
    ],
    [
      'a user who is made and changed, not one who stays as before',
      async () => {
        await cli('user', 'create', '--name', 'Bob', '--email', 'bob@kith.test', '--role', 'Member');
        await updateUser(kith.deps, organization.id, 'bob@kith.test', { role: 'Viewer', active: false });
        await updateUser(kith.deps, organization.id, 'bob@kith.test', { role: 'Viewer' });
      },
      () => [
        {
          ...ofOperator,
          action: 'user.created',
          subject: { user: expect.any(String), role_id: expect.any(String), active: true },
        },
        { ...ofOperator, action: 'token.created' },
        {
          ...ofOperator,
          action: 'user.changed',
          subject: {
            user: expect.any(String),
            role_id: { from: expect.any(String), to: expect.any(String) },
            active: false,
          },
        },
      ],
    ],
    [
      'a manifest, and each role in it',
      () =>
        apply(admin, {
          objects: [{ name: 'contacts', fields: [{ name: 'shoe_size', type: 'INTEGER' }] }],
          roles: [{ name: 'Guest', permissions: { '*': { view: 'none' } } }],
        }),
      () => [
        {
          ...ofAdmin(),
          action: 'model.changed',
          subject: { from_version: expect.any(String), changes: { 'field.create': 1, 'role.create': 1 } },
        },
        { ...ofAdmin(), action: 'role.changed', subject: { role: 'Guest', change: 'create' } },
      ],
    ],
    [
      'an export, in any form',
      async () => {
        await done(admin.get('/export/companies'));
        await done(admin.get('/export/companies', { format: 'csv', limit: 1 }));
      },
      () => [
        {
          ...ofAdmin(),
          action: 'export',
          subject: { object: 'companies', format: 'json', records: expect.any(Number) },
        },
        {
          ...ofAdmin(),
          action: 'export',
          subject: { object: 'companies', format: 'csv', records: expect.any(Number) },
        },
      ],
    ],
    [
      'an import, and one that is reviewed before',
      async () => {
        await done(admin.post('/import/companies', { records: [{ name: 'In' }, { name: '' }] }));
        const job = await done(admin.post('/import-jobs', { object_name: 'companies', data: 'name\nOver' }), 201);
        await done(admin.post(`/import-jobs/${job.import_job_id}/execute`, {}));
      },
      () => [
        { ...ofAdmin(), action: 'import', subject: { object: 'companies', created: 1, failed: 1 } },
        {
          ...ofAdmin(),
          action: 'import',
          subject: expect.objectContaining({
            object: 'companies',
            import: expect.any(String),
            status: 'completed',
            created: 1,
          }),
        },
      ],
    ],
    [
      'a merge, not its repetition, and its end',
      async () => {
        const merge = await twoCompanies();
        await done(admin.post('/duplicates', merge));
        await done(admin.post('/duplicates', merge));
        await done(admin.post('/duplicates', { ...merge, action: 'unmerge' }));
      },
      () =>
        ['merge', 'unmerge'].map((action) => ({
          ...ofAdmin(),
          action,
          subject: { object: 'companies', master: expect.any(String), duplicates: [expect.any(String)] },
        })),
    ],
    [
      'a message that is sent, without what it says and to whom',
      async () => {
        await ingest(kith, organization, [account(adminEmail, ['email'])]);
        const message = email({ cc: ['eve@secret.test'] });
        const { confirm_token: token } = await done(preview(admin, message));
        await done(send(admin, message, token));
        await done(send(admin, message, token));
      },
      () => [
        { action: 'import', subject: { conversations: { integrations: 1 } } },
        {
          ...ofAdmin(),
          action: 'send',
          subject: { channel: 'email', recipients: 2, confirmation: expect.any(String), thread: expect.any(String) },
        },
      ],
    ],
    [
      'what an agent does, by its name',
      async () => {
        const { call } = agents(kith)(admin);
        await call('crm_duplicates', { ...(await twoCompanies()) });
      },
      () => [{ ...ofAdmin(), action: 'merge', means: 'mcp', agent: 'test agent', address: null, request_id: null }],
    ],
    [
      'what a member may not do, and the same again within a minute only once',
      async () => {
        for (let at = 0; at < 3; at++) await done(member.get('/audit'), 400);
        await done(member.get('/export/companies'), 400);
        await done(member.post('/import/companies?dry_run=true', { records: [{}] }), 400);
      },
      () => [
        {
          actor: { id: member.workspaceUserId, display: expect.stringMatching(/^Member/) },
          means: 'api',
          token: 'First token',
          action: 'admin.denied',
          subject: { operation: 'audit.list' },
        },
        { action: 'admin.denied', subject: { operation: 'records.export', untold_before: 2 } },
        { action: 'admin.denied', subject: { operation: 'records.import' } },
      ],
    ],
  ];
  it.each(cases)('%s', async (_what, act, expected) => {
    expect(await left(act)).toMatchObject(expected());
  });

  it('and each with what it tells of, or not at all', async () => {
    const merge = await twoCompanies();
    const nothing = await left(async () => {
      await done(admin.post('/duplicates?dry_run=true', merge));
      await done(admin.post('/manifest?dry_run=true', { roles: [{ name: 'Never' }] }));
      await done(admin.post('/import/companies?dry_run=true', { records: [{ name: 'Dry' }] }));
      const gone = { ...merge, duplicate_ids: [crypto.randomUUID()] };
      expect((await admin.post('/duplicates', gone)).status).toBe(400);
      await done(admin.post('/records/companies', { name: 'No matter of the audit' }));
    });
    expect(nothing).toEqual([]);
    const key = { 'idempotency-key': crypto.randomUUID() };
    const once = await left(async () => {
      for (let at = 0; at < 2; at++) await done(admin.post('/duplicates', merge, key));
    });
    expect(once.map(({ action }) => action)).toEqual(['merge']);
    const text = JSON.stringify(await entries());
    for (const secret of ['Acme', 'secret.test', 'svc_', '@', 'Offer']) expect(text).not.toContain(secret);
  });
});

describe('GET /audit', () => {
  it('is paged, every entry once, from the last to the first, which made the organization', async () => {
    const found: number[] = [];
    let cursor: string | undefined;
    do {
      const { json } = await admin.get('/audit', { limit: 5, cursor });
      found.push(...json.data.map(({ seq }: Entry) => seq));
      cursor = json.nextCursor;
      expect(json.total).toBe(found[0]);
    } while (cursor !== undefined);
    expect(found).toEqual(Array.from({ length: found.length }, (_, at) => found.length - at));
    expect((await entries({ action: 'organization.created' })).map(({ seq }) => seq)).toEqual([1]);
  });

  it('takes an action, an actor and a time, and refuses what is none', async () => {
    const denied = await entries({ action: 'admin.denied', actor: member.workspaceUserId });
    expect(denied).toHaveLength(3);
    const all = await entries();
    const [since, until] = [await entries({ since: all[2]?.at }), await entries({ until: all[2]?.at })];
    expect(since.length + until.length).toBe(all.length);
    expect(since.map(({ seq }) => seq)).toContain(all[2]?.seq);
    for (const query of [{ action: 'x' }, { actor: 'x' }, { since: 'x' }, { until: 'x' }])
      expect((await admin.get('/audit', query)).json.code).toBe('VALIDATION_ERROR');
  });
});

describe('kith audit', () => {
  const verify = (head?: string) => proveAudit(kith.deps, organization.id, head);

  it('lists, and finds whole what twenty did at once', async () => {
    const before = await newest();
    await Promise.all(Array.from({ length: 20 }, () => done(admin.get('/export/contacts'))));
    const { json } = await cli('audit', 'list', '--action', 'export', '--limit', '30');
    const data = json['data'] as unknown as readonly Entry[];
    expect(data.filter(({ seq }) => seq > before)).toHaveLength(20);
    const { code, json: verdict } = await cli('audit', 'verify');
    expect([code, verdict]).toEqual([
      0,
      {
        ...{ ok: true, rows: before + 20, first_bad: null },
        head: expect.stringMatching(new RegExp(`^${before + 20}:[\\w-]{43}$`)),
      },
    ]);
  });

  it('ends with 1 for what is not whole, and with 2 for a head that is none', async () => {
    const { head, rows } = await verify();
    await done(admin.get('/export/contacts'));
    const later = await verify(head ?? '');
    expect(later).toMatchObject({ ok: true, rows: rows + 1 });
    const other = later.head?.replace(/:../, ':__') ?? '';
    const set = await cli('audit', 'verify', '--head', other);
    expect([set.code, set.json['first_bad']]).toEqual([1, expect.objectContaining({ seq: rows + 1 })]);
    expect((await cli('audit', 'verify', '--head', '1:x')).code).toBe(2);
  });

  const change = (what: Sql) => run(kith, organization, what);
  const tampered: [what: string, how: () => readonly Sql[], seq: (rows: number) => number][] = [
    ['a changed entry', () => [sql`update ${table('_audit')} set subject = '{}' where seq = 3`], () => 3],
    [
      'another time',
      () => [sql`update ${table('_audit')} set at = at + interval '1 microsecond' where seq = 4`],
      () => 4,
    ],
    ['an entry that is gone', () => [sql`delete from ${table('_audit')} where seq = 5`], () => 5],
    ['the first that is gone', () => [sql`delete from ${table('_audit')} where seq = 1`], () => 1],
    ['a tail that is gone', () => [sql`delete from ${table('_audit')} where seq > 6`], () => 7],
    [
      'a tail that is gone with its head',
      () => [
        sql`delete from ${table('_audit')} where seq > 6`,
        sql`update ${table('_audit_head')} h set rows = 6, hash = a.hash from ${table('_audit')} a where a.seq = 6`,
      ],
      () => 6,
    ],
    ['a head that is gone', () => [sql`delete from ${table('_audit_head')}`], () => 1],
    [
      'an entry that is made up',
      () => [
        sql`insert into ${table('_audit')} select seq + 1, id, at, action, subject, actor_id, means, agent, token_id, request, address,
          key_id, hash, hash from ${table('_audit')} order by seq desc limit 1`,
      ],
      (rows) => rows + 1,
    ],
    [
      'two that have changed places',
      () => [
        sql`update ${table('_audit')} set seq = -seq where seq in (8, 9)`,
        sql`update ${table('_audit')} set seq = 17 + seq where seq < 0`,
      ],
      () => 8,
    ],
  ];
  it.each(tampered)('finds %s', async (_what, how, seq) => {
    const { head, rows } = await verify();
    await change(sql`create table ${table('_kept')} as select * from ${table('_audit')}`);
    await change(sql`create table ${table('_kept_head')} as select * from ${table('_audit_head')}`);
    try {
      for (const query of how()) await change(query);
      expect(await verify()).toMatchObject({ ok: false, first_bad: { seq: seq(rows) } });
    } finally {
      for (const name of ['audit', 'audit_head']) {
        const kept = table(name === 'audit' ? '_kept' : '_kept_head');
        await change(sql`delete from ${table(`_${name}`)}`);
        await change(sql`insert into ${table(`_${name}`)} select * from ${kept}`);
        await change(sql`drop table ${kept}`);
      }
    }
    expect(await verify(head ?? '')).toEqual({ ok: true, rows, head, first_bad: null });
  });

  it('goes on after a change, and never forgets it', async () => {
    const other = await kith.organization();
    await run(kith, other, sql`delete from ${identifier(other.schema, '_audit')} where seq = 2`);
    const head = identifier(other.schema, '_audit_head');
    const first = identifier(other.schema, '_audit');
    await run(kith, other, sql`update ${head} h set rows = 1, hash = a.hash from ${first} a where a.seq = 1`);
    expect((await other.admin.get('/export/contacts')).status).toBe(200);
    const { json } = await other.admin.get('/audit');
    expect(json.data.map(({ action }: Entry) => action)).toEqual(['export', 'audit.broken', 'organization.created']);
    expect(await proveAudit(kith.deps, other.id)).toMatchObject({ ok: false, rows: 3, first_bad: { seq: 2 } });
  });
});
