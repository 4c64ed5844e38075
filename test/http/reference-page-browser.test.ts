/** `/docs` in a real browser, where there is one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import axe from 'axe-core';
import { createToken } from '../../src/provision/tokens.ts';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

const title = "document.querySelector('h1')?.textContent";
const status = "document.querySelector('#status').textContent";
const answered = "document.querySelector('.answer .code')";
const answer = "document.querySelector('.answer pre').textContent";

const deep = process.env['KITH_DEEP'] === '1';

let kith: TestKith;
let page: Page;

/** Gives the page a token, and waits until it shows what it has. */
async function enter(token: string) {
  await page.until(`!document.querySelector('#token-form button').disabled`);
  await page.evaluate(`document.querySelector('#token').value = ${JSON.stringify(token)};
    document.querySelector('#token-form').requestSubmit()`);
}

async function follow(id: string) {
  await page.evaluate(`document.querySelector('#list a[data-operation="${id}"]').click()`);
  await page.until(
    `location.pathname.endsWith('${id}') && document.querySelector('nav a[aria-current]').dataset.operation === '${id}'`,
  );
}

describe.skipIf(chromium === undefined)('the reference page (needs Chromium)', () => {
  let organization: TestOrganization;
  beforeAll(async () => {
    kith = await startKith();
    organization = await kith.organization();
    page = await openPage(chromium ?? '');
    await page.open(`${kith.url}/docs`);
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    await kith?.stop();
  });

  it('says how to get a token, and what is wrong with another', async () => {
    expect(await page.evaluate('document.body.innerText')).toContain('kith token create');
    expect(await page.evaluate(`document.querySelector('label[for=token]').textContent`)).toBe('API token');
    await enter('nonsense');
    await page.until(`${status}.includes('API tokens begin with svc_')`);
    await enter('ünïçødé');
    await page.until(`${status}.includes('This is not a token')`);
    expect(await page.evaluate(`sessionStorage.length`)).toBe(0);
  });

  it('shows the interface as the token has it', async () => {
    await enter(organization.admin.token);
    await page.until(`${title} === 'Quick start'`);
    expect(await page.evaluate(`document.querySelector('article').textContent`)).toContain(
      `Made for Ada Admin, who is an administrator: `,
    );
    expect(await page.evaluate(`document.querySelector('nav a[aria-current]').pathname`)).toBe('/docs');
    await follow('createContact');
    await page.until(`${title} === 'Create contact'`);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1');
    expect(await page.evaluate('document.title')).toBe('Create contact · Kith reference');
    expect(await page.evaluate(`Object.keys(localStorage).length`)).toBe(0);
  }, 30_000);

  it('keeps in the address what the form says, and begins with it', async () => {
    await page.evaluate(`location.hash = '#/listContacts?limit=3&search=anna'`);
    await page.until(`${title} === 'List contacts'`);
    expect(await page.evaluate(`document.querySelector('#p-limit').value`)).toBe('3');
    await page.evaluate(`{ const limit = document.querySelector('#p-limit'); limit.value = '7';
      limit.dispatchEvent(new Event('input', { bubbles: true })) }`);
    expect(await page.evaluate('location.pathname + location.search + location.hash')).toBe(
      '/docs/contacts/listContacts?limit=7&search=anna',
    );
    expect(await page.evaluate(`document.querySelector('aside pre').textContent`)).toBe(
      [
        `curl -G ${kith.url}/api/v1/records/contacts`,
        `-H "Authorization: Bearer $KITH_TOKEN"`,
        '--data-urlencode limit=7',
        '--data-urlencode search=anna',
      ].join(' \\\n  '),
    );
  });

  it('shows the same as a call of the client, which stays chosen', async () => {
    const press = (name: string) =>
      `[...document.querySelectorAll('aside .choice button')].find(({ textContent }) => textContent === '${name}').click()`;
    const call = `document.querySelector('aside pre').textContent.split('\\n\\n').at(-1)`;
    await page.evaluate(press('Client'));
    expect(await page.evaluate(`document.querySelector('aside pre').textContent`)).toBe(
      [
        `import { createClient } from 'kithcrm/client';`,
        ``,
        'const kith = createClient({',
        `  baseUrl: '${kith.url}',`,
        '  token: process.env.KITH_TOKEN,',
        '});',
        ``,
        `const answer = await kith.records.list('contacts', { limit: 7, search: 'anna' });`,
      ].join('\n'),
    );
    for (const [address, text] of [
      ['updateContact?id=1', `const answer = await kith.records.update('contacts', '1', `],
      ['getMe', 'const answer = await kith.me.get();'],
      [
        `listContacts?filters=${encodeURIComponent('{"type":"AND","conditions":[]}')}&fields=id,tags`,
        `const answer = await kith.records.list('contacts', {\n  filters: { type: 'AND', conditions: [] },\n  fields: ['id', 'tags'],\n});`,
      ],
      ['getNotificationsStream', 'for await (const { event, data } of kith.notifications.stream())'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${address}`)}`);
      await page.until(`${call}.startsWith(${JSON.stringify(text)})`);
    }
    await page.evaluate(press('curl'));
  });

  it('tries a write before it does it', async () => {
    await follow('createCompany');
    const send = "document.querySelector('.try').requestSubmit()";
    expect(await page.evaluate(`document.querySelector('.try .primary').textContent`)).toContain('Dry run');
    await page.evaluate(send);
    await page.until(`${answered} && ${answer}.includes('"created"')`);
    expect((await organization.admin.get('/records/companies')).json.total).toBe(0);
    await page.evaluate(`{ const trial = document.querySelector('#p-dry_run'); trial.value = '';
      trial.dispatchEvent(new Event('input', { bubbles: true })); document.querySelector('.answer').replaceChildren() }`);
    await page.evaluate(send);
    await page.until(`${answered} && ${answer}.includes('"created"')`);
    expect((await organization.admin.get('/records/companies')).json.total).toBe(1);
  });

  it('finds operations by their names and by the fields that they take', async () => {
    const found = async (text: string) => {
      await page.evaluate(`{ const search = document.querySelector('#search'); search.value = ${JSON.stringify(text)};
        search.dispatchEvent(new Event('input')) }`);
      return page.evaluate(
        `[...document.querySelectorAll('nav details:not([hidden]) li:not([hidden]) a')].map((a) => a.dataset.operation)`,
      );
    };
    expect(await found('trash purge contact')).toEqual(['purgeContactTrash']);
    expect(await found('annual_revenue put')).toEqual(['upsertCompany', 'updateCompany']);
    expect(await found('nonsense')).toEqual([]);
    expect(await page.evaluate(`document.querySelector('#found').textContent`)).toContain('No operation of that name');
    expect(await found('lisst contacts')).toEqual([]);
    expect(await page.evaluate(`document.querySelector('#found a').pathname`)).toBe('/docs/contacts/listContacts');
    await found('');
  });

  it('skips to the content without losing the place, and says when there is no such operation', async () => {
    await follow('getMe');
    await page.evaluate(`document.querySelector('.skip').click()`);
    expect(await page.evaluate('[document.activeElement.id, location.pathname]')).toEqual([
      'main',
      '/docs/identity-and-workspace/getMe',
    ]);
    await page.evaluate(`location.hash = '#/getNothing'`);
    await page.until(`${title} === 'There is no operation getNothing'`);
    await page.evaluate(`location.hash = '#/listContact'`);
    await page.until(`document.querySelector('article li a').pathname === '/docs/contacts/listContacts'`);
  });

  it('shows the rows of an answer as a table', async () => {
    await follow('listCompanies');
    await page.evaluate(`document.querySelector('.try').requestSubmit()`);
    await page.until(answered);
    await page.evaluate(
      `[...document.querySelectorAll('.answer .choice button')].find(({ textContent }) => textContent === 'Table').click()`,
    );
    const cells = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.answer th, .answer td')].map(({ textContent }) => textContent)`,
    );
    expect(cells).toEqual(expect.arrayContaining(['id', 'name', 'created_by', 'Ada Admin']));
  });

  it.each([
    [1440, 'light'],
    [1024, 'dark'],
    [360, 'light'],
    [360, 'dark'],
  ] as const)('fits a window of %i pixels, %s, and has nothing that axe finds wrong', async (width, scheme) => {
    await page.look(width, 800, scheme);
    await page.evaluate(`{ ${axe.source} }`);
    for (const id of ['', 'createOpportunity', 'importCompanies', 'listContacts']) {
      await follow(id);
      if (id === 'listContacts') {
        await page.evaluate(`document.querySelector('.try').requestSubmit()`);
        await page.until(answered);
      }
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), id).toBe(true);
      expect(await page.evaluate(violations()), id).toEqual([]);
    }
    await page.look(1280, 900, 'light');
  });

  it('shows it again after a reload, and no more once the token is forgotten', async () => {
    await page.open(`${kith.url}/`);
    await page.open(`${kith.url}/docs#/getMe`);
    await page.until(`${title} === 'Get me'`);
    await page.evaluate(`document.querySelector('#forget').click()`);
    expect(
      await page.evaluate(`[sessionStorage.length, document.querySelectorAll('#operations a').length > 0
        && document.querySelector('#menu').hidden, document.querySelector('#token').value, location.pathname]`),
    ).toEqual([0, true, '', '/docs']);
  }, 30_000);

  it('asks nobody else, and breaks no rule of its policy', () => {
    expect(page.requests.length).toBeGreaterThan(4);
    expect(page.requests.filter((url) => !url.startsWith(kith.url))).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  it('runs nothing that stands in a label', async () => {
    const label = `<img src="/nowhere" onerror="document.title='owned'"><script>document.title='owned'</script>`;
    const fields = [{ name: 'name', label, type: 'TEXT', isRequired: true }];
    const objects = [{ name: 'traps', label, labelSingular: label, displayField: 'name', fields }];
    expect((await organization.admin.post('/manifest', { objects })).status).toBe(200);
    const { paths } = (await organization.admin.get('/openapi.json')).json;
    const id = paths['/api/v1/records/traps'].post.operationId;
    await enter(organization.admin.token);
    await page.until(`document.querySelector('nav a[data-operation="${id}"]')`);
    await follow(id);
    expect(await page.evaluate(`document.querySelector('article').textContent`)).toContain('<img src="/nowhere"');
    expect(await page.evaluate('document.title')).toContain('Kith reference');
    expect(
      await page.evaluate(`document.querySelectorAll('article img, article script, nav img[onerror]').length`),
    ).toBe(0);
  }, 30_000);
});

/** Who is neither signed in nor has a good token is told so: nothing else may fail. */
const complaints = () => page.complaints.filter((text) => !text.includes('401'));

/** What axe finds wrong with the page. */
const violations =
  () => `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], resultTypes: ['violations'] })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 160))))`;

/** The pages of the other objects are made in the same way: they are looked at in the deep run. */
const sampled = ['contacts', 'opportunities'];

describe.skipIf(chromium === undefined)('every operation of the demo (needs Chromium)', () => {
  interface Described {
    readonly operationId: string;
    readonly parameters: readonly object[];
    readonly requestBody?: object;
  }
  let operations: readonly (Described & { readonly address: string })[];
  beforeAll(async () => {
    kith = await startKith({ KITH_DEMO: 'on' });
    const [organization] = await kith.deps.directory.organizations();
    const { token } = await createToken(kith.deps, organization?.id ?? '', { email: 'ada@acme.example', name: 'page' });
    const { paths } = (await kith.client(token).get('/openapi.json')).json as {
      paths: Record<string, Record<string, Described>>;
    };
    const objects = Object.keys(paths).flatMap((path) => /^\/api\/v1\/records\/(\w+)$/.exec(path)?.[1] ?? []);
    const others = objects.filter((name) => !sampled.includes(name));
    operations = Object.entries(paths)
      .filter(([path]) => deep || !path.split('/').some((part) => others.includes(part)))
      .flatMap(([path, item]) =>
        Object.entries(item).map(([method, operation]) => ({
          ...operation,
          address: `${method.toUpperCase()} ${path}`,
        })),
      );
    page = await openPage(chromium ?? '');
    await page.open(`${kith.url}/docs`);
    await enter(token);
    await page.until(`${title} === 'Quick start'`);
  }, 240_000);
  afterAll(async () => {
    await page?.close();
    await kith?.stop();
  });

  it('has its page, with a control for each parameter and for the body, and everything in it unfolds', async () => {
    expect(operations.length).toBeGreaterThan(60);
    for (const { operationId, address, parameters, requestBody } of operations) {
      await follow(operationId);
      expect(await page.evaluate(`document.querySelector('.address').textContent`)).toBe(address);
      const controls = await page.evaluate(
        `[...document.querySelectorAll('.try :is(input, select, textarea)')].filter(({ labels }) => labels.length === 1).length`,
      );
      expect(controls, operationId).toBe(parameters.length + (requestBody ? 1 : 0));
      if (requestBody) {
        const keys = "document.querySelectorAll('.try .keys > li').length";
        expect(await page.evaluate(keys), operationId).toBeGreaterThan(0);
        expect(await page.evaluate(`document.querySelector('#body').checkValidity()`), operationId).toBe(true);
      }
      // Those within those that were unfolded, too: a filter group holds filter groups.
      for (let depth = 0; depth < 3; depth++)
        await page.evaluate(`document.querySelectorAll('details:not([open])').forEach((one) => (one.open = true))`);
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      expect(complaints(), operationId).toEqual([]);
    }
  }, 240_000);

  it('answers what its form begins with', async () => {
    const ready = operations.filter(
      // The others need the id of something that is there, a field to match by, a host, or a signed-in person; and there are no meetings.
      ({ operationId }) =>
        /^(list(?!Meetings|ListEntries|WebhookDeliveries|Tokens|Invitations|ConnectedApps)|create(?!Subscription|Note|Task|List|View|Webhook|Chart|Token|Invitation)|export|aggregate|batch(?!Upsert))/.test(
          operationId,
        ),
    );
    expect(ready.length).toBeGreaterThan(20);
    for (const { operationId } of ready) {
      await follow(operationId);
      await page.evaluate(`document.querySelector('.try').requestSubmit()`);
      await page.until(answered);
      expect(await page.evaluate(`document.querySelector('.answer strong').textContent`), operationId).toBe('200 OK');
    }
    expect(complaints()).toEqual([]);
  }, 240_000);
});
