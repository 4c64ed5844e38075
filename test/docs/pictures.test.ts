/** The pictures of the pages, taken anew of a whole demo where the documents are written anew: three widths, light and dark. */
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { demoCounts } from '../demo/demo-counts.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { createOrganization } from '../../src/provision/create-organization.ts';
import { createLinks } from '../../src/signin/links.ts';
import { redirectUri, register } from '../oauth/app.ts';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { startKith, type TestKith } from '../support/kith.ts';

const folder = 'docs/pictures';

interface Shot {
  readonly name: string;
  readonly path: string | ((kith: TestKith) => Promise<string>);
  /** Who comes in before; that person stays in. */
  readonly as?: string;
  /** What is done on the page before; then `until` is true. */
  readonly act?: string;
  readonly until?: string;
  /** What is done when its pictures are taken. */
  readonly after?: string;
}

const shows = (title: string) => `document.querySelector('h1')?.textContent === '${title}'`;
/** Presses the button that has this text. */
const presses = (text: string) =>
  `[...document.querySelectorAll('button')].find((one) => one.textContent === '${text}').click()`;

/** Nothing of the application is on its way any more. */
const isLoaded = `document.querySelector('#main') && document.querySelector('#main').innerText.length > 5 && !document.querySelector('[aria-busy=true]')`;

/** In this order. */
const shots: readonly Shot[] = [
  { name: 'first', path: '/' },
  { name: 'sign-in', path: '/signin' },
  { name: 'sign-up', path: '/signup' },
  { name: 'invitation', path: invitation },
  { name: 'reference-token', path: '/docs' },
  { name: 'home', path: '/', as: 'Diego' },
  { name: 'organization-choice', path: '/signin/organization', as: 'Ada' },
  // Allowed then, so that there is an app; nobody listens where it leads.
  { name: 'consent', path: consent, after: presses('Allow') },
  { name: 'settings', path: '/settings', until: isLoaded },
  { name: 'keyboard', path: '/settings/keyboard', until: isLoaded },
  { name: 'accounts', path: '/settings/accounts', until: isLoaded },
  { name: 'tokens', path: '/settings/tokens', until: isLoaded },
  { name: 'apps', path: '/settings/apps', until: isLoaded },
  { name: 'organization', path: '/settings/organization', until: isLoaded },
  { name: 'people', path: '/settings/people', until: isLoaded },
  { name: 'roles', path: '/settings/roles', until: isLoaded },
  { name: 'audit', path: '/settings/audit', until: isLoaded },
  { name: 'reference', path: '/docs', until: shows('Quick start') },
  {
    name: 'reference-operation',
    path: '/docs/contacts/listContacts?limit=3&fields=full_name,job_title,company_id',
    until: `${shows('List contacts')} && !document.querySelector('.try .primary').disabled`,
    act: `document.querySelector('.try').requestSubmit()`,
  },
  // The application, as an administrator sees it.
  { name: 'app-home', path: '/home', as: 'Ada', until: isLoaded },
  { name: 'app-contacts', path: '/r/contacts', until: isLoaded },
  {
    name: 'app-filter',
    path: '/r/contacts?f=%7B%22type%22%3A%22AND%22%2C%22conditions%22%3A%5B%7B%22field%22%3A%22company_id.industry%22%2C%22operator%22%3A%22equals%22%2C%22value%22%3A%22software%22%7D%2C%7B%22field%22%3A%22emails%22%2C%22operator%22%3A%22is_not_empty%22%7D%5D%7D',
    until: isLoaded,
  },
  { name: 'app-board', path: '/r/opportunities?layout=board&group=pipeline', until: isLoaded },
  { name: 'app-tasks', path: '/tasks', until: isLoaded },
  { name: 'app-inbox', path: '/inbox', until: isLoaded },
  { name: 'app-calendar', path: '/calendar', until: isLoaded },
  { name: 'app-notifications', path: '/notifications', until: isLoaded },
  { name: 'app-dashboards', path: '/dashboards', until: isLoaded },
  { name: 'app-lists', path: '/lists', until: isLoaded },
  { name: 'app-duplicates', path: '/duplicates', until: isLoaded },
  { name: 'app-import', path: '/import', until: isLoaded },
  { name: 'app-agents', path: '/agents', until: isLoaded },
  { name: 'app-record', path: record, until: isLoaded },
];

const sizes = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
const schemes = ['light', 'dark'] as const;

const fileOf = (name: string, width: number, scheme: string) => `${folder}/${name}-${width}-${scheme}.webp`;
const files = shots.flatMap(({ name }) =>
  sizes.flatMap(([width]) => schemes.map((scheme) => fileOf(name, width, scheme))),
);

/** Ada has another organization, so that there is a choice. */
async function makeAnother({ deps }: TestKith) {
  await createOrganization(deps, {
    name: 'Lindqvist Advisory',
    adminName: 'Ada Lindqvist',
    adminEmail: 'ada@acme.example',
  });
}

async function invitation({ deps, database }: TestKith): Promise<string> {
  const demo = await deps.directory.demo();
  if (!demo) throw new Error('There is no demo');
  const users = identifier(demo.schema, '_users');
  const query = sql`select r.id, u.id from ${users} u, ${identifier(demo.schema, '_roles')} r
    where u.email = 'ada@acme.example' and r.name = 'Member'`;
  const [found] = (await database.database.run(demo.id, statement(query))).rows;
  const [roleId = '', invitedBy = ''] = found?.map(String) ?? [];
  const { secret } = await createLinks(database.database, deps.clock).make({
    purpose: 'invitation',
    email: 'grace@navy.example',
    invitation: { organizationId: demo.id, roleId, invitedBy },
  });
  return `/invite?token=${secret}`;
}

/** A deal with a company, notes and tasks around it. */
async function record({ deps, database }: TestKith): Promise<string> {
  const demo = await deps.directory.demo();
  if (!demo) throw new Error('There is no demo');
  const query = sql`select c.id from ${identifier(demo.schema, 'companies')} c
    join ${identifier(demo.schema, 'opportunities')} o on o.company_id = c.id
    where c.deleted_at is null group by c.id order by count(*) desc, c.id limit 1`;
  const [found] = (await database.database.run(demo.id, statement(query))).rows;
  return `/r/companies/${found?.[0]}`;
}

async function consent({ url }: TestKith): Promise<string> {
  const { json } = await register(url, { client_name: 'Notebook', redirect_uris: [redirectUri] });
  const asked = new URLSearchParams({
    client_id: json.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  });
  return `/oauth/authorize?${asked.toString()}`;
}

async function comeIn(page: Page, url: string, name: string) {
  await page.open(`${url}/`);
  await page.evaluate(`setTimeout(() => ${presses(`Look around as ${name}`)})`);
  const isIn = () => page.evaluate(`document.body.innerText.includes('You look as ${name}')`).catch(() => false);
  await expect.poll(isIn, { timeout: 20_000 }).toBe(true);
}

async function take(page: Page, kith: TestKith, { name, path, as, act, until, after }: Shot) {
  if (as !== undefined) await comeIn(page, kith.url, as);
  await page.look(...sizes[0], 'light');
  // Of the reference another place is no other page.
  await page.open(`${kith.url}/signin`);
  await page.open(kith.url + (typeof path === 'string' ? path : await path(kith)));
  if (until !== undefined) await page.until(until);
  if (act !== undefined) {
    await page.evaluate(act);
    await page.until(`document.querySelector('.answer .code')`);
  }
  await page.evaluate('document.fonts.ready.then(() => true)');
  for (const [width, height] of sizes)
    for (const scheme of schemes) {
      await page.look(width, height, scheme);
      await page.evaluate('scrollTo(0, 0)');
      writeFileSync(fileOf(name, width, scheme), await page.screenshot('webp', 60));
    }
  if (after !== undefined) {
    await page.evaluate(`setTimeout(() => ${after})`);
    await page.until(`location.href.startsWith('chrome-error:')`).catch(() => {});
  }
}

async function takeAll(program: string) {
  const kith = await startKith({ KITH_DEMO: 'on', PORT: '3000' });
  const page = await openPage(program);
  try {
    const unfilled = async () => (await demoCounts(kith.database.database)).unfilled;
    await expect.poll(unfilled, { timeout: 500_000, interval: 1_000 }).toBe(0);
    await makeAnother(kith);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const shot of shots) await take(page, kith, shot);
  } finally {
    await page.close();
    await kith.stop();
  }
}

it('the pictures are there, and small together, and docs/pages.md has all of them', { timeout: 900_000 }, async () => {
  if (process.env['KITH_WRITE_DOCS'] === '1' && chromium !== undefined) await takeAll(chromium);
  const taken = globSync(`${folder}/*`).map((file) => file.replaceAll('\\', '/'));
  expect(taken.toSorted()).toEqual(files.toSorted());
  expect(taken.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(6_000_000);
  const page = readFileSync('docs/pages.md', 'utf8');
  expect(files.filter((file) => !page.includes(`(${file.replace('docs/', '')})`))).toEqual([]);
});
