/** `/docs` in a real browser, where there is one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, openPage, type Page } from '../support/browser.ts';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

/** What stands in the explorer, its own shadow included. */
const explorer = "document.querySelector('openapi-explorer')";
const field = "document.querySelector('#token')";
const status = "document.querySelector('#status').textContent";

describe.skipIf(chromium === undefined)('the reference page (needs Chromium)', () => {
  let kith: TestKith;
  let organization: TestOrganization;
  let page: Page;
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

  const enter = (token: string) =>
    page.evaluate(`${field}.value = ${JSON.stringify(token)}; document.querySelector('#token-form').requestSubmit()`);

  it('says how to get a token, and what is wrong with another', async () => {
    expect(await page.evaluate('document.body.innerText')).toContain('kith token create');
    expect(await page.evaluate(`document.querySelector('label[for=token]').textContent`)).toBe('API token');
    await enter('nonsense');
    await page.until(`${status}.includes('A valid API token is needed')`);
    await enter('ünïçødé');
    await page.until(`${status}.includes('This is not a token')`);
    expect(await page.evaluate(`sessionStorage.length`)).toBe(0);
  });

  it('shows the interface as the token has it', async () => {
    await enter(organization.admin.token);
    await page.until(`${explorer}?.shadowRoot?.querySelector('[id="link-post-/api/v1/records/contacts"]')`);
    await page.until(`${status} === ''`);
    await page.evaluate(`${explorer}.scrollTo('post-/api/v1/records/contacts')`);
    await page.until(`${explorer}.shadowRoot.textContent.includes('Contacts: create a record')`);
    expect(await page.evaluate(`Object.keys(localStorage).length`)).toBe(0);
  }, 30_000);

  it('shows it again after a reload, and no more once the token is forgotten', async () => {
    await page.open(`${kith.url}/docs`);
    await page.until(`${explorer}?.shadowRoot?.querySelector('[id="link-get-/api/v1/me"]')`);
    await page.evaluate(`document.querySelector('#forget').click()`);
    expect(await page.evaluate(`[sessionStorage.length, ${explorer}, ${field}.value]`)).toEqual([0, null, '']);
  }, 30_000);

  it('asks nobody else, and breaks no rule of its policy', () => {
    expect(page.requests.length).toBeGreaterThan(4);
    expect(page.requests.filter((url) => !url.startsWith(kith.url) && !url.startsWith('data:'))).toEqual([]);
    // The wrong token is the one thing that fails.
    expect(page.complaints.filter((text) => !text.includes('401'))).toEqual([]);
  });

  it('runs nothing that stands in a label', async () => {
    const label = `<img src="/nowhere" onerror="document.title='owned'"><script>document.title='owned'</script>`;
    const fields = [{ name: 'name', label, type: 'TEXT' }];
    const objects = [{ name: 'traps', label, labelSingular: label, displayField: 'name', fields }];
    expect((await organization.admin.post('/manifest', { objects })).status).toBe(200);
    await enter(organization.admin.token);
    await page.until(`${explorer}?.shadowRoot?.querySelector('[id="link-post-/api/v1/records/traps"]')`);
    await page.evaluate(`${explorer}.scrollTo('post-/api/v1/records/traps')`);
    await page.until(`${explorer}.shadowRoot.textContent.includes('/api/v1/records/traps')`);
    await page.until(`${status} === ''`);
    expect(await page.evaluate('document.title')).toBe('Kith: reference');
  }, 30_000);
});
