/** What users were told of goes with their organization: in a move, and in a backup. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createToken } from '../../src/provision/tokens.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { restore } from '../../src/transfer/restore.ts';
import { listenAs } from '../api/listener.ts';
import { makeTask } from '../api/tasks.ts';
import type { TestKith } from '../support/kith.ts';
import { startOnTwoClusters, type TwoClusters } from './two-clusters.ts';

let clusters: TwoClusters;
let kith: TestKith;
const directory = mkdtempSync(join(tmpdir(), 'kith-notifications-'));
beforeAll(async () => {
  clusters = await startOnTwoClusters();
  ({ kith } = clusters);
});
afterAll(async () => {
  await clusters?.stop();
  rmSync(directory, { recursive: true });
});

it('a move takes them along, and whoever listens goes on behind the last event', async () => {
  const { admin, id, user } = await kith.organization();
  const bob = await user('Member');
  const assign = (title: string) => makeTask(admin, { title, assigned_to_id: bob.workspaceUserId });
  const before = await listenAs(kith.url, bob);
  await assign('Before');
  const heard = await before.next();
  expect(heard?.data.entity.display).toBe('Before');
  const listed = (await bob.get('/notifications')).json;
  await moveOrganization(kith.deps, id, 'second');
  expect(await before.next()).toMatchObject({ event: 'end', data: { code: 'CONFLICT' } });
  expect((await bob.get('/notifications')).json).toEqual(listed);
  await assign('After');
  const after = await listenAs(kith.url, bob, heard?.id);
  expect((await after.next())?.data.entity.display).toBe('After');
  await moveOrganization(kith.deps, id, 'main');
  const back = await listenAs(kith.url, bob, heard?.id);
  expect((await back.next())?.data.entity.display).toBe('After');
  back.leave();
});

it('a backup has them', async () => {
  const { admin, id, user } = await kith.organization();
  const bob = await user('Member');
  await makeTask(admin, { title: 'Kept', assigned_to_id: bob.workspaceUserId });
  const { data } = (await bob.get('/notifications')).json;
  await bob.put(`/notifications/${data[0].id}`, { read: true });
  const listed = (await bob.get('/notifications')).json;
  const path = join(directory, 'one.kith');
  await backUp(kith.deps, { path, organizationId: id });
  const [restored] = await restore(kith.deps, { path, as: 'new' });
  const email = (await admin.get('/users')).json.data.at(-1).email;
  const { token } = await createToken(kith.deps, restored?.organizationId ?? '', { email, name: 'Restored' });
  expect((await kith.client(token).get('/notifications')).json).toEqual(listed);
});
