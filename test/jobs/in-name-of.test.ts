/** [decisions: Jobs] A job in a user's name is that user's as it is by then, or nobody's. */
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTokenUse } from '../../src/access/token-use.ts';
import { defineJob, type InNameOf } from '../../src/jobs/job.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createModelCache } from '../../src/model/cache.ts';
import type { Call } from '../../src/access/call.ts';
import { performInNameOf } from '../../src/operations/background/in-name-of.ts';
import { defineOperation, type Operation } from '../../src/operations/door/operation.ts';
import { createPerform, type Perform } from '../../src/operations/door/perform.ts';
import { createSessions, type Sessions } from '../../src/operations/door/sessions.ts';
import { createRecord } from '../../src/operations/records/records.ts';
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
let perform: Perform;
/** What the operation of a job saw, one call for each of its parts. */
let seen: Call[];
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
  const deadlines = { global: Infinity, long: Infinity, expensive: Infinity, bulk: Infinity };
  perform = createPerform({ ...kith.deps, sessions, limiter: undefined, wake: () => {}, deadlines });
  seen = [];
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

/** Looks at the workspace in two parts; `between` happens after the first. */
function looking(between: () => Promise<unknown>, adminOnly?: string): Operation {
  return defineOperation({
    id: 'test.look',
    summary: 'Look twice',
    input: Type.Object({}),
    output: Type.Object({}),
    effect: 'read',
    cost: 'global',
    ...(adminOnly !== undefined && { adminOnly }),
    async run(call) {
      const look = async (now: Call) => {
        await now.workspace.read();
        seen.push(now);
      };
      await call.part(look);
      await between();
      await call.part(look);
      return {};
    },
  });
}

const nothing = () => Promise.resolve();

/** Asks for a job, changes something, has it perform the operation in the user's name. */
async function runAs(
  inNameOf: InNameOf,
  meanwhile: () => Promise<unknown>,
  operation: Operation = looking(nothing),
  input: object = {},
): Promise<void> {
  const log = { ...silentLog, debug: () => {} };
  const kind = defineJob({
    kind: 'test.named',
    input: Type.Null(),
    attempts: 1,
    run: async (job, signal) => void (await performInNameOf({ sessions, perform, log }, job, operation, input, signal)),
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
}

const reason = async () => (await jobsOf(kith.database.database, organization.schema, 'test.named'))[0]?.error;

it('has the role that the user has by then', async () => {
  const email = await emailOf(user);
  await runAs({ workspaceUserId: user.workspaceUserId, tokenId: null }, () =>
    updateUser(kith.deps, organization.id, email, { role: 'Viewer' }),
  );
  expect(seen.map(({ caller, source }) => [caller.workspaceUserId, caller.role.name, caller.tokenId, source])).toEqual(
    Array.from({ length: 2 }, () => [user.workspaceUserId, 'Viewer', null, 'job']),
  );
});

it('fails for good where the user is not active any more, and no admin takes its place', async () => {
  const email = await emailOf(user);
  await runAs({ workspaceUserId: user.workspaceUserId, tokenId: null }, () =>
    updateUser(kith.deps, organization.id, email, { active: false }),
  );
  expect(seen).toEqual([]);
  expect(await reason()).toBe('The user in whose name this runs is not active any more');
});

it('fails for good where the token was revoked with which it was asked for', async () => {
  const tokenId = await tokenOf(user);
  const tokens = identifier(organization.schema, '_tokens');
  await runAs({ workspaceUserId: user.workspaceUserId, tokenId }, () =>
    query(sql`update ${tokens} set revoked_at = now() where id = ${tokenId}::uuid`),
  );
  expect(seen).toEqual([]);
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

describe('what changes while it runs', () => {
  const named = () => ({ workspaceUserId: user.workspaceUserId, tokenId: null });

  it('is seen by what is still to do: another role', async () => {
    const email = await emailOf(user);
    const demote = () => updateUser(kith.deps, organization.id, email, { role: 'Viewer' });
    await runAs(named(), nothing, looking(demote));
    expect(seen.map(({ caller }) => caller.role.name)).toEqual(['Member', 'Viewer']);
  });

  it('ends it for good where the user is not active any more', async () => {
    const email = await emailOf(user);
    await runAs(
      named(),
      nothing,
      looking(() => updateUser(kith.deps, organization.id, email, { active: false })),
    );
    expect(seen).toHaveLength(1);
    expect(await reason()).toBe('The user in whose name this runs is not active any more');
  });
});

it('may do what the user may, and no more: what only admins may is refused', async () => {
  await runAs({ workspaceUserId: user.workspaceUserId, tokenId: null }, nothing, looking(nothing, 'Looking twice'));
  expect(seen).toEqual([]);
  expect(await reason()).toMatch(/^PERMISSION_DENIED/);
});

it('leaves in history whose it was, and that a job did it', async () => {
  const input = { object: 'contacts', values: { first_name: 'By a job' } };
  await runAs({ workspaceUserId: user.workspaceUserId, tokenId: null }, nothing, createRecord, input);
  const history = identifier(organization.schema, '_history');
  const left = await query(sql`select h.means, h.actor_id, h.change_set = j.id
    from ${history} h, ${identifier(organization.schema, '_jobs')} j where h.action = 'create' and j.kind = 'test.named'`);
  expect(left).toEqual([['job', user.workspaceUserId, 't']]);
});
