/** The documents over HTTP: as pages, as Markdown, and with links that lead somewhere. */
import { afterAll, describe, expect, it } from 'vitest';
import { projectFiles, textOf } from '../architecture/project-files.ts';
import { fixture } from './fixture.ts';

const { app, close } = fixture({ policies: { 'api:ip': { limit: 1, windowSeconds: 60 } } });
afterAll(() => close());

const documents = projectFiles('docs/**/*.md').map((path) => path.replace(/^docs\//, ''));
const get = (url: string, headers = {}) => app.inject({ url, headers });

/** The page of a document, by the address that its Markdown is at. */
async function pageOf(file: string): Promise<string> {
  const url = `/docs/${file.replace(/(^|\/)README\.md$/, '').replace(/\.md$/, '') || 'index'}`;
  const { statusCode, headers, body } = await get(url);
  expect([statusCode, headers['content-type']], url).toEqual([200, 'text/html; charset=utf-8']);
  return body;
}

describe.each(documents)('%s', (file) => {
  it('is served as it is, and as a page that takes nothing from elsewhere', async () => {
    const { statusCode, headers, body } = await get(`/docs/${file}`);
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(body).toBe(textOf(`docs/${file}`));
    const page = await pageOf(file);
    expect(page).toContain(`href="/docs/${file}"`);
    expect(page).not.toMatch(/<script>|style="|\son\w+="|src="https?:/);
  });

  it('has links and pictures that lead somewhere, with their anchors', async () => {
    const page = await pageOf(file);
    for (const [, address = ''] of page.matchAll(/(?:href|src)="(\/[^"]*)"/g)) {
      const [path = '', anchor] = address.split('#', 2);
      if (path === '/') continue; // the first page is for people, and needs a database
      const { statusCode, body } = await get(path);
      expect(statusCode, `${file}: ${address}`).toBe(200);
      if (anchor !== undefined) expect(body, `${file}: ${address}`).toContain(`id="${anchor}"`);
    }
  });
});

it('lists every page but decisions', async () => {
  const index = await pageOf('README.md');
  const pages = documents.filter((file) => !file.startsWith('decisions/') && file !== 'README.md');
  expect(pages.filter((file) => !index.includes(`href="/docs/${file.replace(/(\/README)?\.md$/, '')}"`))).toEqual([]);
});

it('shows commands, outputs and tables as they are written', async () => {
  const page = await pageOf('quick-start.md');
  expect(page).toContain('<title>Quick start · Kith</title>');
  expect(page).toMatch(/<pre tabindex="0"><code>[^<]*npm start\n/);
  expect(page).toMatch(/<pre tabindex="0" class="output"><code>/);
  expect(await pageOf('cli.md')).toMatch(/<div class="wide" tabindex="0"><table>\n<thead>/);
});

it('names what lies outside of the documents without a link to it', async () => {
  expect(textOf('docs/decisions/0001-type-stripping-and-platform-packages.md')).not.toContain('](../../src');
  expect(textOf('docs/manifest.md')).toMatch(/\]\(\.\.\/examples/);
  expect(await pageOf('manifest.md')).not.toContain('examples"');
});

it('is allowed nothing but files of this service', async () => {
  const { headers } = await get('/docs/quick-start');
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; " +
      "frame-ancestors 'none'; form-action 'none'",
  );
  expect((await get('/docs/quick-start', { 'if-none-match': headers['etag'] })).statusCode).toBe(304);
});

it('is found from the reference', async () => {
  expect((await get('/docs')).body).toContain('href="/docs/index"');
});

it('is one route, below which nothing else is found', async () => {
  expect(app.printRoutes({ commonPrefix: false })).not.toContain('quick-start');
  for (const [method, path, hint] of [
    ['GET', '/docs/nothing', ': /docs is the reference, and /docs/index lists the pages'],
    ['POST', '/docs/nothing', ': /docs is the reference, and /docs/index lists the pages'],
    ['GET', '/docs/rest/', ': the path is /docs/rest'],
    ['GET', '/docs/../package.json', undefined],
  ] as const) {
    const { statusCode, body } = await app.inject({ method, url: path });
    expect(statusCode, path).toBe(404);
    if (hint !== undefined) expect(JSON.parse(body).message).toBe(`There is nothing at ${method} ${path}${hint}`);
  }
  const posted = await app.inject({ method: 'POST', url: '/docs/quick-start' });
  expect([posted.statusCode, posted.headers['allow']]).toEqual([405, 'GET, HEAD']);
});
