/** What a role hides is answered, wherever it is named, word for word as in a workspace that never had it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type Client, type TestKith } from '../support/kith.ts';

/** One workspace as the person sees it. */
interface Side {
  readonly client: Client;
  readonly deal: string;
  readonly visit: string;
}

const hiddenFields = [
  { name: 'phase', type: 'PIPELINE' },
  { name: 'secret', type: 'TEXT', isSearchable: true, isUnique: true },
  {
    name: 'company_id',
    type: 'RELATION',
    relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' },
  },
  {
    name: 'people',
    type: 'MANY_TO_MANY',
    relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
    junctionFields: [{ name: 'role', type: 'TEXT' }],
  },
  { name: 'sum', type: 'CALCULATED', calculation: { expression: "join(' ', title, secret)", outputType: 'TEXT' } },
];

let kith: TestKith;
let hidden: Side;
let absent: Side;

beforeAll(async () => {
  kith = await startKith();
  hidden = await makeSide(true);
  absent = await makeSide(false);
});
afterAll(() => kith.stop());

async function makeSide(has: boolean): Promise<Side> {
  const { admin, user } = await kith.organization();
  const post = async (path: string, body: object) => {
    const reply = await admin.post(path, body);
    expect(reply.status, reply.text).toBe(200);
    return reply.json;
  };
  const relationConfig = { relationType: 'BELONGS_TO_ONE', targetObjectName: 'deals' };
  const title = { name: 'title', type: 'TEXT', isSearchable: true };
  const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'none']));
  const rights = { view: 'all', create: true, update: 'all', delete: 'all' };
  const names = hiddenFields.map(({ name }) => name).filter((name) => name !== 'sum');
  await post('/manifest', {
    objects: [
      {
        name: 'deals',
        displayField: 'title',
        fields: [title, ...(has ? hiddenFields : []), { name: 'size', type: 'NUMBER' }],
      },
      { name: 'visits', displayField: 'title', fields: [title, { name: 'deal_id', type: 'RELATION', relationConfig }] },
    ],
    ...(has && {
      pipelines: [
        { name: 'Way', objectName: 'deals', isDefault: true, steps: [{ name: 'First' }, { name: 'Won', kind: 'won' }] },
      ],
    }),
    roles: [{ name: 'Half', permissions: { '*': rights, deals: has ? { fields: none(names) } : {} } }],
  });
  const company = await post('/records/companies', { name: 'Co' });
  const contact = await post('/records/contacts', { first_name: 'Anna' });
  const values = { secret: 'x', company_id: company.id, people: [{ id: contact.id, role: 'Buyer' }] };
  const deal = await post('/records/deals', { title: 'Deal', size: 1, ...(has && values) });
  const visit = await post('/records/visits', { title: 'Visit', deal_id: deal.id });
  return { client: await user('Half'), deal: deal.id, visit: visit.id };
}

const names = [
  'phase',
  'pipeline_id',
  'pipeline_step_id',
  'pipeline_step_id_display',
  'pipeline_step_entered_at',
  'secret',
  'company_id',
  'company_id.name',
  'people',
  'people.role',
  'people.id',
  'sum',
];

type Ask = (side: Side, name: string) => ReturnType<Client['get']>;

const filter = (field: string, operator: string, value?: unknown) => ({
  filters: { type: 'AND', conditions: [{ field, operator, value }] },
});
const get =
  (path: (side: Side) => string, query: (name: string) => object): Ask =>
  (side, name) =>
    side.client.get(path(side), query(name) as Record<string, unknown>);
const deals = () => '/records/deals';
const visits = () => '/records/visits';
const deal = (side: Side) => `/records/deals/${side.deal}`;

const asks: Readonly<Record<string, Ask>> = {
  'fields of a list': get(deals, (name) => ({ fields: name })),
  'fields of a list, beside others': get(deals, (name) => ({ fields: `title,${name},size` })),
  'fields of a record': get(deal, (name) => ({ fields: name })),
  'fields of a record as it was': get(deal, (name) => ({ fields: name, as_of: '2999-01-01' })),
  'fields of an export': get(
    () => '/export/deals',
    (name) => ({ format: 'csv', fields: name }),
  ),
  'fields behind a relation': get(visits, (name) => ({ fields: `deal_id.${name}` })),
  sort_by: get(deals, (name) => ({ sort_by: name })),
  sort: get(deals, (name) => ({ sort: [{ field: name, direction: 'asc' }] })),
  'sort behind a relation': get(visits, (name) => ({ sort_by: `deal_id.${name}` })),
  filter_field: get(deals, (name) => ({ filter_field: name, filter_operator: 'equals', filter_value: 'x' })),
  filters: get(deals, (name) => filter(name, 'equals', 'x')),
  'filters for none': get(deals, (name) => filter(name, 'is_empty')),
  'filters by an unknown operator': get(deals, (name) => filter(name, 'eq', 'x')),
  'filters behind a relation': get(visits, (name) => filter(`deal_id.${name}`, 'is_null')),
  'group_by of a list': get(deals, (name) => ({ group_by: name })),
  'group_by behind a relation': get(visits, (name) => ({ group_by: `deal_id.${name}` })),
  'an unknown parameter': get(deals, (name) => ({ [name]: 'x' })),
  'a counted field': get(
    () => '/aggregate/deals',
    (name) => ({ field: name }),
  ),
  'a summed field': get(
    () => '/aggregate/deals',
    (name) => ({ field: name, function: 'SUM' }),
  ),
  'group_by of an aggregate': get(
    () => '/aggregate/deals',
    (name) => ({ group_by: name }),
  ),
  'a create': ({ client }, name) => client.post('/records/deals', { title: 'new', [name]: 'x' }),
  'a create with null': ({ client }, name) =>
    client.post('/records/deals?dry_run=true', { title: 'new', [name]: null }),
  'an update': (side, name) => side.client.put(deal(side), { [name]: 'x' }),
  'a batch': ({ client }, name) =>
    client.post('/records/deals/batch/create', { records: [{ title: 'a', [name]: 'x' }] }),
  'an import': ({ client }, name) =>
    client.post('/import/deals?dry_run=true', { records: [{ title: 'a', [name]: 'x' }] }),
  'an import with a wrong value beside it': ({ client }, name) =>
    client.post('/import/deals?dry_run=true', { records: [{ size: 'many', [name]: 'x' }] }),
};

/** The answer with ids and times by the order in which they come. */
async function answer(asked: Promise<{ status: number; text: string; headers: Headers }>): Promise<object> {
  const { status, text, headers } = await asked;
  const seen: string[] = [];
  const told = text.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, (found) => {
    if (!seen.includes(found)) seen.push(found);
    return `#${seen.indexOf(found)}`;
  });
  return { status, text: told, warning: headers.get('warning'), total: headers.get('x-total-count') };
}

it.each(Object.entries(asks))('%s: a hidden name is as unknown as any', async (_what, ask) => {
  for (const name of names) {
    expect({ name, ...(await answer(ask(hidden, name))) }).toEqual({ name, ...(await answer(ask(absent, name))) });
  }
});

it.each<[string, (side: Side) => string]>([
  ['the schema', () => '/schema?include_hidden=true'],
  ['the schema of the object', () => '/schema/deals'],
  ['the permissions', () => '/me/permissions'],
  ['the OpenAPI document', () => '/openapi.json'],
  ['a list', deals],
  ['a search', () => '/records/deals?search=x'],
  ['a search of everything', () => '/search?query=x'],
  ['a search of the object', () => '/search?query=x&object=deals'],
  ['a record', deal],
  ['a record as it was', (side) => `${deal(side)}?as_of=2999-01-01`],
  ['the history', (side) => `${deal(side)}/history`],
  ['a record that leads to it', (side) => `/records/visits/${side.visit}`],
  ['an export', () => '/export/deals?format=csv'],
  ['groups', () => '/records/deals?group_by=title'],
])('%s: does not tell of it', async (_what, path) => {
  const text = ({ text, ...rest }: Awaited<ReturnType<Client['get']>>) => ({ ...rest, text });
  const ask = async (side: Side) => answer(side.client.get(path(side)).then(text));
  expect(await ask(hidden)).toEqual(await ask(absent));
});
