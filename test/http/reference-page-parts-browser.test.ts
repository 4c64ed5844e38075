/** What the reference page makes of an operation, in a real browser: calls of tools, filters built by hand, errors, and how writes are kept. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import axe from 'axe-core';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

const title = "document.querySelector('h1')?.textContent";
const request = "document.querySelector('aside pre').textContent";
const notes = "document.querySelector('aside .code + .hint').textContent";
const filters = "document.querySelector('#p-filters').value";

let kith: TestKith;
let organization: TestOrganization;
let page: Page;

/** Opens an operation by its address, as a link from elsewhere does. */
async function open(address: string, heading: string) {
  await page.open(`${kith.url}/docs/${address}`);
  await page.until(`${title} === ${JSON.stringify(heading)}`);
}

const press = (selector: string, text: string) =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.textContent === ${JSON.stringify(text)}).click()`,
  );

const fill = (selector: string, value: string) =>
  page.evaluate(`{ const control = document.querySelector(${JSON.stringify(selector)}); control.value = ${JSON.stringify(value)};
    control.dispatchEvent(new Event('input', { bubbles: true })) }`);

/** What the page sends and is answered. */
async function send(selector = '.try .primary') {
  await page.evaluate(`document.querySelector('.answer').replaceChildren()`);
  await page.click(selector);
  await page.until("document.querySelector('.answer strong')");
  return {
    status: await page.evaluate<string>("document.querySelector('.answer strong').textContent"),
    json: JSON.parse(await page.evaluate<string>("document.querySelector('.answer pre').textContent")),
  };
}

/** What the endpoint of agents answers to the message that the page shows. */
async function calledByAgent() {
  const response = await fetch(`${kith.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${organization.admin.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: await page.evaluate<string>(request),
  });
  const [, message = ''] = /^data: (.+)$/m.exec(await response.text()) ?? [];
  // oxlint-disable-next-line typescript/no-explicit-any -- of several tools
  const { result } = JSON.parse(message) as { result: { isError?: boolean; structuredContent: any } };
  expect(result.isError, JSON.stringify(result)).not.toBe(true);
  return result.structuredContent;
}

describe.skipIf(chromium === undefined)('the parts of an operation (need Chromium)', () => {
  beforeAll(async () => {
    kith = await startKith({ KITH_RATE_LIMITS: 'on' });
    organization = await kith.organization();
    const records = ['Globex', 'Initech', 'Umbrella'].map((name) => ({ name, industry: 'software' }));
    await organization.admin.post('/records/companies/batch/create', { records });
    page = await openPage(chromium ?? '');
    await page.open(`${kith.url}/docs/companies/listCompanies?limit=2`);
    // Whoever signs in comes back to where the link led; the script says so when it is there.
    await page.until(
      "document.querySelector('#welcome a').search === '?next=%2Fdocs%2Fcompanies%2FlistCompanies%3Flimit%3D2'",
    );
    await fill('#token', organization.admin.token);
    await page.evaluate("document.querySelector('#token-form').requestSubmit()");
    await page.until(`${title} === 'List companies'`);
  }, 60_000);
  afterAll(async () => {
    await page?.close();
    await kith?.stop();
  });

  it('opens where a link leads, with what it says of the form, and goes back', async () => {
    expect(await page.evaluate("document.querySelector('#p-limit').value")).toBe('2');
    await page.evaluate(`document.querySelector('#list a[data-operation="createContact"]').click()`);
    await page.until(`${title} === 'Create contact'`);
    expect(await page.evaluate('location.pathname')).toBe('/docs/contacts/createContact');
    await page.evaluate('history.back()');
    await page.until(`${title} === 'List companies'`);
    expect(await page.evaluate('location.search')).toBe('?limit=2');
    await page.open(`${kith.url}/docs/companies/listCompanie`);
    await page.until("document.querySelector('article li a')?.pathname === '/docs/companies/listCompanies'");
    // Those of earlier versions are good still.
    await page.open(`${kith.url}/docs#/getMe`);
    await page.until("location.pathname === '/docs/identity-and-workspace/getMe' && location.hash === ''");
  }, 30_000);

  it('shows the call of a tool that answers the same', async () => {
    await open('companies/listCompanies?search=init&fields=id,name', 'List companies');
    await press('aside .choice button', 'Agent');
    expect(JSON.parse(await page.evaluate(request)).params).toEqual({
      name: 'crm_find_records',
      arguments: { object_name: 'companies', search: 'init', fields: ['id', 'name'] },
    });
    const { json } = await send();
    expect(json.total).toBe(1);
    expect(await calledByAgent()).toEqual(json);

    await open('companies/getCompany', 'Get company');
    await press('aside .choice button', 'Agent');
    await fill('#p-id', json.data[0].id);
    expect((await calledByAgent()).record.name).toBe('Initech');
  }, 30_000);

  it('shows the call of a tool for a body, also where several of a tool do the operation', async () => {
    await open('companies/createCompany', 'Create company');
    await press('aside .choice button', 'Agent');
    await fill('#body', '{"name":"Hooli","industry":"software"}');
    expect(await page.evaluate(notes)).toBe('A tool has no dry run: this call writes.');
    const { id } = await calledByAgent();
    expect((await organization.admin.get(`/records/companies/${id}`)).json.record.name).toBe('Hooli');

    await page.evaluate(`document.querySelector('#list a[data-operation="updateBulk"]').click()`);
    await page.until(`${title} === 'Update bulk'`);
    await fill(
      '#body',
      JSON.stringify({
        action: 'update_field',
        object_name: 'companies',
        record_ids: [id],
        field_name: 'name',
        field_value: 'Hooli XYZ',
      }),
    );
    expect(JSON.parse(await page.evaluate(request)).params.arguments.action).toBe('update_field');
    expect((await calledByAgent()).updated).toBe(1);
    expect((await organization.admin.get(`/records/companies/${id}`)).json.record.name).toBe('Hooli XYZ');

    await page.evaluate(`document.querySelector('#list a[data-operation="createNote"]').click()`);
    await page.until(`${title} === 'Create note'`);
    await fill('#body', '{"content":"By an agent","data":{"visibility":"workspace"},"title":"Not taken"}');
    expect(JSON.parse(await page.evaluate(request)).params).toEqual({
      name: 'crm_manage_notes',
      arguments: { action: 'create', content: 'By an agent', visibility: 'workspace' },
    });
    expect(await page.evaluate(notes)).toContain('The tool has no argument for title.');
  }, 30_000);

  it('says of an operation that no tool does it', async () => {
    await open('workspace-manifest/pullManifest', 'Pull manifest');
    await press('aside .choice button', 'Agent');
    expect(await page.evaluate(request)).toContain('No tool does this');
    await press('aside .choice button', 'curl');
    expect(await page.evaluate(request)).toContain('curl ');
  });

  it('builds filters by hand, group in group, and reads them back', async () => {
    await open('companies/listCompanies', 'List companies');
    await page.click('.try button[aria-controls]');
    const group = "document.querySelector('.builder')";
    await press('.builder button', 'Add a condition');
    expect(await page.evaluate("document.activeElement.getAttribute('aria-label')")).toBe('Field');
    await fill('.builder select[aria-label=Field]', 'name');
    await fill('.builder select[aria-label=Operator]', 'starts_with');
    await fill('.builder input', 'Glob');
    expect(JSON.parse(await page.evaluate(filters))).toEqual({
      type: 'AND',
      conditions: [{ field: 'name', operator: 'starts_with', value: 'Glob' }],
    });
    expect(await page.evaluate(request)).toContain('filters={');
    expect((await send()).json.data.map(({ name }: { name: string }) => name)).toEqual(['Globex']);

    await fill('.builder select[aria-label="How they go together"]', 'OR');
    await press('.builder button', 'Add a group');
    const inner = '.builder li [role=group]';
    await fill(`${inner} select[aria-label="How they go together"]`, 'AND');
    await fill(`${inner} select[aria-label=Field]`, 'created_at');
    await fill(`${inner} select[aria-label=Operator]`, 'date_today');
    // It takes no value.
    expect(await page.evaluate(`document.querySelectorAll('${inner} input').length`)).toBe(0);
    await press(`${inner} button`, 'Add a group');
    await fill(`${inner} ${inner.slice(9)} select[aria-label=Field]`, 'name');
    await fill(`${inner} ${inner.slice(9)} input`, 'Initech');
    expect(JSON.parse(await page.evaluate(filters))).toEqual({
      type: 'OR',
      conditions: [
        { field: 'name', operator: 'starts_with', value: 'Glob' },
        {
          type: 'AND',
          conditions: [
            { field: 'created_at', operator: 'date_today' },
            { type: 'OR', conditions: [{ field: 'name', operator: 'equals', value: 'Initech' }] },
          ],
        },
      ],
    });
    expect((await send()).json.total).toBe(2);
    await page.evaluate(`{ ${axe.source} }`);
    expect(
      await page.evaluate(`axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
        .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html)))`),
    ).toEqual([]);

    // What is written into the text is read, also a value that is none of the builder's.
    await fill(
      '#p-filters',
      '{"type":"AND","conditions":[{"field":"annual_revenue","operator":"greater_than","value":5}]}',
    );
    expect(await page.evaluate(`${group}.querySelectorAll('li').length`)).toBe(1);
    expect(await page.evaluate(`${group}.querySelector('input').value`)).toBe('5');
    await fill('.builder select[aria-label=Operator]', 'less_than');
    expect(JSON.parse(await page.evaluate(filters)).conditions[0]).toEqual({
      field: 'annual_revenue',
      operator: 'less_than',
      value: 5,
    });
    await fill('#p-filters', '{"type":');
    expect(await page.evaluate(`${group}.textContent`)).toContain('Not JSON');
    await fill('#p-filters', '[1]');
    expect(await page.evaluate(`${group}.textContent`)).toContain('no FilterGroup');
    await fill('#p-filters', '{"type":"AND","conditions":[{"field":"name","operator":"is_null"}]}');
    await page.click('.builder [aria-label="Remove the condition"]');
    expect(await page.evaluate(filters)).toBe('');
  }, 60_000);

  it('offers for each field what its type takes', async () => {
    await open('companies/listCompanies', 'List companies');
    await page.click('.try button[aria-controls]');
    await press('.builder button', 'Add a condition');
    const operators = async (field: string) => {
      await fill('.builder select[aria-label=Field]', field);
      return page.evaluate<string[]>(
        "[...document.querySelectorAll('.builder select[aria-label=Operator] option')].map(({ value }) => value)",
      );
    };
    expect(await operators('created_at')).toContain('date_before');
    const ofNumber = await operators('annual_revenue');
    expect(ofNumber).toContain('between');
    expect(ofNumber).not.toContain('date_before');
  }, 30_000);

  it('tells the errors that the operation answers with', async () => {
    const codes = () =>
      page.evaluate<string[]>(
        "[...document.querySelectorAll('.refusals tbody tr')].map((row) => row.cells[0].textContent + ' ' + row.cells[1].textContent)",
      );
    const { admin } = organization;
    await open('companies/listCompanies', 'List companies');
    const told = async (address: string) => {
      const { status, json } = await admin.get(address);
      return `${json.code} ${status}`;
    };
    const ofList = await codes();
    expect(ofList).toContain(await told('/records/companies?sort_by=nothing'));
    expect(ofList).toContain(await told('/records/companies?nothing=1'));
    expect(ofList).not.toContain('RECORD_NOT_FOUND 400');

    await open('companies/updateCompany', 'Update company');
    const ofUpdate = await codes();
    const { json: created } = await admin.post('/records/companies', { name: 'Vandelay' });
    const update = async (id: string, values: object, headers = {}) => {
      const { status, json } = await admin.put(`/records/companies/${id}`, values, headers);
      return `${json.code} ${status}`;
    };
    expect(ofUpdate).toContain(await update('0198c0de-7a11-7000-8000-00000000002a', { name: 'X' }));
    expect(ofUpdate).toContain(await update(created.id, { name: 'X' }, { 'if-match': '"old"' }));
    expect(ofUpdate).toContain(await update(created.id, { name: 7 }));
  }, 30_000);

  it('keeps a write by a press after its dry run, and says what is left of the limit', async () => {
    await open('companies/createCompany', 'Create company');
    await fill('#body', '{"name":"Wayne"}');
    await send();
    const named = () => organization.admin.get('/records/companies?search=Wayne');
    expect((await named()).json.total).toBe(0);
    expect(await page.evaluate("document.querySelector('.answer').textContent")).toContain('nothing was kept');
    await send('.try .primary + button');
    expect((await named()).json.total).toBe(1);
    expect(await page.evaluate("document.querySelector('.answer').textContent")).toMatch(
      /\d+ of 600 requests left \(api:global\)/,
    );
    expect(await page.evaluate("document.querySelector('.try .primary + button').hidden")).toBe(true);
  }, 30_000);

  it('sends every kind of value: lists, objects within, true and false, and what is typed into parameters', async () => {
    await open('contacts/createContact', 'Create contact');
    const values = {
      first_name: 'Ünï 🎈',
      emails: [
        { email: 'a@x.test', label: 'work', is_primary: true },
        { email: 'b@x.test', label: 'home', is_primary: false },
      ],
      create_list_name: null,
    };
    const { create_list_name: _, ...sent } = values;
    await fill('#body', JSON.stringify(sent));
    const { status, json } = await send();
    expect(status, JSON.stringify(json)).toBe('200 OK');
    expect(json.record.emails.map(({ email }: { email: string }) => email)).toEqual(['a@x.test', 'b@x.test']);
    await open('companies/listCompanies?pretty=true', 'List companies');
    expect(await page.evaluate("document.querySelector('#p-pretty').tagName")).toBe('SELECT');
    await fill('#p-sort', '[{"field":"name","direction":"desc"}]');
    await fill('#p-limit', '1');
    expect((await send()).json.data.map(({ name }: { name: string }) => name)).toEqual(['Wayne']);
  }, 30_000);

  it('breaks no rule of its policy', () => {
    expect(page.complaints.filter((text) => !/40[014]|412/.test(text))).toEqual([]);
  });
});
