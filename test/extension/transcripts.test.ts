/** [spec: Limits; decisions: Extension sessions] Meetings that a browser's extension records, over a real WebSocket. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { revokeToken, createToken } from '../../src/provision/tokens.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { emailOf } from '../api/conversations.ts';
import { create } from '../api/records.ts';
import { altered } from '../support/altered.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { record, Refused, segment, segments, sessions, type Access } from './recorder.ts';

let kith: TestKith;
let organization: TestOrganization;
let ada: Client;
let ben: Client;
let stranger: Client;

beforeAll(async () => {
  kith = await startKith({
    KITH_JOBS: 'on',
    KITH_RATE_LIMITS: '{"api:ip":{"limit":100000},"extension:session-create-org":{"limit":25}}',
  });
  organization = await kith.organization();
  ada = organization.admin;
  ben = await organization.user('Member');
  stranger = (await kith.organization()).admin;
});
afterAll(() => kith.stop());

let meetings = 0;

/** A meeting that is being recorded. */
async function begun(client = ada, more: object = {}): Promise<Access & { readonly meetingId: string }> {
  const meetingId = `abc-${++meetings}`;
  const reply = await sessions(client, '', { meetingId, ...more });
  expect([reply.status, reply.json.code]).toEqual([200, undefined]);
  return { ...reply.json, meetingId };
}

const stop = (client: Client, meetingId: string) => sessions(client, `/${meetingId}/stop`);

async function transcriptIn(client: Client, threadId: string): Promise<string> {
  const { messages } = (await client.get(`/inbox/threads/${threadId}`)).json;
  expect(messages).toHaveLength(1);
  return messages[0].content_text;
}

const lines = (from: number, to: number) =>
  segments(from, to)
    .segments.map(({ speaker, text, start }) => `[00:00:${String(start).padStart(2, '0')}] ${speaker}: ${text}`)
    .join('\n');

describe('a meeting', () => {
  it('becomes a message and a meeting, with what was said and who took part', async () => {
    const bob = await create(ada, 'contacts', { last_name: 'Berg', emails: [{ email: 'bob@globex.test' }] });
    const access = await begun(ada, {
      ...{ title: 'Demo', url: 'https://meet.test/abc', platform: 'meet' },
      attendees: [{ name: 'Bob', email: 'bob@globex.test' }, { name: 'Somebody' }],
    });
    expect(access.wsUrl).toBe(`${kith.url.replace('http', 'ws')}/api/extension/ws`);
    const recorder = await record(access);
    expect(recorder.ready).toBe(0);
    recorder.send(segments(1, 3));
    expect(await recorder.next()).toEqual({ type: 'ack', seq: 3 });
    const stored = await kith.database.database.run(
      organization.id,
      statement(sql`select s.body, t.about from ${identifier(organization.schema, '_transcript_segments')} s,
        ${identifier(organization.schema, '_transcripts')} t`),
    );
    // With signs beside them that ciphertext has not: three letters alone turn up in it by chance.
    expect(JSON.stringify(stored.rows)).not.toMatch(/Word \d|\\"Ada/);

    const stopped = await stop(ada, access.meetingId);
    expect(stopped.json).toMatchObject({ sessionId: access.sessionId, meetingId: access.meetingId, segments: 3 });
    expect((await recorder.closed)[0]).toBe(4410);
    expect((await stop(ada, access.meetingId)).json).toEqual(stopped.json);
    const { threadId } = stopped.json;
    expect(await transcriptIn(ada, threadId)).toBe(lines(1, 3));
    const { thread, messages } = (await ada.get(`/inbox/threads/${threadId}`)).json;
    expect(thread).toMatchObject({ channel: 'meeting', subject: 'Demo', external_thread_id: access.meetingId });
    expect(messages[0].participants).toEqual([await emailOf(ada), 'Bob <bob@globex.test>', 'Somebody', 'Ada']);
    const { events } = (await ada.get('/meetings', { start_date: '2020-01-01', end_date: '2040-01-01' })).json;
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ title: 'Demo', meeting_url: 'https://meet.test/abc', location: 'meet' });
    expect(events[0].attendees).toMatchObject([{ email: 'bob@globex.test', name: 'Bob', contact_id: bob.id }]);
    const { interactions } = (await ada.get(`/activity/contacts/${bob.id}`)).json;
    expect(interactions.items).toMatchObject([{ channel: 'meeting', thread_id: threadId }]);
    const left = await kith.database.database.run(
      organization.id,
      statement(sql`select from ${identifier(organization.schema, '_transcript_segments')}`),
    );
    expect(left.count).toBe(0);
  });

  it('goes on where it was when the connection breaks: nothing is lost, nothing twice', async () => {
    const access = await begun();
    const last = 59;
    let random = 7;
    const below = (most: number) => (random = (random * 16_807) % 2_147_483_647) % most;
    for (let acknowledged = 0; acknowledged < last;) {
      const recorder = await record(access);
      expect(recorder.ready).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = recorder.ready;
      // Some of it comes again, and some of it goes off without waiting for what is acknowledged.
      for (let at = 1 + acknowledged - below(acknowledged + 1); at <= last;) {
        const to = Math.min(last, at + below(9));
        recorder.send(segments(at, to));
        if (below(4) === 0) break;
        acknowledged = Math.max(acknowledged, (await recorder.next()).seq);
        at = to + 1;
      }
      if (acknowledged < last) recorder.cut();
      else await recorder.close();
    }
    const { threadId, segments: count } = (await stop(ada, access.meetingId)).json;
    expect([count, await transcriptIn(ada, threadId)]).toEqual([last, lines(1, last)]);
  });

  it('takes nothing behind a gap, and says from where to send again', async () => {
    const access = await begun();
    const recorder = await record(access);
    recorder.send({ type: 'segments', segments: [1, 2, 4].map(segment) });
    expect(await recorder.next()).toEqual({ type: 'ack', seq: 2 });
    recorder.send(segments(9, 9));
    expect(await recorder.next()).toEqual({ type: 'ack', seq: 2 });
    await recorder.close();
  });

  it('that is begun twice is one, and after its end another', async () => {
    const access = await begun();
    const again = await sessions(ada, '', { meetingId: access.meetingId });
    expect(again.json.sessionId).toBe(access.sessionId);
    const old = await record(access);
    const recorder = await record(again.json);
    expect((await old.closed)[0]).toBe(4409);
    recorder.send(segments(1, 1));
    await recorder.next();
    const first = (await stop(ada, access.meetingId)).json;
    const next = await sessions(ada, '', { meetingId: access.meetingId });
    expect(next.json.sessionId).not.toBe(access.sessionId);
    const second = (await stop(ada, access.meetingId)).json;
    expect([first.segments, second.segments, second.threadId]).toEqual([1, 0, null]);
    expect(await transcriptIn(ada, first.threadId)).toBe(lines(1, 1));
  });

  it('is of the user who records it: to all others, also admins, it is not there', async () => {
    const access = await begun(ben);
    for (const client of [ada, stranger])
      for (const path of [`/${access.meetingId}/stop`, `/${access.meetingId}/refresh-ws`, '/never-begun/stop']) {
        const refused = await sessions(client, path);
        expect([refused.status, refused.json.code]).toEqual([400, 'RECORD_NOT_FOUND']);
      }
    const fresh = await sessions(ben, `/${access.meetingId}/refresh-ws`);
    expect(fresh.json).toMatchObject({ sessionId: access.sessionId, wsUrl: access.wsUrl });
    expect(fresh.json.wsToken).not.toBe(access.wsToken);
    const recorder = await record(fresh.json);
    await recorder.close();
    const { json } = await stop(ben, access.meetingId);
    expect((await sessions(ben, `/${access.meetingId}/refresh-ws`)).json.code).toBe('CONFLICT');
    expect(json.threadId).toBeNull();
  });
});

describe('a connection', () => {
  const refusalOf = async (access: Access, manner: Parameters<typeof record>[1]) => {
    const error: unknown = await record(access, manner).catch((thrown: unknown) => thrown);
    if (!(error instanceof Refused)) throw new Error(`No refusal: ${String(error)}`);
    return [error.status, error.body.code];
  };

  it('is refused before the upgrade to whoever may not', async () => {
    const access = await begun();
    const protocol = 'kith.transcript.v1';
    const origin = (of: string) => ({ headers: { origin: of } });
    for (const manner of [
      { protocols: [protocol] },
      { protocols: [access.wsToken] },
      { protocols: [protocol, altered(access.wsToken)] },
      { protocols: [protocol, ada.token.replace(/[^\w.-]/g, '')] },
    ])
      expect(await refusalOf(access, manner)).toEqual([401, 'UNAUTHORIZED']);
    for (const from of ['https://elsewhere.test', 'null', 'chrome-extension://a/b'])
      expect(await refusalOf(access, origin(from))).toEqual([400, 'PERMISSION_DENIED']);
    expect(await refusalOf(access, { headers: { host: 'rebound.test' } })).toEqual([400, 'PERMISSION_DENIED']);
    for (const from of ['chrome-extension://abcdefghijklmnop', 'moz-extension://1-2-3', kith.url])
      await (await record(access, origin(from))).close();
    const plain = await ada.send('/api/extension/ws');
    expect([plain.status, plain.json.code]).toEqual([400, 'VALIDATION_ERROR']);
    const other = await fetch(kith.url, { headers: { connection: 'upgrade', upgrade: 'h2c' } }).catch(() => undefined);
    expect(other?.status ?? 200).toBe(200);
    await stop(ada, access.meetingId);
    expect(await refusalOf(access, {})).toEqual([400, 'CONFLICT']);
  });

  it.each([
    ['no JSON', 'x', 'VALIDATION_ERROR'],
    ['a list', '[]', 'VALIDATION_ERROR'],
    ['another type', { type: 'stop' }, 'VALIDATION_ERROR'],
    ['no segments', { type: 'segments', segments: [] }, 'VALIDATION_ERROR'],
    ['a segment without a text', { type: 'segments', segments: [{ seq: 1, speaker: 'A' }] }, 'MISSING_REQUIRED_FIELD'],
    [
      'a text that is too long',
      { type: 'segments', segments: [{ ...segment(1), text: 'x'.repeat(5_001) }] },
      'VALIDATION_ERROR',
    ],
    ['a text with a NUL', { type: 'segments', segments: [{ ...segment(1), text: 'a\0' }] }, 'VALIDATION_ERROR'],
    ['too many at once', segments(1, 101), 'VALIDATION_ERROR'],
    ['an id of another', { type: 'segments', id: 'x', segments: [segment(1)] }, undefined],
  ])('is told what is wrong: %s', async (_, message, code) => {
    const recorder = await record(await shared());
    recorder.send(message);
    expect((await recorder.next()).code).toBe(code);
    await recorder.close();
  });

  it('is no request in flight, and is measured up to its upgrade', async () => {
    const recorder = await record(await shared());
    const { text } = await ada.send('/metrics');
    expect(text).toMatch(/^kith_http_requests_in_flight 1$/m);
    const counted = 'kith_http_request_duration_seconds_count{method="GET",route="/api/extension/ws"';
    expect(text).toContain(`${counted},status="101"} `);
    expect(text).not.toContain(`${counted},status="200"}`);
    await recorder.close();
  });

  it('is cut where it was refused, though the client keeps its half', async () => {
    const { port } = new URL(kith.url);
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
    socket.on('error', () => {}).resume();
    const head = ['GET /api/extension/ws HTTP/1.1', `Host: 127.0.0.1:${port}`, 'Connection: upgrade'];
    socket.write(`${[...head, 'Upgrade: websocket'].join('\r\n')}\r\n\r\n`);
    await once(socket, 'end');
    await vi.waitFor(() => {
      socket.write('still here');
      expect(socket.destroyed).toBe(true);
    });
  });

  let one: Promise<Access> | undefined;
  const shared = () => (one ??= begun(ben));

  it('ends with a code that says why: too large, binary, a token that is not good any more', async () => {
    const access = await shared();
    const large = await record(access);
    large.send('x'.repeat(300_000));
    expect((await large.closed)[0]).toBe(1009);
    const binary = await record(access);
    binary.send(Buffer.from([1]));
    expect((await binary.closed)[0]).toBe(1003);
    const { token, tokenId } = await createToken(kith.deps, organization.id, {
      email: await emailOf(ben),
      name: 'More',
    });
    const further = await begun(kith.client(token));
    const recorder = await record(further);
    await revokeToken(kith.deps, tokenId);
    recorder.send(segments(1, 1));
    expect(await recorder.next()).toMatchObject({ type: 'error', code: 'UNAUTHORIZED' });
    expect((await recorder.closed)[0]).toBe(4401);
    expect(await refusalOf(further, {})).toEqual([401, 'UNAUTHORIZED']);
  });

  it('a user has five at once', async () => {
    const user = await organization.user('Member');
    const access = await Promise.all([1, 2, 3, 4, 5, 6].map(() => begun(user)));
    const open = [];
    for (const each of access.slice(1)) open.push(await record(each));
    expect((await refusalOf(access[0]!, {}))[0]).toBe(503);
    await open[0]!.close();
    await vi.waitFor(async () => (await record(access[0]!)).close());
    for (const each of open) each.cut();
  });
});

it('RL-14, RL-15, RL-16, RL-17: each route has its own budget, and the one of the organization comes second', async () => {
  const policyOf = ({ headers }: { headers: Headers }) => headers.get('x-ratelimit-policy');
  const own = await kith.organization();
  const first = await sessions(own.admin, '', { meetingId: 'a' });
  expect([policyOf(first), first.headers.get('x-ratelimit-remaining')]).toEqual(['extension:session-create', '19']);
  for (let at = 1; at < 20; at++) await sessions(own.admin, '', { meetingId: 'a' });
  const denied = await sessions(own.admin, '', { meetingId: 'a' });
  expect([denied.status, denied.json.policy]).toEqual([429, 'extension:session-create']);
  const second = await own.user('Member');
  for (let at = 0; at < 5; at++) expect((await sessions(second, '', { meetingId: 'b' })).status).toBe(200);
  const full = await sessions(second, '', { meetingId: 'b' });
  expect([full.status, full.json.policy]).toEqual([429, 'extension:session-create-org']);
  const stopped = await sessions(own.admin, '/a/stop');
  expect([policyOf(stopped), stopped.headers.get('x-ratelimit-limit')]).toEqual(['extension:session-stop', '60']);
  const fresh = await sessions(second, '/b/refresh-ws');
  expect([policyOf(fresh), fresh.headers.get('x-ratelimit-limit')]).toEqual(['extension:session-refresh-ws', '30']);
  const { limits } = (await own.admin.get('/limits')).json;
  const used = limits.find(({ policy }: { policy: string }) => policy === 'api:global');
  expect(used.limit - used.remaining).toBe(1);
});
