/** Webhooks go with their organization: a move goes on where it was, and what comes out of a backup waits to be told to. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { restore } from '../../src/transfer/restore.ts';
import { deliveries, receiver, until, verify, webhook, type Receiver } from '../api/receiver.ts';
import { create } from '../api/records.ts';
import type { Client, TestKith } from '../support/kith.ts';
import { startOnTwoClusters, type TwoClusters } from './two-clusters.ts';

let clusters: TwoClusters;
let kith: TestKith;
let receiving: Receiver;
const directory = mkdtempSync(join(tmpdir(), 'kith-webhooks-'));
beforeAll(async () => {
  clusters = await startOnTwoClusters({ KITH_JOBS: 'on', KITH_PRIVATE_HOSTS: '127.0.0.1' });
  ({ kith } = clusters);
});
afterAll(async () => {
  await clusters?.stop();
  rmSync(directory, { recursive: true });
});
beforeEach(async () => {
  receiving = await receiver();
});
afterEach(() => receiving.close());

/** As if thirty seconds had passed: a job that was held when its organization was copied is held there until its lease is over. */
async function freeLeases(id: string): Promise<void> {
  const { directory } = kith.deps;
  const organization = await directory.requireOrganization(id);
  const database = await directory.databaseOf(organization);
  const jobs = identifier(organization.schema, '_jobs');
  await database.run(id, statement(sql`update ${jobs} set leased_until = now() where leased_until is not null`));
  const due = sql`update kith.due set run_at = now() where organization_id = ${id}::uuid`;
  await kith.database.database.run(id, statement(due));
}

const names = () => receiving.taken.flatMap(({ event }) => event.record?.name ?? []);

/** Waits until what was received is noted: what is copied in the moment before is sent once more, under the same id. */
const noted = (client: Client, webhookId: string) =>
  expect.poll(() => deliveries(client, webhookId, 'pending'), { timeout: 20_000 }).toEqual([]);

it('a move goes on where it was', async () => {
  const { admin, id } = await kith.organization();
  const { id: webhookId, secret } = await webhook(admin, receiving.url);
  await create(admin, 'companies', { name: 'Before' });
  await until(names, ['Before']);
  await noted(admin, webhookId);
  await moveOrganization(kith.deps, id, 'second');
  await freeLeases(id);
  await create(admin, 'companies', { name: 'After' });
  await until(names, ['Before', 'After']);
  await noted(admin, webhookId);
  await moveOrganization(kith.deps, id, 'main');
  await freeLeases(id);
  await create(admin, 'companies', { name: 'Back' });
  await until(() => names().length, 3);
  expect(names()).toEqual(['Before', 'After', 'Back']);
  for (const one of receiving.received) verify(secret, one);
});

it('what is restored beside its original sends nothing before its creator says so', async () => {
  const { admin, id } = await kith.organization();
  const { id: webhookId, secret } = await webhook(admin, receiving.url);
  await create(admin, 'companies', { name: 'Before' });
  await until(names, ['Before']);
  await noted(admin, webhookId);
  const path = join(directory, `${id}.kith`);
  await backUp(kith.deps, { path, organizationId: id });
  const [restored] = await restore(kith.deps, { path, as: 'new' });
  const email = (await admin.get('/users')).json.data[0].email;
  await freeLeases(restored?.organizationId ?? '');
  const { token } = await createToken(kith.deps, restored?.organizationId ?? '', { email, name: 'Restored' });
  const there = kith.client(token);
  expect((await there.get(`/webhooks/${webhookId}`)).json).toMatchObject({
    state: 'paused',
    reason: expect.stringMatching(/^Restored from a backup/),
  });
  await create(there, 'companies', { name: 'There' });
  await create(admin, 'companies', { name: 'Here' });
  await until(names, ['Before', 'Here']);
  await there.put(`/webhooks/${webhookId}`, { state: 'active' });
  await until(names, ['Before', 'Here', 'There']);
  for (const one of receiving.received) verify(secret, one);
});
