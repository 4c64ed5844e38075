/** What is sent outside cannot be taken back: it is never tried, and never sent twice under one key. [decisions: Writing] */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import Type from 'typebox';
import type { Call } from '../../src/access/call.ts';
import { errors } from '../../src/errors.ts';
import type { Route } from '../../src/http/bind.ts';
import { routes } from '../../src/http/routes.ts';
import { defineOperation, type Operation } from '../../src/operations/door/operation.ts';
import { restPrefix } from '../../src/lib/url-paths.ts';
import { describeInterface } from '../../src/operations/workspace/openapi.ts';
import { openSurface, type Surface } from './surface.ts';

/** The outside: what arrived there. */
let arrived: string[];
/** What an attempt does; it answers how it was sent. */
let act: (call: Call, text: string) => Promise<object>;
let surface: Surface;

const send = defineOperation({
  id: 'test.send',
  summary: 'Send a text',
  input: Type.Object({ text: Type.String() }, { additionalProperties: false }),
  output: Type.Object({}),
  effect: 'external',
  cost: 'global',
  run: (call, { text }) => act(call, text),
});
const pretended: Operation = { ...send, id: 'test.pretended', effect: 'write' };
const described: readonly Route[] = [
  { method: 'POST', path: '/test/send', operation: send, body: 'merged' },
  { method: 'POST', path: '/test/pretended', operation: pretended, body: 'merged' },
  ...routes,
];
const document = describeInterface(restPrefix, () => described);

const deliver = (call: Call, text: string) =>
  call.sendOut(async () => {
    arrived.push(text);
    return { number: arrived.length };
  });
const keyed = (key: string) => ({ 'idempotency-key': key });
const post = (text: string, key?: string) => surface.admin.post('/test/send', { text }, key ? keyed(key) : {});

beforeAll(async () => {
  surface = await openSurface([
    ...described,
    { method: 'GET', path: '/test/openapi.json', operation: document, body: undefined },
  ]);
});
afterAll(() => surface.stop());
beforeEach(() => {
  arrived = [];
  act = deliver;
});

describe('an operation that sends something outside', () => {
  it('refuses a dry run, and says why', async () => {
    const reply = await surface.admin.post('/test/send?dry_run=true', { text: 'trial' });
    expect([reply.status, reply.json]).toEqual([
      400,
      expect.objectContaining({ code: 'VALIDATION_ERROR', message: expect.stringContaining('takes no dry_run') }),
    ]);
    expect((await surface.admin.post('/test/send?dry_run=false', { text: 'meant' })).status).toBe(200);
    expect(arrived).toEqual(['meant']);
  });

  it('is done once under a key, and answered again', async () => {
    const key = randomUUID();
    const replies = [await post('once', key), await post('once', key)];
    expect(replies.map(({ json }) => json)).toEqual([{ number: 1 }, { number: 1 }]);
    expect(replies.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect((await post('other', key)).json.code).toBe('VALIDATION_ERROR');
    expect(arrived).toEqual(['once']);
  });

  it('leaves its key free where it fails before anything was sent', async () => {
    const key = randomUUID();
    act = () => Promise.reject(errors.validation('Not today'));
    expect((await post('later', key)).json.code).toBe('VALIDATION_ERROR');
    act = deliver;
    expect((await post('later', key)).json).toEqual({ number: 1 });
  });

  it.each([
    ['fails by a defect', () => Promise.reject(new Error('The connection broke'))],
    ['is refused', () => Promise.reject(errors.unavailable(new Error('No answer in time')))],
    ['finds its caller refused', () => Promise.reject(errors.validation('Too late'))],
  ])('is never run again where it %s after it was sent: the outcome is not known', async (_how, fail) => {
    const key = randomUUID();
    act = async (call, text) => {
      await deliver(call, text);
      return fail();
    };
    expect((await post('perhaps', key)).status).not.toBe(200);
    act = deliver;
    for (const _again of [1, 2]) {
      const { code, message } = (await post('perhaps', key)).json;
      expect([code, message]).toEqual(['CONFLICT', expect.stringContaining('is not known')]);
    }
    expect(arrived).toEqual(['perhaps']);
    expect((await post('other', key)).json.code).toBe('VALIDATION_ERROR');
  });

  it('is not known either while another process is at work on it', async () => {
    const key = randomUUID();
    const { client: other } = await surface.another();
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    act = async (call, text) => {
      begun.resolve();
      await goOn.promise;
      return deliver(call, text);
    };
    const first = post('slow', key);
    await begun.promise;
    const second = await other.post('/test/send', { text: 'slow' }, keyed(key));
    goOn.resolve();
    expect([second.json.code, (await first).json]).toEqual(['CONFLICT', { number: 1 }]);
    expect((await other.post('/test/send', { text: 'slow' }, keyed(key))).json).toEqual({ number: 1 });
  });

  it('begins anew where the model is old, unless it has sent something', async () => {
    let attempts = 0;
    act = async (call, text) => {
      if (++attempts === 1) await changeModel();
      await call.workspace.read();
      return deliver(call, text);
    };
    expect((await post('anew', randomUUID())).json).toEqual({ number: 1 });
    act = async (call, text) => {
      await deliver(call, text);
      await changeModel();
      await call.workspace.read();
      return {};
    };
    const { code, message } = (await post('no more', randomUUID())).json;
    expect([code, message]).toEqual(['CONFLICT', expect.stringContaining('a part of it is done')]);
    expect(arrived).toEqual(['anew', 'no more']);
  });

  it('says so in its definition: none else can send', async () => {
    expect((await surface.admin.post('/test/pretended', { text: 'x' })).status).toBe(500);
    expect(arrived).toEqual([]);
  });
});

it('the OpenAPI document tells the effect, and offers no dry run where there is none', async () => {
  const { paths } = (await surface.admin.get('/test/openapi.json')).json;
  const effectOf = (path: string, method: string) => paths[`/api/v1${path}`][method]['x-effect'];
  expect(effectOf('/records/contacts', 'get')).toBe('read');
  expect(effectOf('/records/contacts', 'post')).toBe('write');
  expect(effectOf('/records/contacts/{id}', 'delete')).toBe('destructive');
  expect(effectOf('/trash/contacts/{id}', 'delete')).toBe('destructive');
  expect(effectOf('/manifest', 'post')).toBe('destructive');
  expect(effectOf('/test/send', 'post')).toBe('external');
  const names = (path: string) => JSON.stringify(paths[`/api/v1${path}`].post.parameters);
  expect(names('/records/contacts')).toMatch(/dry/i);
  expect(names('/test/send')).not.toMatch(/dry/i);
  expect(names('/test/send')).toMatch(/idempotency/i);
});

let fields = 0;
async function changeModel(): Promise<void> {
  const manifest = { objects: [{ name: 'companies', fields: [{ name: `extra_${++fields}`, type: 'TEXT' }] }] };
  expect((await surface.admin.post('/manifest', manifest)).status).toBe(200);
}
