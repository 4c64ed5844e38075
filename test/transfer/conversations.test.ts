/** Conversations go with their organization, and only its own key opens them: in a move, in a backup, with a new root secret. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyring } from '../../src/auth/keys.ts';
import { rotateKeys } from '../../src/provision/rotate-keys.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { restore } from '../../src/transfer/restore.ts';
import { emailOf, ingest, messageLine } from '../api/conversations.ts';
import { account, outboxOf } from '../api/sending.ts';
import { kithSecret, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { startOnTwoClusters, type TwoClusters } from './two-clusters.ts';

const words = 'The zebra is in the garden';

let clusters: TwoClusters;
let kith: TestKith;
let organization: TestOrganization;
let email: string;
const directory = mkdtempSync(join(tmpdir(), 'kith-conversations-'));
beforeAll(async () => {
  clusters = await startOnTwoClusters();
  ({ kith } = clusters);
  organization = await kith.organization();
  email = await emailOf(organization.admin);
  await ingest(kith, organization, [
    messageLine(email, 'm-1'),
    account(email, ['email']),
    { kind: 'event', user: email, external_id: 'e-1', title: 'Demo', start_time: '2026-10-02T13:00:00Z' },
  ]);
  const { admin } = organization;
  const message = { channel: 'email', to: ['anna@globex.test'], subject: 'Animals', body: words };
  const { confirm_token } = (await admin.post('/messages/preview', message)).json;
  await admin.post('/messages/send', { ...message, confirm_token });
  const chart = { title: 'Contacts', object_name: 'contacts', chart_type: 'indicator' };
  await admin.post('/dashboards', { name: 'Zoo', charts: [chart] });
  const view = { object_name: 'contacts', name: 'Zoo', columns: ['emails'], sort: [{ field: 'last_name' }] };
  const made = await admin.post('/views', view);
  if (made.status !== 200) throw new Error(made.text);
});
afterAll(async () => {
  await clusters?.stop();
  rmSync(directory, { recursive: true });
});

async function read(client: Client): Promise<readonly unknown[]> {
  const { data } = (await client.get('/inbox/threads')).json;
  const thread = data.find((one: { external_thread_id: string }) => one.external_thread_id === 't-1');
  const { messages } = (await client.get(`/inbox/threads/${thread.id}`)).json;
  const { events } = (await client.get('/meetings', { start_date: '2026-10-01', end_date: '2026-10-31' })).json;
  return [thread.message_count, messages[0].content_text, events[0].title];
}

/** What was sent, and what a chart and a view show. */
async function kept(client: Client, organizationId: string): Promise<readonly unknown[]> {
  const { sent } = await outboxOf(kith, { id: organizationId });
  const [dashboard] = (await client.get('/dashboards')).json.data;
  const { charts } = (await client.get(`/dashboards/${dashboard.id}/data`)).json;
  const [view] = (await client.get('/views', { object: 'contacts' })).json.data;
  return [sent.map(({ body }) => body), charts[0].value, view.columns, view.sort[0].field, view.is_partial];
}

it('a move takes them along', async () => {
  await moveOrganization(kith.deps, organization.id, 'second');
  expect(await read(organization.admin)).toEqual([1, words, 'Demo']);
  expect(await kept(organization.admin, organization.id)).toEqual([
    [words],
    0,
    [{ field: 'emails' }],
    'last_name',
    false,
  ]);
  await moveOrganization(kith.deps, organization.id, 'main');
  expect(await read(organization.admin)).toEqual([1, words, 'Demo']);
  expect(await kept(organization.admin, organization.id)).toEqual([
    [words],
    0,
    [{ field: 'emails' }],
    'last_name',
    false,
  ]);
});

it('a backup has them, also under a new id', async () => {
  const path = join(directory, 'one.kith');
  await backUp(kith.deps, { path, organizationId: organization.id });
  const [restored] = await restore(kith.deps, { path, as: 'new' });
  const { token } = await createToken(kith.deps, restored?.organizationId ?? '', { email, name: 'Restored' });
  expect(await read(kith.client(token))).toEqual([1, words, 'Demo']);
  expect(await kept(kith.client(token), restored?.organizationId ?? '')).toEqual([
    [words],
    0,
    [{ field: 'emails' }],
    'last_name',
    false,
  ]);
});

it('a rotation of the root secret keeps them readable, for whoever has the secret', async () => {
  const another = 'another-secret-that-is-long-enough-00000000';
  const rotate = (secret: string, old: string) =>
    rotateKeys({ ...kith.deps, keyring: createKeyring(secret, [old]) }).then(({ failed }) => failed);
  const [thread] = (await organization.admin.get('/inbox/threads')).json.data;
  expect(await rotate(another, kithSecret)).toEqual([]);
  const without = await organization.admin.get(`/inbox/threads/${thread.id}`);
  expect([without.status, without.text.includes('zebra')]).toEqual([503, false]);
  expect(await rotate(kithSecret, another)).toEqual([]);
  expect(await read(organization.admin)).toEqual([1, words, 'Demo']);
});
