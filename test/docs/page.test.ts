/** What the blocks of all pages are, and how requests and answers are read; `pages.test.ts` runs them. */
import { expect, it } from 'vitest';
import { projectFiles, textOf } from '../architecture/project-files.ts';
import { blocksOf } from './page.ts';
import { curlOf, laidOut } from './request.ts';

it('has no block that a test neither runs nor is told to leave out, and starts in one way', () => {
  const all = projectFiles('*.md', 'docs/**/*.md').flatMap((path) =>
    blocksOf(textOf(path)).map((block) => ({ path, ...block })),
  );
  const unmarked = all.filter(({ kind }) => kind === 'unmarked').map(({ path, body }) => `${path}: ${body}`);
  expect(unmarked).toEqual([]);
  const starts = all.filter(({ kind }) => kind === 'start').map(({ body }) => body);
  expect([...new Set(starts)]).toEqual(['npm install\nnpm start\n']);
  const left = all.filter(({ kind }) => kind === 'not run').map(({ path, detail }) => `${path}: ${detail}`);
  expect([...Map.groupBy(left, (line) => line)].map(([line, { length }]) => `${length} in ${line}`)).toEqual([
    '1 in CONTRIBUTING.md: these are the tests',
    '1 in docs/agent-stream.md: there is no such model',
    '1 in docs/agent-stream.md: the tokens are made by a conversation',
    '6 in docs/citus.md: needs a Citus cluster',
    '1 in docs/client.md: the path is yours',
    '1 in docs/configuration.md: needs a superuser of PostgreSQL',
    '1 in docs/extension-sessions.md: it is for a browser',
    '1 in docs/import.md: these files are examples',
    '9 in docs/mailboxes.md: needs a mail server',
    '2 in docs/mailboxes.md: needs a server of calendars',
    '1 in docs/messengers.md: needs an account at the provider',
    '1 in docs/messengers.md: needs a bot',
    '1 in docs/messengers.md: needs a number',
    '2 in docs/messengers.md: needs an account',
    "1 in docs/oauth.md: it is typed into an agent's program",
    '1 in docs/operating.md: needs systemd',
    '1 in docs/operating.md: needs Prometheus',
    '1 in docs/operating.md: needs a Redis',
    '1 in docs/recipes/README.md: the folder is yours',
    '1 in docs/recipes/nightly-export.md: needs cron',
    '2 in docs/rest/audit.md: it is what that prints',
    '1 in docs/rest/errors.md: what is left is another each time',
    '1 in docs/rest/following.md: it goes on for as long as somebody listens',
    '1 in docs/rest/following.md: it is what that sends',
    '1 in docs/rest/notifications.md: it goes on for as long as somebody listens',
    '1 in docs/rest/notifications.md: it is what that sends',
    '1 in docs/rest/webhooks.md: it is what a receiver gets',
    '21 in docs/tools.md: arguments of the tool', // tried by test/tools/page
  ]);
});

it('has a page for each script that makes what a page is about', () => {
  const scripts = projectFiles('examples/pages/*.sh').filter((path) => !path.endsWith('/all.sh'));
  expect(scripts.length).toBeGreaterThan(10);
  for (const path of scripts) {
    const page = path.replace(/^examples\/pages\/(.*)\.sh$/, 'docs/rest/$1.md');
    expect(
      blocksOf(textOf(page)).some(({ kind, body }) => kind === 'run' && body === `. ${path}\n`),
      path,
    ).toBe(true);
  }
});

it.each([
  ['```\nls\n```\n', 'unmarked', ''],
  ['```sh\nls\n```\n', 'unmarked', ''],
  ['```sh runs\nls\n```\n', 'unmarked', ''],
  ['  ```sh not run:\n  ls\n  ```\n', 'unmarked', ''],
  ['```sh not run: needs a printer\nlp\n```\n', 'not run', 'needs a printer'],
  ['```yaml file=roles.yaml\nroles: []\n```\n', 'file', 'roles.yaml'],
  ['```http fails\nGET /api/v1\n```\n', 'fails', ''],
])('knows what the block %j is', (page, kind, detail) => {
  expect(blocksOf(page)).toEqual([expect.objectContaining({ kind, detail })]);
});

it('sends a request as it is written', () => {
  expect(curlOf('PATCH /api/v1/records/companies/$ID\nIf-Match: "x"\n\n{ "name": "Acme" }\n')).toBe(
    `curl -g --oauth2-bearer "$KITH_TOKEN" -X PATCH -H 'Content-Type: application/json' -H 'If-Match: "x"' ` +
      `--data-binary @- "http://127.0.0.1:3000/api/v1/records/companies/$ID" <<END_OF_BODY\n{ "name": "Acme" }\nEND_OF_BODY\n`,
  );
  expect(curlOf('POST /api/v1/me\n\n"\\`$ID"')).toContain('<<END_OF_BODY\n"\\\\\\`$ID"\n');
  expect(() => curlOf('records/companies')).toThrow('Not the first line of a request: records/companies');
});

it('lays an answer out in lines that fit, with every digit', () => {
  const long = 'a'.repeat(100);
  expect(laidOut('{"total":1.50,"data":[]}')).toBe('{ "total": 1.50, "data": [] }\n');
  expect(laidOut(`{"a":{"b":"${long}"},"c":{}}`)).toBe(`{\n  "a": { "b": "${long}" },\n  "c": {}\n}\n`);
  expect(laidOut('not JSON\n')).toBe('not JSON\n');
});
