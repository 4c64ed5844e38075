/** An organization that moves while it is used. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { start } from '../../src/records/past/commit-order.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import type { TestDatabase } from '../support/database.ts';
import type { Client, TestKith } from '../support/kith.ts';
import { changesAfter } from '../writes/changes-after.ts';
import { traffic, until } from './traffic.ts';
import { startOnTwoClusters, type TwoClusters } from './two-clusters.ts';

let clusters: TwoClusters;
let kith: TestKith;

beforeAll(async () => {
  clusters = await startOnTwoClusters();
  ({ kith } = clusters);
});
afterAll(() => clusters?.stop());

/** All contacts, by id. */
async function contactsOf(client: Client): Promise<Map<string, { last_name: string }>> {
  const { json, text } = await client.get('/export/contacts', { format: 'json' });
  if (!json?.records) throw new Error(text);
  return new Map(json.records.map((record: { id: string; last_name: string }) => [record.id, record]));
}

it('loses nothing and refuses nothing under traffic, there and back again', async () => {
  const { admin, id } = await kith.organization();
  const failures: string[] = [];
  const writers = ['a', 'b', 'c'].map((name) => traffic(admin, name, failures));
  const more = (least: number) => until(() => writers.every(({ created }) => created.length > least), failures);
  try {
    await more(5);
    for (const [round, datasource] of ['second', 'main', 'second'].entries()) {
      const { rows, waitedMs } = await moveOrganization(kith.deps, id, datasource);
      expect(rows).toBeGreaterThan(0);
      expect(waitedMs).toBeGreaterThan(0);
      await more(15 + 20 * round);
    }
  } finally {
    await Promise.all(writers.map((writer) => writer.stop()));
  }
  expect(failures).toEqual([]);
  const contacts = await contactsOf(admin);
  const alive = writers.flatMap(({ created, deleted }) => created.filter((contact) => !deleted.has(contact)));
  expect([...contacts.keys()].toSorted()).toEqual(alive.toSorted());
  for (const { renamed, deleted } of writers) {
    for (const [contact, name] of renamed)
      if (!deleted.has(contact)) expect(contacts.get(contact)?.last_name).toBe(name);
  }
  const page = await admin.get('/records/contacts', { limit: 1 });
  expect(page.json.total).toBe(contacts.size);
  expect(await schemasOf(kith.database)).toEqual(expect.not.arrayContaining([expect.stringContaining('moved_')]));
});

it('is followed from where its history was read last, across moves', async () => {
  const { admin, id } = await kith.organization();
  const { directory } = kith.deps;
  let position = start;
  const follow = async (organizationId: string) => {
    const organization = await directory.organization(organizationId);
    if (!organization) throw new Error('no such organization');
    const database = await directory.databaseOf(organization);
    const changes = await changesAfter(database, organization, position, 1_000);
    position = changes.at(-1)?.position ?? position;
    return changes.map(({ recordId }) => recordId);
  };
  const create = async () => (await admin.post('/records/contacts', {})).json.id;
  const told: string[] = [];
  const made: string[] = [];
  // Whoever else is at work on the server holds it back.
  const tellsAll = () =>
    expect.poll(async () => told.push(...(await follow(id))) && told, { timeout: 20_000 }).toEqual(made);
  for (const datasource of ['second', 'main', undefined]) {
    made.push(await create(), await create());
    await tellsAll();
    if (datasource !== undefined) await moveOrganization(kith.deps, id, datasource);
  }
});

it('says where it cannot go', async () => {
  const { id } = await kith.organization();
  await kith.deps.directory.addDatasource('mirror', kith.database.url);
  const move = (datasource: string) => moveOrganization(kith.deps, id, datasource);
  await expect(move('mirror')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('same'),
  });
  await expect(move('nowhere')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  await expect(moveOrganization(kith.deps, newId(), 'second')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await move('main')).toMatchObject({ rows: 0 });
  const both = await Promise.allSettled([move('second'), move('second')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

it('gives up when a writer does not end', { timeout: 90_000 }, async () => {
  const { admin, id, schema } = await kith.organization();
  await admin.post('/records/contacts', { first_name: 'Before' });
  await kith.database.database.transaction('test', async (tx) => {
    await tx.run(statement(sql`select id from ${identifier(schema, '_organization')} for key share`));
    await expect(moveOrganization(kith.deps, id, 'second')).rejects.toMatchObject({ code: 'CONFLICT' });
  });
  expect((await contactsOf(admin)).size).toBe(1);
  await moveOrganization(kith.deps, id, 'second');
  expect((await contactsOf(admin)).size).toBe(1);
});

async function schemasOf({ database }: TestDatabase): Promise<readonly (string | null | undefined)[]> {
  const { rows } = await database.run('test', statement(sql`select nspname from pg_namespace`));
  return rows.map(([name]) => name);
}
