/** The first page of a demo: who may come in with one click, and as whom. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type TestKith } from '../support/kith.ts';
import { openBrowser } from './browser.ts';

let kith: TestKith;
beforeAll(async () => void (kith = await startKith({ KITH_DEMO: 'on' })), 60_000);
afterAll(() => kith.stop());

/** The people on the first page, by their first names. */
async function people(): Promise<ReadonlyMap<string, string>> {
  const { html } = await openBrowser(kith.url).open('/');
  const found = html.matchAll(/name="person" value="([^"]+)"[^]*?Look around as (\w+)</g);
  return new Map([...found].map(([, id = '', name = '']) => [name, id]));
}

async function enter(name: string) {
  const browser = openBrowser(kith.url);
  const home = await browser.submit('/demo', { person: (await people()).get(name) ?? '' });
  return { browser, home };
}

/** The status of a form that is sent with these headers, as no browser would. */
async function sent(path: string, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const method = body === '' ? 'GET' : 'POST';
  const one = request(new URL(path, kith.url), { method, headers: { ...type, ...headers } }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
  });
  one.on('error', reject).end(body);
  return promise;
}

it('a demo lets a visitor of the machine look through the eyes of three of its people', async () => {
  expect([...(await people()).keys()]).toEqual(['Ada', 'Diego', 'Hana']);
  const me = await Promise.all(
    ['Ada', 'Diego', 'Hana'].map(async (name) => (await (await enter(name)).browser.api('GET', '/me')).json),
  );
  expect(me).toMatchObject([
    { isAdmin: true, scopes: [], profile: { name: 'Ada Lindqvist' } },
    { isAdmin: false, profile: { name: 'Diego Marín' } },
    { isAdmin: false, profile: { name: 'Hana Suzuki' } },
  ]);
  const { browser, home } = await enter('Hana');
  expect(home.url).toBe('/');
  expect(home.html).toMatch(/Hana Suzuki[^]*Partner[^]*You look as Hana/);
  // Hers alone, and the audit tells of it.
  expect((await browser.api('GET', '/workspace')).json).toMatchObject({ name: 'Hana Suzuki', role: 'Partner' });
  const [entry] = (await (await enter('Ada')).browser.api('GET', '/audit?action=signin&limit=2')).json.data;
  expect(entry).toMatchObject({ actor: { display: 'Ada Lindqvist' }, address: '127.0.0.1' });
});

it('whoever is sent to sign in finds the way into the demo', async () => {
  const { url, html } = await openBrowser(kith.url).open('/home');
  expect(url).toBe('/signin?next=%2Fhome');
  expect(html).toMatch(/<a href="\/">Look around in the demo, <bdi>Acme Demo<\/bdi><\/a>/);
  // Not from elsewhere: there the first page lets nobody in.
  const proxied = await fetch(`${kith.url}/signin`, { headers: { 'x-forwarded-for': '203.0.113.9' } });
  expect(await proxied.text()).not.toContain('Look around');
});

it('a demo takes the form from its own page on the machine itself alone', async () => {
  const body = `person=${(await people()).get('Ada') ?? ''}`;
  const { host, port } = new URL(kith.url);
  const good = { host, origin: kith.url };
  expect(await sent('/demo', body, good)).toBe(303);
  expect(await sent('/demo', body, { host })).toBe(400);
  expect(await sent('/demo', body, { ...good, origin: 'https://evil.test' })).toBe(400);
  expect(await sent('/demo', body, { ...good, origin: 'null' })).toBe(400);
  // A name that somebody had point here, and a proxy in front.
  const evil = { host: `evil.test:${port}`, origin: `http://evil.test:${port}` };
  expect(await sent('/demo', body, evil)).toBe(400);
  expect(await sent('/demo', body, { ...good, host: evil.host })).toBe(400);
  expect(await sent('/demo', body, { ...good, 'x-forwarded-for': '203.0.113.9' })).toBe(400);
  expect(await sent('/demo', 'person=0190a0a0-0000-7000-8000-000000000000', good)).toBe(400);
  expect(await sent('/', '', evil)).toBe(200);
});
