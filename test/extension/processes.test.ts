/** Recordings over several processes and times: stopped elsewhere, ended by nobody, cut off by a stop of the service or of their user. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createAgentStream } from '../../src/agent/agent-stream.ts';
import { createTranscripts } from '../../src/operations/conversations/transcripts.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { updateUser } from '../../src/provision/users.ts';
import { openSurface, type Surface } from '../door/surface.ts';
import { wayOut } from '../outgoing/listeners.ts';
import { startKith, type Client } from '../support/kith.ts';
import { record, segments, sessions, type Access } from './recorder.ts';

let surface: Surface;
/** Of processes that are begun from now on. */
let idleMs = 3_600_000;
let elsewhere: Awaited<ReturnType<Surface['another']>>;

beforeAll(async () => {
  surface = await openSurface([], {
    app({ sessions: known, provision: { keyring, clock } }) {
      const parts = { keyring, clock };
      return {
        ...parts,
        sessions: known,
        times: { lookEveryMs: 100, idleMs, gapMs: 1 },
        agentStream: createAgentStream({ ...parts, model: undefined, outgoing: wayOut().outgoing, limiter: undefined }),
        transcripts: createTranscripts({ keyring, publicUrl: undefined }),
      };
    },
  });
  elsewhere = await surface.another();
});
afterAll(() => surface.stop());

async function begun(client: Client, meetingId: string): Promise<Access> {
  return (await sessions(client, '', { meetingId })).json;
}

it('a recording is stopped in one process while another takes what is said', async () => {
  await begun(surface.admin, 'm-1');
  const access = (await sessions(elsewhere.client, '/m-1/refresh-ws')).json;
  const recorder = await record(access);
  recorder.send(segments(1, 2));
  expect(await recorder.next()).toEqual({ type: 'ack', seq: 2 });
  expect((await sessions(surface.admin, '/m-1/stop')).json).toMatchObject({ segments: 2 });
  expect((await recorder.closed)[0]).toBe(4410);
});

it('its connection ends with its user, without a message, and where nothing is said for long', async () => {
  const user = await surface.user('Member');
  const recorder = await record(await begun(user, 'm-2'));
  await updateUser(surface.kernel.provision, surface.organization.id, user.email, { active: false });
  expect(await recorder.next()).toMatchObject({ type: 'error', code: 'UNAUTHORIZED' });
  expect((await recorder.closed)[0]).toBe(4401);
  idleMs = 0;
  const silent = await record(await begun((await surface.another()).client, 'm-3'));
  expect((await silent.closed)[0]).toBe(4408);
  idleMs = 3_600_000;
});

it('a stop of the service says that it is one, and what was said before is kept', async () => {
  const { client, server } = await surface.another();
  const access = await begun(client, 'm-4');
  const recorder = await record(access);
  recorder.send(segments(1, 1));
  expect(await recorder.next()).toEqual({ type: 'ack', seq: 1 });
  const stopped = server.close();
  expect((await recorder.closed)[0]).toBe(1001);
  await stopped;
  const again = await record((await sessions(surface.admin, '/m-4/refresh-ws')).json);
  expect(again.ready).toBe(1);
  again.cut();
});

it('one that nobody stops is ended after some hours, also where its user has left, with the time at which something came last', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-10-05T12:00:00Z') });
  const kith = await startKith({ KITH_JOBS: 'on' });
  try {
    const organization = await kith.organization();
    const user = await organization.user('Member');
    const { email } = (await user.get('/me')).json.profile;
    for (const [client, meetingId] of [
      [organization.admin, 'left'],
      [user, 'gone'],
    ] as const) {
      const recorder = await record((await sessions(client, '', { meetingId })).json);
      recorder.send(segments(1, 1));
      expect(await recorder.next()).toEqual({ type: 'ack', seq: 1 });
      await recorder.close();
    }
    await updateUser(kith.deps, organization.id, email, { active: false });
    vi.setSystemTime(Date.parse('2026-10-05T16:00:01Z'));
    const { database } = kith.database;
    const table = identifier(organization.schema, '_transcripts');
    const threads = async () =>
      (
        await database.run(
          organization.id,
          statement(sql`select t.thread_id from ${table} t where t.stopped_at is not null`),
        )
      ).count;
    await vi.waitFor(async () => expect(await threads()).toBe(2), { timeout: 10_000, interval: 100 });
    const { data } = (await organization.admin.get('/inbox/threads')).json;
    expect(data).toMatchObject([{ external_thread_id: 'left', channel: 'meeting', message_count: 1 }]);
    const span = { start_date: '2026-10-05', end_date: '2026-10-05' };
    const { events } = (await organization.admin.get('/meetings', span)).json;
    for (const event of events)
      expect([event.start_time, event.end_time]).toEqual(['2026-10-05T12:00:00.000Z', '2026-10-05T12:00:01.500Z']);
    expect(events.length).toBeGreaterThan(0);
  } finally {
    vi.useRealTimers();
    await kith.stop();
  }
});
