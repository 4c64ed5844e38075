/** [decisions: Jobs] A job in a user's name is that user's as it is by then, or nobody's. */
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTokenUse } from '../../src/access/token-use.ts';
import { defineJob, type InNameOf } from '../../src/jobs/job.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createModelCache } from '../../src/model/cache.ts';
import { sessionOf } from '../../src/operations/background/in-name-of.ts';
import { createSessions, type Session, type Sessions } from '../../src/operations/door/sessions.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { updateUser } from '../../src/provision/users.ts';
import { rowsOf } from '../provision/setup.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { silentLog } from '../support/log.ts';
import { jobsOf } from './steps.ts';

let kith: TestKith;
let organization: TestOrganization;
let user: Client;
let sessions: Sessions;
let stop = async () => {};

beforeAll(async () => {
  kith = await startKith();
});
afterAll(() => kith.stop());
beforeEach(async () => {
  organization = await kith.organization();
  user = await organization.user('Member');
  const log = { ...silentLog, debug: () => {} };
  const parts = { models: createModelCache(), tokenUse: createTokenUse(), clock: systemClock, log };
  sessions = createSessions({ ...kith.deps, ...parts });
});
afterEach(() => stop());

const users = () => identifier(organization.schema, '_users');
const query = (text: ReturnType<typeof sql>) => rowsOf(kith.database.database, text);

async function emailOf({ workspaceUserId }: Client): Promise<string> {
  return String((await query(sql`select email from ${users()} where id = ${workspaceUserId}::uuid`))[0]?.[0]);
}

async function tokenOf({ workspaceUserId }: Client): Promise<string> {
  const tokens = identifier(organization.schema, '_tokens');
  return String(
    (await query(sql`select id from ${tokens} where workspace_user_id = ${workspaceUserId}::uuid`))[0]?.[0],
  );
}

/** Asks for a job, changes something, carries it out: who it ran as. */
async function runAs(inNameOf: InNameOf, meanwhile: () => Promise<unknown>): Promise<Session | undefined> {
  let seen: Session | undefined;
  const kind = defineJob({
    kind: 'test.named',
    input: Type.Null(),
    async run(job) {
      seen = await sessionOf(sessions, job);
    },
  });
  const { directory } = kith.deps;
  const jobs = createJobs({ directory, clock: systemClock, log: silentLog, kinds: [kind] });
  await jobs.asking(organization, (ask) =>
    kith.database.database.transaction(organization.id, (tx) => ask(tx, { kind: 'test.named', input: null, inNameOf })),
  );
  await meanwhile();
  stop = jobs.start();
  const ended = async () => (await jobsOf(kith.database.database, organization.schema, 'test.named'))[0]?.state;
  await expect.poll(ended, { timeout: 10_000, interval: 20 }).toMatch(/done|failed/);
  return seen;
}

const reason = async () => (await jobsOf(kith.database.database, organization.schema, 'test.named'))[0]?.error;

it('has the role that the user has by then', async () => {
  const email = await emailOf(user);
  const seen = await runAs({ workspaceUserId: user.workspaceUserId, tokenId: null }, () =>
    updateUser(kith.deps, organization.id, email, { role: 'Viewer' }),
  );
  expect(seen?.caller).toMatchObject({
    workspaceUserId: user.workspaceUserId,
    role: { name: 'Viewer' },
    tokenId: null,
  });
});

it('fails for good where the user is not active any more, and no admin takes its place', async () => {
  const email = await emailOf(user);
  const seen = await runAs({ workspaceUserId: user.workspaceUserId, tokenId: null }, () =>
    updateUser(kith.deps, organization.id, email, { active: false }),
  );
  expect(seen).toBeUndefined();
  expect(await reason()).toBe('The user in whose name this runs is not active any more');
});

it('fails for good where the token was revoked with which it was asked for', async () => {
  const tokenId = await tokenOf(user);
  const tokens = identifier(organization.schema, '_tokens');
  const seen = await runAs({ workspaceUserId: user.workspaceUserId, tokenId }, () =>
    query(sql`update ${tokens} set revoked_at = now() where id = ${tokenId}::uuid`),
  );
  expect(seen).toBeUndefined();
  expect(await reason()).toBe(
    'The token in whose name this runs is revoked or expired, or its user is not active any more',
  );
});

it('stays its user while it goes on: to renew it never makes an admin of it', async () => {
  const named = { workspaceUserId: user.workspaceUserId, tokenId: null };
  const session = await sessions.ofUser(organization.id, named);
  expect((await sessions.renew(session)).caller.workspaceUserId).toBe(user.workspaceUserId);
  await updateUser(kith.deps, organization.id, await emailOf(user), { active: false });
  await expect(sessions.renew(session)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
