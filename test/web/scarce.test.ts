/** Roles that see almost nothing: no page, no answer to the browser, and no palette tells of the rest; each page says why it is empty. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium } from '../support/browser.ts';
import { beside } from './beside.ts';
import { generalPages, settingPages } from './addresses.ts';
import { openStage, type Stage } from './stage.ts';

type Client = Awaited<ReturnType<typeof beside>>;

const quiet = `document.querySelector('main h1') && !document.querySelector('main [aria-busy=true]')`;
/** In every name, label and text that the roles below do not see, and in nothing else. */
const secret = 'zorkmid';
const nothing = { view: 'none', create: false, update: 'none', delete: 'none' };
const pages = [...generalPages, '/agents?by=people', '/settings', ...settingPages];

describe.skipIf(chromium === undefined)('roles that see almost nothing (need Chromium)', () => {
  let stage: Stage;
  let ada: Client;
  let hana = '';
  /** Of what is hidden: pages that a link may lead to. */
  let hidden: readonly string[] = [];
  let company = '';

  const post = async (path: string, body: object) => {
    const { status, json } = await ada('POST', path, body as Record<string, unknown>);
    expect([200, 201], `${path} ${JSON.stringify(json)}`).toContain(status);
    return json;
  };

  beforeAll(async () => {
    stage = await openStage(chromium ?? '');
    ada = await beside(stage.kith.url, 'Ada');
    const schema = (await ada('GET', '/schema/companies')).json;
    const names: string[] = schema.fields.map(({ name }: { name: string }) => name);
    const hiding = Object.fromEntries(
      [...names, `${secret}_field`]
        .filter((name) => !['name', 'industry'].includes(name))
        .map((name) => [name, 'none']),
    );
    await post('/manifest', {
      objects: [
        { name: 'companies', fields: [{ name: `${secret}_field`, label: `The ${secret} field`, type: 'TEXT' }] },
        {
          name: `${secret}s`,
          label: `Many ${secret}`,
          labelSingular: `One ${secret}`,
          displayField: 'title',
          fields: [
            { name: 'title', type: 'TEXT' },
            {
              name: 'company_id',
              type: 'RELATION',
              relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' },
            },
            { name: 'kind', type: 'SELECT', options: [{ value: 'one', label: `Option ${secret}` }] },
            { name: 'step', type: 'PIPELINE' },
          ],
        },
      ],
      pipelines: [
        {
          name: `Pipeline ${secret}`,
          objectName: `${secret}s`,
          isDefault: true,
          steps: [{ name: `Step ${secret}`, kind: 'ongoing' }],
        },
      ],
      roles: [
        { name: 'Glimpse', permissions: { '*': nothing, companies: { ...nothing, view: 'all', fields: hiding } } },
        { name: 'Blind', permissions: { '*': nothing } },
      ],
    });
    const made = await post('/records/companies', {
      name: 'Seen at all',
      industry: 'Software',
      [`${secret}_field`]: secret,
      description: secret,
    });
    company = made.id;
    const contact = await post('/records/contacts', { last_name: `Person ${secret}`, company_id: company });
    const thing = await post(`/records/${secret}s`, { title: `Thing ${secret}`, company_id: company, kind: 'one' });
    await post('/tasks', { title: `Task ${secret}`, linked_entities: [{ id: contact.id, type: 'contacts' }] });
    await post('/notes', {
      content: `Note ${secret}`,
      entity_type: 'companies',
      entity_id: company,
      data: { visibility: 'workspace' },
    });
    await post('/views', { object_name: `${secret}s`, name: `View ${secret}`, is_shared: true });
    await post('/views', {
      object_name: 'companies',
      name: 'Shared',
      is_shared: true,
      columns: ['name', `${secret}_field`],
      filters: { type: 'AND', conditions: [{ field: `${secret}_field`, operator: 'equals', value: secret }] },
    });
    hidden = [
      '/r/contacts',
      `/r/contacts/${contact.id}`,
      `/r/${secret}s`,
      `/r/${secret}s/${thing.id}`,
      '/r/contacts/trash',
      '/duplicates/contacts',
      '/tasks?show=all',
    ];
    const people = (await ada('GET', '/users')).json.data as readonly { readonly id: string; readonly name: string }[];
    hana = people.find(({ name }) => name.startsWith('Hana'))?.id ?? '';
  });
  afterAll(() => stage?.stop());

  /** Walks the pages, and gives of each what it should not have: what is hidden, refusals, a page without a word. */
  const walk = async (paths: readonly string[]) => {
    const { page } = stage;
    const found: Record<string, unknown> = {};
    for (const path of paths) {
      const before = (await page.answers()).length;
      await stage.go(path);
      await page.until(quiet);
      await page.evaluate(`new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve)))`);
      await page.until(quiet);
      const told: string[] = [];
      // An address that names a thing is the reader's own.
      const isNamed = path.includes(secret);
      const html = await page.evaluate<string>(`document.documentElement.outerHTML.toLowerCase()`);
      if (!isNamed && html.includes(secret))
        told.push(`shows ${html.slice(html.indexOf(secret) - 80, html.indexOf(secret) + 20)}`);
      for (const { url, status, text } of (await page.answers()).slice(before)) {
        const at = text.toLowerCase().indexOf(secret);
        if (at >= 0 && !isNamed) told.push(`${url} tells ${text.slice(Math.max(0, at - 80), at + 20)}`);
        if (status >= 400) told.push(`${url} is refused: ${status}`);
      }
      if (await page.evaluate<boolean>(`document.querySelector('main').innerText.trim().split(/\\s+/).length < 4`))
        told.push('says nothing');
      if (told.length > 0) found[path] = told;
    }
    return found;
  };

  const palette = async () => {
    const { page } = stage;
    await page.press('Control+k');
    await page.until(`document.activeElement.closest('[role=dialog]')`);
    await page.type(secret.slice(0, 5));
    await stage.sees('Nothing');
    expect(await page.evaluate(`document.querySelectorAll('[role=dialog] [role=option]').length`)).toBe(0);
    await page.press('Escape');
  };

  it('show one object with two fields, and nothing else', async () => {
    expect((await ada('PUT', `/users/${hana}`, { role: 'Glimpse' })).status).toBe(200);
    await stage.enter('Hana', '/home');
    const { page } = stage;
    expect(await walk(['/r/companies', `/r/companies/${company}`, ...pages])).toEqual({});
    await stage.go('/r/companies');
    await stage.sees('Seen at all');
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('[role=columnheader]')].map((one) => one.innerText.trim()).filter(Boolean)`,
      ),
    ).toEqual(['Name', 'Industry']);
    expect(
      await page.evaluate(`[...document.querySelectorAll('nav a[href^="/r/"]')].map((link) => link.pathname)`),
    ).toEqual(['/r/companies']);
    await palette();
    // What is looked through is there.
    expect((await page.answers()).filter(({ text }) => text.length > 10).length).toBeGreaterThan(50);
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('show no object at all, and each page says so', async () => {
    expect((await ada('PUT', `/users/${hana}`, { role: 'Blind' })).status).toBe(200);
    // What pages asked for when they were opened last is asked for ahead, in the former role for the last time.
    await stage.page.evaluate('localStorage.clear()');
    await stage.enter('Hana', '/home');
    expect(await walk([...pages, '/r/companies', `/r/companies/${company}`])).toEqual({});
    await palette();
    await stage.go('/home');
    await stage.sees('There is nothing here yet that your role sees.');
    const places = await stage.page.evaluate<string[]>(
      `[...document.querySelectorAll('nav li a')].map((link) => link.pathname)`,
    );
    expect(places).not.toContain('/tasks');
    expect(places).not.toContain('/import');
    await stage.expectAccessible();
    stage.expectQuiet();
  });

  it('say the same of what is hidden as of what is not there', async () => {
    expect(await walk(hidden)).toEqual({});
    stage.expectQuiet();
  });
});
