/** A page that is asked for again is answered from its text: nobody gets another role's, and none is older than the last write. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheSizes } from '../../src/lib/caches.ts';
import { updateUser } from '../../src/provision/users.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create } from './records.ts';

const all = { view: 'all', create: true, update: 'all', delete: 'all' };
const calculated = (expression: string, outputType: string) => ({
  type: 'CALCULATED',
  calculation: { expression, outputType },
});
const roles = {
  Titleless: { '*': all, contacts: { ...all, fields: { job_title: 'none' } } },
  Companyless: { '*': all, companies: { view: 'none' } },
  'Own companies': { '*': all, companies: { ...all, view: 'own' } },
  Watched: { '*': all },
  'Own contacts': { '*': all, contacts: { ...all, view: 'own' } },
};
const manifest = {
  objects: [
    {
      name: 'projects',
      fields: [
        { name: 'name', type: 'TEXT' },
        { name: 'due', type: 'DATE' },
        { name: 'late', ...calculated('due < today()', 'BOOLEAN') },
        { name: 'shout', ...calculated('upper(name)', 'TEXT') },
      ],
    },
  ],
  roles: Object.entries(roles).map(([name, permissions]) => ({ name, permissions })),
};

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let acme: string;
let ada: string;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization({ adminName: 'Ada' });
  ({ admin } = organization);
  await apply(admin, manifest);
  acme = (await create(admin, 'companies', { name: 'Acme' })).id;
  const owner = admin.workspaceUserId;
  ada = (await create(admin, 'contacts', { first_name: 'Ada', job_title: 'Engineer', company_id: acme, owner })).id;
  await create(admin, 'contacts', { first_name: 'Grace', job_title: 'Admiral', company_id: acme });
  await create(admin, 'projects', { name: 'Bridge', due: '2000-01-31' });
});
afterAll(() => kith.stop());

type Query = Readonly<Record<string, unknown>>;

async function page(client: Client, query: Query = {}, object = 'contacts') {
  const { filters: conditions } = query;
  const filters = conditions === undefined ? {} : { filters: JSON.stringify({ type: 'AND', conditions }) };
  const reply = await client.get(`/records/${object}`, { ...query, ...filters });
  expect(reply.status, reply.text).toBe(200);
  return reply.json;
}

/** The same page under a condition that was never asked for and holds for all. */
function found(client: Client, query: Query = {}) {
  const conditions = [query['filters'] ?? [], { field: 'id', operator: 'not_equals', value: randomUUID() }].flat();
  return page(client, { ...query, filters: conditions });
}

const keptTexts = (): number => cacheSizes().get('texts')?.entries ?? 0;

/** Asks so often that the page is found, then read by its ids, then from its text. */
async function thrice(client: Client, query: Query = {}, object = 'contacts') {
  const pages = [];
  for (let time = 0; time < 3; time++) pages.push(await page(client, query, object));
  expect(pages[1]).toEqual(pages[0]);
  expect(pages[2]).toEqual(pages[0]);
  return pages[2];
}

describe('a remembered text', () => {
  it('is kept for a page that is asked for again', async () => {
    const before = keptTexts();
    await page(admin, { limit: 7 });
    expect(keptTexts()).toBe(before);
    await thrice(admin, { limit: 7 });
    expect(keptTexts()).toBeGreaterThan(before);
  });

  it('is of the fields and labels that the role sees', async () => {
    const clients = [admin, ...(await Promise.all(Object.keys(roles).map((name) => organization.user(name))))];
    for (const query of [{}, { fields: 'first_name' }, { fields: 'first_name,company_id' }, { search: 'ada' }]) {
      for (let time = 0; time < 3; time++) {
        for (const client of clients) {
          expect((await page(client, query)).data).toEqual((await found(client, query)).data);
        }
      }
    }
  });

  it.each([
    ['the record', () => admin.put(`/records/contacts/${ada}`, { first_name: 'Augusta' })],
    ['a record that it points to', () => admin.put(`/records/companies/${acme}`, { name: 'Acme Labs' })],
    ['the name of its owner', rename],
    ['which records there are', () => admin.post('/records/contacts', { first_name: 'Alan' })],
    ['what the trash holds', () => admin.delete(`/records/contacts/${ada}`)],
  ])('is not answered once %s has changed', async (_, write) => {
    const filters = [{ field: 'created_at', operator: 'is_not_null' }];
    const queries = [{}, { search: 'a' }, { filters }, { fields: 'first_name,owner,company_id.name' }];
    for (const query of queries) {
      expect((await thrice(admin, query)).data).toEqual((await found(admin, query)).data);
    }
    const before = await page(admin);
    await write();
    expect((await page(admin)).data).not.toEqual(before.data);
    for (const query of queries) {
      expect((await page(admin, query)).data).toEqual((await found(admin, query)).data);
    }
  });

  it('has the cursor of the request that it answers, however alike another one is', async () => {
    const asked: Query[] = [{ search: 'ada' }, { search: 'ADA ' }, { search: '' }, {}];
    await create(admin, 'contacts', { first_name: 'Ada' });
    await create(admin, 'contacts', { first_name: 'Ada' });
    for (const query of asked) {
      const { data, nextCursor } = await thrice(admin, { ...query, limit: 1 });
      const next = await page(admin, { ...query, limit: 1, cursor: nextCursor });
      expect(next.data[0].id).not.toBe(data[0].id);
    }
  });

  it('is of the person who asks, where the conditions name them', async () => {
    const second = await organization.user('Admin');
    const owner = second.workspaceUserId;
    await create(second, 'contacts', { first_name: 'Hopper', owner });
    const own = { filters: [{ field: 'owner', operator: 'equals', value: '$me' }] };
    for (let time = 0; time < 4; time++) {
      for (const client of [admin, second]) {
        const owners = (await page(client, own)).data.map(({ owner: id }: { owner: string }) => id);
        expect([...new Set(owners)]).toEqual([client.workspaceUserId]);
      }
    }
  });

  it('is not answered once the role sees less', async () => {
    const rep = await organization.user('Watched');
    expect((await thrice(rep)).data[0]).toHaveProperty('job_title');
    await apply(admin, { roles: [{ name: 'Watched', permissions: roles.Titleless }] });
    expect((await page(rep)).data[0]).not.toHaveProperty('job_title');
  });

  it('is not kept where the time decides what a record shows', async () => {
    await thrice(admin, { fields: 'name,shout' }, 'projects');
    const before = keptTexts();
    expect((await thrice(admin, {}, 'projects')).data).toMatchObject([{ late: true }]);
    await thrice(admin, { fields: 'name,late' }, 'projects');
    expect(keptTexts()).toBe(before);
  });
});

async function rename(): Promise<void> {
  const { email } = (await admin.get('/me')).json.profile;
  await updateUser(kith.deps, organization.id, email, { name: 'Augusta Ada' });
}
