/** A body of very many small values would keep everybody waiting while it is read. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixture, goodToken, type Fixture } from './fixture.ts';

let server: Fixture;
beforeAll(() => {
  server = fixture();
});
afterAll(() => server.close());

async function post(body: string) {
  const { statusCode, json } = await server.app.inject({
    method: 'POST',
    url: '/api/v1/records/contacts',
    headers: { authorization: goodToken, 'content-type': 'application/json' },
    payload: body,
  });
  return { statusCode, json: json() };
}

it.each([
  ['numbers', `[${`[${'1,'.repeat(100_000)}1],`.repeat(10)}1]`],
  ['empty lists', `[${`[${'[],'.repeat(100_000)}[]],`.repeat(10)}1]`],
  ['keys', `[${`{${'"":0,'.repeat(9_999)}"":0},`.repeat(100)}{}]`],
  ['what follows a quote in a text', `["\\"",${`[${'1,'.repeat(100_000)}1],`.repeat(10)}1]`],
])('more than a million are refused: %s', async (_what, body) => {
  expect(await post(body)).toMatchObject({
    statusCode: 400,
    json: { code: 'VALIDATION_ERROR', message: 'The body holds more than 1,000,000 values; send it in parts' },
  });
});

it('what stands in a text counts as one', async () => {
  const text = `{"first_name":"${'[,{\\"'.repeat(600_000)}"}`;
  expect(await post(text)).not.toMatchObject({ json: { message: expect.stringContaining('values') } });
});
