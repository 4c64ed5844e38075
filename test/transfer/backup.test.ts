/** Organizations as a file, and back. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken } from '../../src/provision/tokens.ts';
import { dataKeyring } from '../../src/auth/data-key.ts';
import { seal, open } from '../../src/auth/seal.ts';
import { createKeyring } from '../../src/auth/keys.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { readContents } from '../../src/transfer/contents.ts';
import { restore } from '../../src/transfer/restore.ts';
import { secondTestDatabase, type TestDatabase } from '../support/database.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { traffic, until } from './traffic.ts';

let kith: TestKith;
let second: TestDatabase;
let organization: TestOrganization;
const directory = mkdtempSync(join(tmpdir(), 'kith-backup-'));
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  second = await secondTestDatabase();
  kith = await startKith();
  await kith.deps.directory.addDatasource('second', second.url);
  organization = await kith.organization({ adminName: 'Ada "Tab\t\\ Ünï' });
  await organization.user('Viewer');
});

afterAll(async () => {
  await kith?.stop();
  await second?.drop();
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

it('knows a damaged file, a shortened one, and one that is none', async () => {
  const path = file('whole.kith');
  await backUp(kith.deps, { path, organizationId: organization.id });
  const bytes = readFileSync(path);
  const damaged: [string, Buffer][] = [
    ['cut.kith', bytes.subarray(0, bytes.length - 40)],
    ['half.kith', bytes.subarray(0, bytes.length >> 1)],
    [
      'flipped.kith',
      Buffer.concat([bytes.subarray(0, 200), Buffer.from([(bytes[200] ?? 0) ^ 1]), bytes.subarray(201)]),
    ],
    ['text.kith', Buffer.from('This is no backup')],
    ['empty.kith', Buffer.alloc(0)],
  ];
  for (const [name, content] of damaged) {
    writeFileSync(file(name), content);
    await expect(readContents(file(name)), name).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(restore(kith.deps, { path: file(name), as: 'new' }), name).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  }
  await expect(readContents(file('nowhere.kith'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(backUp(kith.deps, { path: file('no/such/folder.kith') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(existsSync(`${path}.partial`)).toBe(false);
});
