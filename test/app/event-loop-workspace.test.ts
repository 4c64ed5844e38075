/** [safety: denial] To tell of a large workspace, within the caps, keeps nobody waiting: it is done in slices. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createEngine, firstOrganization } from '../support/engine.ts';
import { send, zipped, type Request } from './attack-client.ts';
import { serveWatched, type WatchedService } from './watched-service.ts';

let database: TestDatabase;
let token: string;
beforeAll(async () => {
  database = await testDatabase();
  ({ token } = await firstOrganization(createEngine(database.database), database.database));
});
afterAll(() => database.drop());

const types = ['NUMBER', 'DATE', 'SELECT', 'BOOLEAN', 'CURRENCY', 'EMAIL', 'MULTI_SELECT', 'LONG_TEXT'];
const options = Array.from({ length: 10 }, (_, at) => ({ value: `v${at}`, label: `Label ${at}` }));
const objectNames = Array.from({ length: 100 }, (_, at) => `many_${at}`);

function fieldOf(at: number) {
  const type = types[at % types.length] ?? '';
  const more = type.includes('SELECT') ? { options } : {};
  return { name: `field_${at}`, label: `Field ${at}`, type, ...more };
}

const fields = Array.from({ length: 45 }, (_, at) => fieldOf(at));
const objects = objectNames.map((name) => ({ name, label: name, labelSingular: `one ${name}`, fields }));

const conditions = Array.from({ length: 50 }, () => ({ field: 'created_at', operator: 'is_not_null' }));
const rule = { type: 'AND', conditions };
const rulesForAll = {
  roles: Array.from({ length: 30 }, (_, at) => ({
    name: `Role ${at}`,
    permissions: { '*': { view: rule, update: rule, delete: rule } },
  })),
};
const newNames = {
  objects: objectNames.map((name) => ({
    name,
    fields: fields.map((field) => ({ name: `${field.name}_now`, renamedFrom: field.name })),
  })),
};

const get = (path: string): Request => ({ method: 'GET', path });
const manifest = (body: object, query = ''): Request => ({
  method: 'POST',
  path: `/manifest${query}`,
  body: JSON.stringify(body),
});

async function watched(service: WatchedService, request: Request) {
  const bytes = await zipped(request);
  await service.longestHold();
  const { status, text } = await send(service.url, token, bytes);
  expect(status, text).toBe(200);
  const hold = await service.longestHold();
  const [ms, cpuMs, workMs] = [hold.ms, hold.cpuMs, hold.workMs].map((each) => each.toFixed(0).padStart(5));
  console.log(`${request.path.padEnd(30)} held the loop ${ms} ms, ${cpuMs} ms at work, of ${workMs} ms in all`);
  return hold;
}

async function fetched({ url }: WatchedService, path: string) {
  const response = await fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  return { etag: response.headers.get('etag'), text: await response.text() };
}

it('lets others in while it tells of thousands of fields', { timeout: 120_000 }, async () => {
  const service = await serveWatched({ DATABASE_URL: database.url });
  for (let at = 0; at < objects.length; at += 25) {
    await watched(service, manifest({ objects: objects.slice(at, at + 25) }));
  }
  // As much as it takes of the processor, whatever the machine: done at one go it would be nearly all.
  const whole = get('/openapi.json');
  for (const request of [whole, manifest(rulesForAll, '?dry_run=true'), manifest(newNames, '?dry_run=true')]) {
    const { cpuMs, workMs } = await watched(service, request);
    expect(cpuMs).toBeLessThan(workMs / 3);
  }
  for (const path of ['/schema', '/me/permissions', '/manifest']) await watched(service, get(path));
  await watched(service, manifest({ objects }, '?dry_run=true'));
});

it('makes one document for all who ask at once', { timeout: 60_000 }, async () => {
  const service = await serveWatched({ DATABASE_URL: database.url });
  const answers = await Promise.all(Array.from({ length: 5 }, () => fetched(service, '/openapi.json')));
  answers.push(await fetched(service, '/openapi.json'));
  expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const { paths } = JSON.parse(answers[0]?.text ?? '') as { paths: object };
  for (const name of objectNames) expect(paths).toHaveProperty([`/api/v1/records/${name}`, 'get']);
});
