/** Pages that could not be read once are read again. */
import { readFile } from 'node:fs/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { documentHtml } from '../../src/http/document-html.ts';
import { fixture } from './fixture.ts';

vi.mock(import('node:fs/promises'), async (actual) => {
  const original = await actual();
  return { ...original, readFile: vi.fn<typeof readFile>(original.readFile) as typeof readFile };
});

const { app, close } = fixture();
afterAll(() => close());

it.each(['/docs/theme.css', '/docs/reference.js', '/docs/quick-start', '/docs/quick-start.md', '/docs/documents.css'])(
  '%s',
  async (url) => {
    const tooMany = Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
    vi.mocked(readFile).mockRejectedValueOnce(tooMany);
    expect((await app.inject({ url })).statusCode).toBe(500);
    vi.mocked(readFile).mockClear();
    expect((await app.inject({ url })).statusCode).toBe(200);
    expect((await app.inject({ url })).statusCode).toBe(200);
    expect(readFile).toHaveBeenCalledTimes(1);
  },
);

it('gives headings that come again ids of their own', () => {
  const page = documentHtml('a.md', '# One\n\n## Cafe\u0301\n\n## [One](b.md)\n', new Set(['a.md', 'b.md']));
  expect([...page.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)).toEqual(['one', 'cafe\u0301', 'one-1']);
});
