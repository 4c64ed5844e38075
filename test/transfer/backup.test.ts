/** Organizations as a file, and back. */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proveAudit } from '../../src/provision/audit.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { dataKeyring } from '../../src/auth/data-key.ts';
import { seal, open } from '../../src/auth/seal.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { withArchive } from '../../src/transfer/archive.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { readContents } from '../../src/transfer/contents.ts';
import { restore } from '../../src/transfer/restore.ts';
import type { TestDatabase } from '../support/database.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { traffic, until } from './traffic.ts';
import { startOnTwoClusters, type TwoClusters } from './two-clusters.ts';

let clusters: TwoClusters;
let kith: TestKith;
let second: TestDatabase;
let organization: TestOrganization;
const directory = mkdtempSync(join(tmpdir(), 'kith-backup-'));
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  clusters = await startOnTwoClusters();
  ({ kith, second } = clusters);
  organization = await kith.organization({ adminName: 'Ada "Tab\\t\\ Ünï' });
  // What COPY's text form has escapes for.
  await organization.admin.post('/records/companies', { name: 'Tab', description: 'a\tb\\.\nc\\N' });
  await organization.user('Viewer');
});

afterAll(async () => {
  await clusters?.stop();
  rmSync(directory, { recursive: true });
});

it('takes a moment out of traffic, and restores it under another id on another cluster', async () => {
  const { id, admin } = organization;
  const client = traffic(admin, 'b');
  try {
    await until(() => client.created.length > 20, client.failures);
    const path = file('one.kith');
    const { organizations } = await backUp(kith.deps, { path, organizationId: id });
    const [backedUp] = organizations;
    expect(backedUp).toMatchObject({ id, name: 'Test', datasource: 'main' });

    const [restored] = await restore(kith.deps, { path, as: 'new', datasource: 'second' });
    expect(restored).toMatchObject({ name: 'Test', datasource: 'second', secretsKept: true });
    expect([restored?.checksum, restored?.rows]).toEqual([backedUp?.checksum, backedUp?.rows]);
    const proof = await proveAudit(kith.deps, id);
    expect(proof).toMatchObject({ ok: true, first_bad: null });
    expect(await proveAudit(kith.deps, restored?.organizationId ?? '', proof.head ?? '')).toEqual(proof);

    const again = file('again.kith');
    const twin = await backUp(kith.deps, { path: again, organizationId: restored?.organizationId ?? '' });
    expect(twin.organizations[0]?.checksum).toBe(backedUp?.checksum);

    // Records, their history and their totals were written together; a moment has all of them or none.
    const token = await createToken(kith.deps, restored?.organizationId ?? '', {
      email: 'admin1@kith.test',
      name: 't',
    });
    const there = kith.client(token.token);
    const page = await there.get('/records/contacts', { limit: 1 });
    const all = await there.get('/export/contacts', { format: 'json' });
    expect(page.json.total).toBe(all.json.records.length);
    expect(await lonely(restored?.organizationId ?? '')).toBe(0);
    const made = await there.post('/records/contacts', { first_name: 'After' });
    expect(made.status, made.text).toBe(200);
  } finally {
    await client.stop();
  }
  expect(client.failures).toEqual([]);
});

/** Records without a history row. */
async function lonely(organizationId: string): Promise<number> {
  const schema = `org_${organizationId.replaceAll('-', '')}`;
  const query = sql`select from ${identifier(schema, 'contacts')} c
    where not exists (select from ${identifier(schema, '_history')} h where h.record_id = c.id)`;
  return (await second.database.run('', statement(query))).count;
}

it('holds the whole installation, and gives one organization of it', async () => {
  const other = await kith.organization();
  const path = file('all.kith');
  const { organizations } = await backUp(kith.deps, { path });
  expect(organizations.map(({ id }) => id)).toEqual(expect.arrayContaining([organization.id, other.id]));
  await expect(restore(kith.deps, { path })).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(restore(kith.deps, { path, as: 'new' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  const [restored, ...rest] = await restore(kith.deps, { path, only: other.id, as: 'new' });
  expect(rest).toEqual([]);
  expect(restored?.checksum).toBe(organizations.find(({ id }) => id === other.id)?.checksum);
});

it('restores an installation on another database, whose people and secrets are others', async () => {
  const path = file('elsewhere.kith');
  const passphrase = 'correct horse battery';
  const sealed = await sealedBy(kith, organization);
  const { organizations } = await backUp(kith.deps, { path, passphrase });
  const elsewhere = await startKith({ KITH_SECRET_KEY: 'another-secret-of-the-tests-that-is-long-enough' });
  try {
    await elsewhere.organization(); // its admin has the same address as somebody in the backup
    const deps = { ...elsewhere.deps, keyring: createKeyring('another-secret-of-the-tests-that-is-long-enough', []) };
    await expect(restore(deps, { path })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(restore(deps, { path, passphrase: 'wrong' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const restored = await restore(deps, { path, passphrase });
    expect(restored.map(({ organizationId, checksum }) => [organizationId, checksum])).toEqual(
      organizations.map(({ id, checksum }) => [id, checksum]),
    );
    expect(await opens(elsewhere, deps.keyring, organization, sealed)).toBe('a secret');
    await expect(restore(deps, { path, passphrase })).rejects.toMatchObject({ code: 'CONFLICT' });
  } finally {
    await elsewhere.stop();
  }
});

const place = 'a place';

async function sealedBy({ database, deps }: TestKith, { id, schema }: TestOrganization): Promise<string> {
  const stored = await dataKey(database, schema);
  return seal(dataKeyring(deps.keyring, { id, schema }, stored), Buffer.from('a secret'), place);
}

async function opens(
  { database }: TestKith,
  keyring: Parameters<typeof dataKeyring>[0],
  { id, schema }: TestOrganization,
  sealed: string,
): Promise<string> {
  return open(dataKeyring(keyring, { id, schema }, await dataKey(database, schema)), sealed, place).toString();
}

async function dataKey({ database }: TestDatabase, schema: string): Promise<string> {
  const { rows } = await database.run('', statement(sql`select data_key from ${identifier(schema, '_organization')}`));
  return rows[0]?.[0] ?? '';
}

const look = (path: string, passphrase?: string) =>
  withArchive(path, kith.deps.keyring, passphrase, (archive) => readContents(archive));

it('knows a file that is none, one of before, and one of a newer Kith', async () => {
  const path = file('whole.kith');
  await backUp(kith.deps, { path, organizationId: organization.id });
  const bytes = readFileSync(path);
  const others: [string, Buffer, object][] = [
    ['text.kith', Buffer.from('This is no backup'), { code: 'VALIDATION_ERROR' }],
    ['line.kith', Buffer.from('kith-backup 2 {"salt":7}\n'), { code: 'VALIDATION_ERROR' }],
    ['empty.kith', Buffer.alloc(0), { code: 'VALIDATION_ERROR' }],
    ['old.kith', zstdCompressSync('J'), { code: 'NOT_SUPPORTED', message: expect.stringMatching(/make it anew/) }],
    [
      'new.kith',
      Buffer.concat([Buffer.from('kith-backup 3 '), bytes.subarray(14)]),
      { code: 'NOT_SUPPORTED', message: expect.stringMatching(/newer Kith/) },
    ],
  ];
  for (const [name, content, refusal] of others) {
    writeFileSync(file(name), content);
    await expect(look(file(name)), name).rejects.toMatchObject(refusal);
    await expect(restore(kith.deps, { path: file(name), as: 'new' }), name).rejects.toMatchObject(refusal);
  }
  await expect(look(file('nowhere.kith'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(look(directory)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(backUp(kith.deps, { path: file('no/such/folder.kith') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(readdirSync(directory).filter((name) => name.includes('.part'))).toEqual([]);
});

it('says what to do where its keys are not at hand', async () => {
  const [plain, sealed] = [file('plain.kith'), file('sealed.kith')];
  await backUp(kith.deps, { path: plain, organizationId: organization.id });
  await backUp(kith.deps, { path: sealed, organizationId: organization.id, passphrase: 'correct horse' });
  const other = 'another-secret-of-the-tests-that-is-long-enough';
  const foreign = { ...kith.deps, keyring: createKeyring(other, []) };
  const refused = (path: string, passphrase?: string) =>
    restore(foreign, { path, as: 'new', ...(passphrase !== undefined && { passphrase }) });
  const refusal = (message: RegExp) => ({ code: 'VALIDATION_ERROR', message: expect.stringMatching(message) });
  await expect(refused(plain)).rejects.toMatchObject(refusal(/name that secret in KITH_SECRET_KEYS_OLD, or/));
  await expect(refused(sealed)).rejects.toMatchObject(refusal(/give it with --passphrase-file/));
  await expect(refused(sealed, 'wrong horse')).rejects.toMatchObject(refusal(/not the one/));
  expect(await look(sealed, 'correct horse')).toMatchObject({ organizations: [{ id: organization.id }] });
  const both = { ...kith.deps, keyring: createKeyring(other, [kithSecret]) };
  expect(await restore(both, { path: plain, as: 'new' })).toMatchObject([{ secretsKept: true }]);
});

it('holds an organization whose data key nothing opens, and says that its secrets are lost', async () => {
  const { id, schema } = await kith.organization();
  const table = identifier(schema, '_organization');
  await kith.database.database.run('', statement(sql`update ${table} set data_key = 'lost'`));
  const path = file('lost.kith');
  const { organizations } = await backUp(kith.deps, { path, organizationId: id, passphrase: 'correct horse' });
  expect(organizations).toMatchObject([{ id, secretsKept: false }]);
  const restored = await restore(kith.deps, { path, as: 'new', passphrase: 'correct horse' });
  expect(restored).toMatchObject([{ secretsKept: false }]);
});

describe('the file', () => {
  it("is new and its owner's alone, and takes the place of nothing", async () => {
    const path = file('own.kith');
    const request = { path, organizationId: organization.id };
    const before = process.umask(0);
    await backUp(kith.deps, request).finally(() => process.umask(before));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const kept = readFileSync(path);
    const conflict = { code: 'CONFLICT', message: expect.stringMatching(/own.kith" is there already: name another/) };
    await expect(backUp(kith.deps, request)).rejects.toMatchObject(conflict);
    expect(readFileSync(path).equals(kept)).toBe(true);

    const target = file('target');
    for (const [link, to] of [
      ['dangling.kith', target],
      ['linked.kith', path],
    ] as const) {
      symlinkSync(to, file(link));
      const linked = backUp(kith.deps, { ...request, path: file(link) });
      await expect(linked).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    expect([existsSync(target), readFileSync(path).equals(kept)]).toEqual([false, true]);
  });

  it('does not get a name that was taken while it was written', async () => {
    const path = file('taken.kith');
    const own = dirname(path);
    let drafts: string[] = [];
    const keyring = {
      ...kith.deps.keyring,
      current: (purpose: Parameters<typeof kith.deps.keyring.current>[0]) => {
        drafts = readdirSync(own).filter((name) => name.startsWith('taken.kith.'));
        if (!existsSync(path)) symlinkSync(file('elsewhere'), path);
        return kith.deps.keyring.current(purpose);
      },
    };
    const request = { path, organizationId: organization.id };
    await expect(backUp({ ...kith.deps, keyring }, request)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(drafts).toEqual([expect.stringMatching(/^taken\.kith\.\w{16}\.part$/)]);
    expect(existsSync(file('elsewhere'))).toBe(false);
    expect(readdirSync(own).filter((name) => name.includes('.part'))).toEqual([]);
  });
});
