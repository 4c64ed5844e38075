/** [decisions: Reading] Every page has a size of its own range: what lies beyond is clamped to it, and the answer says so. */
import { expect, it } from 'vitest';
import { propertiesOf } from '../../src/describe/places.ts';
import { routes } from '../../src/http/routes.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { create, expectError } from './records.ts';
import { account } from './sending.ts';
import { admin, kith, organization, useStage } from './stage.ts';

/** What stands in the path of each, by the path's beginning. */
const ids = new Map<string, string>();

useStage(async () => {
  const address = await emailOf(admin);
  const span = { start_time: '2026-10-02T13:00:00Z', end_time: '2026-10-02T13:30:00Z' };
  const meeting = { kind: 'event', user: address, external_id: 'e-1', title: 'Demo', status: 'confirmed', ...span };
  await ingest(kith, organization, [account(address, ['email', 'meeting']), messageLine(address, 'm-1'), meeting]);
  const made = await admin.post('/records/contacts', { first_name: 'Ada' });
  ids.set('/change-sets', made.headers.get('change-set') ?? '');
  ids.set('/records', made.json.id);
  ids.set('/activity', made.json.id);
  ids.set('/inbox/threads', (await admin.get('/inbox/threads')).json.data[0].id);
  ids.set('/lists', (await admin.post('/lists', { name: 'All', object_types: ['contacts'] })).json.id);
  ids.set('/pipelines', (await create(admin, 'opportunities', { name: 'Deal' })).id);
});

/** They take more than the request: a person in a browser, an address that takes events. */
const elsewhere = ['/tokens', '/connected-apps', '/webhooks/:id/deliveries'];

const sizes = routes.flatMap(({ method, path, operation }) =>
  method === 'GET' && !elsewhere.includes(path)
    ? Object.keys(propertiesOf(operation.input))
        .filter((name) => name.includes('limit'))
        .map((name): [path: string, name: string] => [path, name])
    : [],
);

it.each(sizes)('GET %s?%s', async (path, name) => {
  const [, id = ''] = [...ids].find(([beginning]) => path.startsWith(beginning)) ?? [];
  const object = path.startsWith('/pipelines') ? 'opportunities' : 'contacts';
  const asked = {
    ...(path === '/meetings' && { start_date: '2026-01-01', end_date: '2026-12-31' }),
    ...(path === '/search' && { query: 'ada' }),
    ...(name === 'limit_per_group' && { group_by: 'company_id' }),
  };
  const get = (size: unknown) =>
    admin.get(path.replace(':object', object).replace(':id', id), { ...asked, [name]: size });
  for (const [given, range] of [
    [0, `${name} goes from 1 to \\d+: 0 was taken as 1"$`],
    [100_000, `${name} goes from 1 to (\\d+): 100000 was taken as \\1"$`],
  ] as const) {
    const { status, headers, text } = await get(given);
    expect([status, headers.get('warning')], text).toEqual([200, expect.stringMatching(range)]);
  }
  expect((await get(1)).headers.get('warning')).toBeNull();
  expectError(await get('1.5'), 'VALIDATION_ERROR');
});
