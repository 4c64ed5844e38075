/** [issue: Doors] Which pages of other origins may call the service from a browser, and with what. */
import { describe, expect, it } from 'vitest';
import { fixture, goodToken } from './fixture.ts';

const url = '/api/v1/records/contacts';
const page = 'https://app.example';
const asking = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type,idempotency-key',
};

/** The names of what an answer tells browsers. */
const told = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control'));

it('nobody may, unless the operator says so', async () => {
  const { app } = fixture();
  const question = await app.inject({ method: 'OPTIONS', url, headers: { origin: page, ...asking } });
  expect([question.statusCode, question.headers.allow, told(question.headers)]).toEqual([405, 'GET, HEAD, POST', []]);
  const answer = await app.inject({ url, headers: { origin: page, authorization: goodToken } });
  expect([answer.statusCode, told(answer.headers), answer.headers.vary]).toEqual([200, [], undefined]);
});

describe('a page whose origin is named', () => {
  const { app, seen } = fixture({ origins: [page] });

  it('is told what it may send, and needs no token to ask', async () => {
    const { statusCode, headers, body } = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: page, ...asking },
    });
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, HEAD, POST',
      'access-control-allow-headers': asking['access-control-request-headers'],
      'access-control-max-age': '7200',
      vary: 'origin',
    });
    expect(headers['access-control-allow-credentials']).toBeUndefined();
    expect(seen).toEqual([]);
  });

  it('reads answers with their headers, refusals too', async () => {
    for (const [headers, status] of [
      [{ authorization: goodToken }, 200],
      [{}, 401],
    ] as const) {
      const answer = await app.inject({ url, headers: { origin: page, ...headers } });
      expect(answer.statusCode).toBe(status);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-expose-headers': '*',
        vary: 'origin',
      });
      expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  it('reads that it asks too often', async () => {
    const limited = fixture({ origins: [page], policies: { 'api:ip': { limit: 1, windowSeconds: 60 } } });
    const ask = () => limited.app.inject({ method: 'OPTIONS', url, headers: { origin: page, ...asking } });
    expect((await ask()).statusCode).toBe(204);
    const denied = await ask();
    expect([denied.statusCode, denied.headers['access-control-allow-origin']]).toEqual([429, page]);
  });

  it('names only headers that are names', async () => {
    const headers = { origin: page, ...asking, 'access-control-request-headers': 'a, b<script>' };
    const answer = await app.inject({ method: 'OPTIONS', url, headers });
    expect([answer.statusCode, answer.headers['access-control-allow-headers']]).toEqual([204, undefined]);
  });

  it('may call nothing but the interfaces', async () => {
    for (const path of ['/', '/health/ready', '/metrics', '/docs'])
      expect(told((await app.inject({ url: path, headers: { origin: page } })).headers)).toEqual([]);
  });
});

it.each(['https://app.example.evil', 'http://app.example', 'https://app.example:444', 'null'])(
  'another origin is told nothing: %s',
  async (origin) => {
    const { app } = fixture({ origins: [page] });
    const question = await app.inject({ method: 'OPTIONS', url, headers: { origin, ...asking } });
    expect([question.statusCode, told(question.headers)]).toEqual([405, []]);
    const answer = await app.inject({ url, headers: { origin, authorization: goodToken } });
    expect([told(answer.headers), answer.headers.vary]).toEqual([[], 'origin']);
  },
);
