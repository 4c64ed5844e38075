/** A part of a write fails where the rest of it goes in: the answer says so, and the log says why, with the request's id. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serve, type ServiceProcess } from '../faults/service.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';

let database: TestDatabase;
let service: ServiceProcess;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  const organization = await firstOrganization(createEngine(database.database), database.database);
  ({ token } = organization);
  // What no caller can bring about is done by hand: the database refuses what Kith holds to be right.
  await database.database.transaction('test', (tx) =>
    tx.script(`alter table "${organization.schemaName}"._list_entries add check (false);
      alter table "${organization.schemaName}".contacts add check (last_name <> 'refused')`),
  );
  service = await serve({ DATABASE_URL: database.url, KITH_LOG_LEVEL: 'warn' });
});
afterAll(async () => {
  service.kill('SIGKILL');
  await service.outcome;
  await database.drop();
});

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return { id: response.headers.get('x-request-id'), json: JSON.parse(text) };
}

it('of a list, and of rows that the database refuses', async () => {
  const wrong = 'Something went wrong on our side; the request id finds it in the log';
  const values = { last_name: 'Kept', create_list_name: 'List' };
  const plain = await post('/records/contacts', values);
  const once = await post('/records/contacts', values, { 'idempotency-key': 'once' });
  for (const { json } of [plain, once]) expect(json).toMatchObject({ action: 'created', create_list_error: wrong });
  const rows = await post('/import/contacts', {
    records: ['Kept', 'refused', 'refused'].map((last_name) => ({ last_name })),
  });
  expect(rows.json).toMatchObject({ created: 1, failed: 2 });

  service.kill('SIGTERM');
  const lines = (await service.outcome).stderr.split('\n').filter((line) => line.includes('"requestId"'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'error', requestId: plain.id, msg: `INTERNAL_ERROR: ${wrong}`, error: { code: '23514' } },
    { level: 'error', requestId: once.id, msg: `INTERNAL_ERROR: ${wrong}`, error: { code: '23514' } },
    { level: 'error', requestId: rows.id, msg: expect.stringMatching(/^WRITE_FAILED/), error: { code: '23514' } },
  ]);
});
