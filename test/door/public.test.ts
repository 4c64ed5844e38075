/** Callers without a token pass the same door: what an operation for anyone is given, and what keeps it from being called too often. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import Type from 'typebox';
import { errors } from '../../src/errors.ts';
import type { Route } from '../../src/http/bind.ts';
import { routes } from '../../src/http/routes.ts';
import { restPrefix } from '../../src/lib/url-paths.ts';
import { definePublicOperation, type PublicCall } from '../../src/operations/door/operation.ts';
import { describeInterface } from '../../src/operations/workspace/openapi.ts';
import { openSurface, type Surface } from './surface.ts';

let surface: Surface;
let calls: PublicCall[];

const greet = definePublicOperation({
  id: 'test.greet',
  summary: 'Greet somebody',
  input: Type.Object({ email: Type.String() }, { additionalProperties: false }),
  output: Type.Object({ greeting: Type.String() }),
  effect: 'write',
  budget: { policy: 'auth:magic-link', of: ({ address: ip }, { email }) => ({ ip, email }) },
  async run(call, { email }) {
    calls.push(call);
    call.warn('Only a test');
    if (email === 'nobody') throw errors.notFound('There is nobody');
    return { greeting: `Good day, ${email}` };
  },
});
const described: readonly Route[] = [
  ...routes,
  { method: 'POST', path: '/test/greet', operation: greet, body: 'merged' },
];
const document = describeInterface(restPrefix, () => described);

beforeAll(async () => {
  const inDocument: Route = { method: 'GET', path: '/test/openapi.json', operation: document, body: undefined };
  surface = await openSurface([...described, inDocument], {
    policies: { 'auth:magic-link': { limit: 2, windowSeconds: 600 } },
  });
});
afterAll(() => surface.stop());
beforeEach(() => {
  calls = [];
});

/** Without `Authorization`. */
async function post(body: object, query = '', headers: Record<string, string> = {}) {
  const reply = await fetch(`${surface.url}/api/v1/test/greet${query}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: reply.status, headers: reply.headers, json: await reply.json() };
}

it('is called without a token, and knows where from', async () => {
  const { status, json, headers } = await post({ email: 'ada' }, '', { 'x-request-id': 'hello' });
  expect([status, json]).toEqual([200, { greeting: 'Good day, ada' }]);
  expect(headers.get('warning')).toBe('299 - "Only a test"');
  expect(calls).toMatchObject([{ sender: { address: '127.0.0.1' }, request: 'hello' }]);
  expect(Object.keys(calls[0]!).filter((key) => ['caller', 'model', 'workspace', 'visibility'].includes(key))).toEqual(
    [],
  );
});

it('does not look at a token that is sent all the same', async () => {
  const { status } = await post({ email: 'with token' }, '', { authorization: 'Bearer svc_nonsense' });
  expect(status).toBe(200);
});

it('has its input checked, and is refused like any other', async () => {
  expect((await post({})).json).toMatchObject({ code: 'MISSING_REQUIRED_FIELD' });
  expect((await post({ email: 'x', more: 1 })).json).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect((await post({ email: 'nobody' })).json).toMatchObject({ code: 'NOT_FOUND' });
});

it.each([
  ['?dry_run=true', {}],
  ['', { 'idempotency-key': 'once' }],
])('is nobody to try it for, or to keep an answer for: %s %j', async (query, headers) => {
  const { json } = await post({ email: 'tried' }, query, headers);
  expect(json).toMatchObject({ code: 'VALIDATION_ERROR', message: expect.stringContaining('no caller') });
  expect(calls).toEqual([]);
});

it('has a budget of its own, by what the operation says', async () => {
  expect((await post({ email: 'often' })).status).toBe(200);
  expect((await post({ email: 'often' })).status).toBe(200);
  const denied = await post({ email: 'often' });
  expect(denied).toMatchObject({ status: 429, json: { policy: 'auth:magic-link' } });
  expect((await post({ email: 'another' })).status).toBe(200);
  expect(calls).toHaveLength(3);
});

it('is described as one that takes no token', async () => {
  const { paths } = (await surface.admin.get('/test/openapi.json')).json;
  const { security, responses, description } = paths['/api/v1/test/greet'].post;
  expect(security).toEqual([]);
  expect(Object.keys(responses)).not.toContain('401');
  expect(description).toBe('Takes no token. Counts against `api:ip` and `auth:magic-link`.');
  expect(paths['/api/v1/me'].get.security).toBeUndefined();
});
