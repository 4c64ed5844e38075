/** What a browser gets at an address that nothing is at; programs get what they always get. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type TestKith } from '../support/kith.ts';

let kith: TestKith;
beforeAll(async () => void (kith = await startKith()));
afterAll(() => kith.stop());

/** As browsers say it. */
const reader = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

const open = (path: string, headers: Readonly<Record<string, string>> = reader) =>
  fetch(kith.url + path, { headers, redirect: 'manual' });

it.each([
  ['/docs/', '/docs'],
  ['/docs/quick-start/', '/docs/quick-start'],
  ['/docs/rest/lists/', '/docs/rest/lists'],
  ['/home/', '/home'],
  ['/signin/?next=%2Fhome', '/signin?next=%2Fhome'],
  ['/r/contacts/', '/r/contacts'],
  ['/r/contacts/?f=%7B%7D&x=//evil.test/', '/r/contacts?f=%7B%7D&x=//evil.test/'],
  ['/settings/tokens/', '/settings/tokens'],
])('leads from %s to the page', async (path, location) => {
  const answer = await open(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
});

it.each([
  '/nothing-here',
  '/nothing-here/',
  '/docs/nothing-here',
  '/docs//',
  '/home//',
  '//evil.test/',
  '//evil.test/home/',
  '/\\evil.test/',
  '/%2fevil.test/',
])('says in a page that nothing is at %s', async (path) => {
  const answer = await open(path);
  expect([answer.status, answer.headers.get('location')]).toEqual([404, null]);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(await answer.text()).toMatch(/<h1>Nothing is here<\/h1>[^]*<a href="\/">the first page<\/a>/);
});

it('writes what was asked for as text', async () => {
  const text = await (await open('/<script>alert(1)</script>')).text();
  expect(text).not.toContain('<script>alert');
});

it('leaves programs what they had', async () => {
  const hint = { code: 'NOT_FOUND', message: 'There is nothing at GET /docs/: the path is /docs' };
  for (const headers of [{ accept: '*/*' }, { accept: 'application/json' }]) {
    const answer = await open('/docs/', headers);
    expect([answer.status, await answer.json()]).toEqual([404, hint]);
  }
  for (const path of ['/api/v1/nothing/', '/api/nothing', '/mcp/']) {
    const answer = await open(path);
    expect(answer.status, path).toBe(404);
    expect(await answer.json(), path).toMatchObject({ code: 'NOT_FOUND' });
  }
  const posted = await fetch(`${kith.url}/nothing-here`, { method: 'POST', headers: reader });
  expect([posted.status, await posted.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
});
