/** [spec: Search] The search over all objects: what it takes, how it answers, what is found and in which order. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create, createAll, expectError, list, sortedIds } from './records.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, {
    objects: [
      {
        name: 'projects',
        label: 'Our projects',
        displayField: 'name',
        fields: [
          { name: 'name', label: 'Name', type: 'TEXT', isSearchable: true },
          { name: 'secret', label: 'Secret', type: 'TEXT', isSearchable: true },
        ],
      },
      { name: 'places', label: 'Places', displayField: 'name', fields: [{ name: 'name', type: 'TEXT' }] },
      {
        name: 'drawers',
        label: 'Drawers',
        isHidden: true,
        displayField: 'name',
        fields: [{ name: 'name', type: 'TEXT', isSearchable: true }],
      },
    ],
    roles: [
      {
        name: 'Partner',
        permissions: {
          '*': { view: 'all', create: true, update: 'all', delete: 'all' },
          companies: { view: 'none', create: false },
          opportunities: { view: 'own' },
          projects: { fields: { secret: 'none' } },
        },
      },
    ],
  });
});
afterAll(() => kith.stop());

interface Group {
  readonly objectName: string;
  readonly objectLabel: string;
  readonly total: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of it, the test says
  readonly records: any[];
}

async function search(client: Client, query: Readonly<Record<string, unknown>>): Promise<readonly Group[]> {
  const reply = await client.get('/search', query);
  expect(reply.status, reply.text).toBe(200);
  const groups: readonly Group[] = reply.json.results;
  expect(reply.json.query).toBe(query['query']);
  expect(reply.json.total).toBe(groups.reduce((sum, { records }) => sum + records.length, 0));
  return groups;
}

/** What is found of one object. */
async function found(client: Client, object: string, query: string, rest: object = {}): Promise<Group> {
  const [group, ...others] = await search(client, { query, object, ...rest });
  expect(others).toEqual([]);
  expect(group?.objectName).toBe(object);
  return group ?? { objectName: '', objectLabel: '', total: 0, records: [] };
}

const names = ({ records }: Group, field = 'name') => records.map((record) => record[field]);
const totals = (groups: readonly Group[]) =>
  Object.fromEntries(groups.filter(({ total }) => total > 0).map(({ objectName, total }) => [objectName, total]));

describe('what is answered', () => {
  it('SEAR-05, SEAR-06: all objects side by side, each with its label, its total and records as lists show them', async () => {
    const company = await create(admin, 'companies', { name: 'Quixote Mills' });
    await create(admin, 'contacts', { first_name: 'Quixote', company_id: company.id });
    await create(admin, 'opportunities', { name: 'Mill of Quixote', company_id: company.id });
    await create(admin, 'projects', { name: 'Quixote' });
    await admin.post('/tasks', { title: 'Call Quixote' });
    await admin.post('/notes', { content: '<p>About <b>Quixote</b></p>' });
    const groups = await search(admin, { query: 'quixote' });
    expect(groups.map(({ objectName, objectLabel }) => [objectName, objectLabel])).toEqual([
      ['contacts', 'Contacts'],
      ['companies', 'Companies'],
      ['opportunities', 'Opportunities'],
      ['tasks', 'Tasks'],
      ['notes', 'Notes'],
      ['projects', 'Our projects'],
    ]);
    for (const { objectName, total, records } of groups) {
      expect([objectName, total]).toEqual([objectName, 1]);
      const path = ['tasks', 'notes'].includes(objectName) ? `/${objectName}` : `/records/${objectName}`;
      const { data } = (await admin.get(path, { limit: 100 })).json;
      expect(records).toEqual(data.filter((record: { id: string }) => record.id === records[0].id));
    }
  });

  it('SEAR-01, PSL-08: takes 5 of each object unless told, at most 50, and passes over offset', async () => {
    await createAll(
      admin,
      'companies',
      Array.from({ length: 60 }, (_, index) => ({ name: `Zephyr ${String(index).padStart(2, '0')}` })),
    );
    const all = (await list(admin, 'companies', { search: 'zephyr', limit: 100 })).map(({ id }) => id);
    const pageOf = async (query: object) => {
      const group = await found(admin, 'companies', 'zephyr', query);
      expect(group.total).toBe(60);
      return group.records.map(({ id }) => id);
    };
    expect(await pageOf({})).toEqual(all.slice(0, 5));
    expect(await pageOf({ limit: 50 })).toEqual(all.slice(0, 50));
    expect(await pageOf({ limit: 7, offset: 55 })).toEqual(all.slice(55));
    expect(await pageOf({ limit: 2, offset: 3 })).toEqual(all.slice(3, 5));
    for (const offset of [60, 5_000, Number.MAX_SAFE_INTEGER]) expect(await pageOf({ offset })).toEqual([]);
    const clamped = await admin.get('/search', { query: 'zephyr', limit: 51 });
    expect(clamped.json.total).toBe(50);
    expect(clamped.headers.get('warning')).toContain('limit goes from 1 to 50');
    expect((await admin.get('/search', { query: 'zephyr', limit: 0 })).json.total).toBe(1);
  });

  it('SEAR-03: an object without searchable fields is skipped, also where it is named', async () => {
    await create(admin, 'places', { name: 'Xanadu' });
    expect((await search(admin, { query: 'xanadu' })).map(({ objectName }) => objectName)).not.toContain('places');
    expect(await search(admin, { query: 'xanadu', object: 'places' })).toEqual([]);
  });

  it('a field that no object has is told, and one that only another has is not', async () => {
    const filters = (...fields: string[]) => ({
      type: 'AND',
      conditions: [{ type: 'OR', conditions: fields.map((field) => ({ field, operator: 'is_not_null' })) }],
    });
    const asked = (...fields: string[]) => admin.get('/search', { query: 'zephyr', filters: filters(...fields) });
    const misspelt = await asked('name', 'naem');
    expect(misspelt.json.results).toEqual([]);
    expect(misspelt.headers.get('warning')).toBe(
      String.raw`299 - "No object that is searched has a field \"naem\" (did you mean \"name\"?): all are passed over"`,
    );
    // Contacts have the one, companies the other.
    const none = await asked('job_title', 'domain');
    expect([none.json.results, none.headers.get('warning')]).toEqual([[], null]);
  });

  it('a hidden object is searched only where it is named', async () => {
    await create(admin, 'drawers', { name: 'Sesame' });
    expect(totals(await search(admin, { query: 'sesame' }))).toEqual({});
    expect((await found(admin, 'drawers', 'sesame')).total).toBe(1);
  });
});

describe('what is refused', () => {
  it.each([{}, { query: '' }, { query: '  ' }])('SEAR-01, ERRO-07: %j is MISSING_REQUIRED_FIELD', async (query) => {
    expectError(await admin.get('/search', query), 'MISSING_REQUIRED_FIELD');
  });

  it.each([
    { limit: 'x' },
    { offset: -1 },
    { offset: 'x' },
    { offset: '1.5' },
    { offset: '1e3' },
    { offset: '9'.repeat(30) },
  ])('SEAR-01: %j is VALIDATION_ERROR', async (query) => {
    expectError(await admin.get('/search', { query: 'x', ...query }), 'VALIDATION_ERROR');
  });

  it('SEAR-01: a query of more than 500 characters is VALIDATION_ERROR', async () => {
    expectError(await admin.get('/search', { query: 'x'.repeat(501) }), 'VALIDATION_ERROR');
    expect(totals(await search(admin, { query: 'x'.repeat(500) }))).toEqual({});
  });

  it('SEAR-01: an object that there is not, and the service’s own ones, are INVALID_OBJECT', async () => {
    for (const object of ['nonsense', 'threads', 'interactions', 'events', '']) {
      const reply = await admin.get('/search', { query: 'x', object });
      expectError(reply, 'INVALID_OBJECT');
      expect(reply.json.available_values).toEqual([
        'contacts',
        'companies',
        'opportunities',
        'tasks',
        'notes',
        'projects',
        'places',
        'drawers',
      ]);
    }
  });
});

describe('what is found', () => {
  it('SEAR-02: disregards accents and case, and finds words in any order, their beginnings and what is inside of them', async () => {
    await create(admin, 'contacts', { first_name: 'Žofie', last_name: 'Łopatková', job_title: 'Straßenbau' });
    for (const query of ['zofie', 'ŽOFIE', 'lopatkova zofie', 'lopat zof', 'patkov', 'STRASSENBAU', 'zofie strasse'])
      expect([query, totals(await search(admin, { query }))]).toEqual([query, { contacts: 1 }]);
    expect(totals(await search(admin, { query: 'zofie nobody' }))).toEqual({});
  });

  it('SEAR-02: looks into e-mail addresses', async () => {
    await create(admin, 'contacts', { first_name: 'Ines', emails: ['ines@quagga.example', 'I.Novak@Okapi.example'] });
    for (const query of ['quagga', 'i.novak@okapi.example', 'OKAPI ines', '@quagga'])
      expect([query, (await found(admin, 'contacts', query)).total]).toEqual([query, 1]);
  });

  const berlin = [
    '+49 30 98765432',
    '0049 30 98765432',
    '+49 (0)30 9876-5432',
    '(030) 9876 5432',
    '030/98765432',
    '+493098765432',
  ];
  const madison = ['+1 (608) 555-0142', '608.555.0142', '1-608-555-0142', '001 608 555 0142', '(608) 555-0142'];
  const paris = ['06 12 98 76 54', '+33 6 12 98 76 54', '0612987654', '0033612987654'];

  it.each([
    ['Berlin', berlin],
    ['Madison', madison],
    ['Paris', paris],
  ])('SEAR-02: finds a phone number of %s however it was stored and is typed', async (city, forms) => {
    const stored = await createAll(
      admin,
      'contacts',
      forms.map((phone) => ({ first_name: city, last_name: 'Dial', phones: [phone] })),
    );
    const all = sortedIds(stored);
    for (const query of forms) {
      const group = await found(admin, 'contacts', query, { limit: 50 });
      expect([query, sortedIds(group.records)]).toEqual([query, all]);
      expect((await found(admin, 'contacts', `dial ${query}`)).total).toBe(forms.length);
      expect((await found(admin, 'contacts', `nobody ${query}`)).total).toBe(0);
    }
    const other = await admin.get('/records/contacts', { search: forms[0] });
    expect(other.json.total, 'a list searches alike').toBe(forms.length);
  });

  it('SEAR-02: a number with another country’s code is another number', async () => {
    await create(admin, 'contacts', { first_name: 'Wien', phones: ['+43 30 11223344'] });
    expect((await found(admin, 'contacts', '+49 30 11223344')).total).toBe(0);
    expect((await found(admin, 'contacts', '030 11223344')).total).toBe(1);
  });

  it('SEAR-02: figures that are no phone number are words', async () => {
    await create(admin, 'projects', { name: 'Report 10115 of 2024-07' });
    for (const query of ['2024 10115', '2024-07', '10115 2024', '24-07 report'])
      expect([query, (await found(admin, 'projects', query)).total]).toEqual([query, 1]);
  });

  it('SEAR-02: special characters mean themselves', async () => {
    await create(admin, 'projects', { name: '75% of a_b\\c' });
    for (const query of ['75%', 'a_b', 'b\\c', '%', '_', '\\'])
      expect([query, (await found(admin, 'projects', query)).total]).toEqual([query, 1]);
    for (const query of ['7%', 'a%b', "'; drop table contacts; --"])
      expect([query, (await found(admin, 'projects', query)).total]).toEqual([query, 0]);
  });

  it('SEAR-06: the total follows changes, the trash and a restore', async () => {
    const { id } = await create(admin, 'projects', { name: 'Kraken' });
    const total = async (query: string) => (await found(admin, 'projects', query)).total;
    expect(await total('kraken')).toBe(1);
    await create(admin, 'projects', { name: 'Kraken again' });
    expect(await total('kraken')).toBe(2);
    await admin.put(`/records/projects/${id}`, { name: 'Hydra' });
    expect([await total('kraken'), await total('hydra')]).toEqual([1, 1]);
    await admin.delete(`/records/projects/${id}`);
    expect(await total('hydra')).toBe(0);
    await admin.post(`/records/projects/${id}/restore`);
    expect(await total('hydra')).toBe(1);
  });
});

describe('in which order', () => {
  it('SEAR-06: the name itself, words of the name, beginnings of its words, words elsewhere, then what is inside of words', async () => {
    const wanted = ['Osprey', 'Osprey Air', 'Air-Osprey', 'Ospreys Ltd', 'Elsewhere', 'MacOsprey'];
    const texts: Record<string, object> = { Elsewhere: { description: 'Sells an osprey' } };
    // Made in an order that is neither the wanted one nor its opposite.
    for (const name of [4, 1, 5, 0, 3, 2].map((index) => wanted[index] ?? ''))
      await create(admin, 'companies', { name, ...texts[name] });
    const byRank = names(await found(admin, 'companies', 'osprey', { limit: 10 }));
    expect(byRank.slice(0, 1)).toEqual(['Osprey']);
    expect(byRank.slice(1, 3)).toEqual(['Air-Osprey', 'Osprey Air']);
    expect(byRank.slice(3)).toEqual(['Ospreys Ltd', 'Elsewhere', 'MacOsprey']);
  });

  it('SEAR-06: of equals the newest goes first, and pages by offset are one list', async () => {
    for (const name of ['Ibis 1', 'Ibis 2', 'Ibis 3', 'Ibis 4']) await create(admin, 'projects', { name });
    expect(names(await found(admin, 'projects', 'ibis'))).toEqual(['Ibis 4', 'Ibis 3', 'Ibis 2', 'Ibis 1']);
    const pages = [];
    for (let offset = 0; offset < 5; offset++)
      pages.push(...names(await found(admin, 'projects', 'ibis', { limit: 1, offset })));
    expect(pages).toEqual(['Ibis 4', 'Ibis 3', 'Ibis 2', 'Ibis 1']);
  });

  it('SEAR-06: a contact is called by its first and last name, in either order', async () => {
    await create(admin, 'contacts', { first_name: 'Tarn', last_name: 'Vole' });
    await create(admin, 'contacts', { first_name: 'Another', last_name: 'One', emails: ['tarn.vole@x.example'] });
    for (const query of ['tarn vole', 'vole tarn', 'vo ta'])
      expect(names(await found(admin, 'contacts', query), 'first_name')).toEqual(['Tarn', 'Another']);
  });
});

describe('what a role hides', () => {
  it('SEAR-04: objects, records and fields that the role hides are not found, counted or ranked', async () => {
    const partner = await organization.user('Partner');
    await create(admin, 'companies', { name: 'Narwhal' });
    await create(admin, 'opportunities', { name: 'Narwhal of others' });
    await create(partner, 'opportunities', { name: 'Narwhal of mine' });
    await create(admin, 'projects', { name: 'Plain', secret: 'narwhal' });
    await create(admin, 'projects', { name: 'Narwhals' });
    const groups = await search(partner, { query: 'narwhal' });
    expect(groups.map(({ objectName }) => objectName)).not.toContain('companies');
    expect(totals(groups)).toEqual({ opportunities: 1, projects: 1 });
    expect(totals(await search(admin, { query: 'narwhal' }))).toEqual({ companies: 1, opportunities: 2, projects: 2 });
    const project = groups.find(({ objectName }) => objectName === 'projects')?.records[0];
    expect(Object.keys(project)).not.toContain('secret');
    expectError(await partner.get('/search', { query: 'narwhal', object: 'companies' }), 'PERMISSION_DENIED');
    expect((await partner.get('/search', { query: 'x', object: 'nonsense' })).text).not.toContain('companies');
  });

  it('SEAR-04: a private note is its author’s alone, also in totals and from admins', async () => {
    const [author, other] = [await organization.user('Member'), await organization.user('Member')];
    await author.post('/notes', { content: 'Wolverine in private' });
    await author.post('/notes', { content: 'Wolverine for all', data: { visibility: 'workspace' } });
    expect((await found(author, 'notes', 'wolverine')).total).toBe(2);
    for (const client of [other, admin]) {
      const group = await found(client, 'notes', 'wolverine');
      expect([group.total, group.records.map(({ visibility }) => visibility)]).toEqual([1, ['workspace']]);
      expect((await found(client, 'notes', 'private')).total).toBe(0);
    }
  });
});
