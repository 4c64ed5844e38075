/** What the schema tells of fields that are made of others: the type of their values, and what they depend on. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { apply, create } from './records.ts';

const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE', targetObjectName });
const rollup = (name: string, fn: string, field?: string, objectName = 'projects') => ({
  name,
  type: 'ROLLUP',
  rollup: { objectName, relationField: 'company_id', function: fn, ...(field && { field }) },
});
const calculated = (name: string, expression: string, outputType: string) => ({
  name,
  type: 'CALCULATED',
  calculation: { expression, outputType },
});
const all = { view: 'all', create: true, update: 'all', delete: 'all' };

const manifest = {
  objects: [
    {
      name: 'projects',
      fields: [
        { name: 'name', type: 'TEXT' },
        { name: 'company_id', type: 'RELATION', relationConfig: to('companies') },
        { name: 'contact_id', type: 'DEPENDENT_RELATION', dependsOn: 'company_id', relationConfig: to('contacts') },
        { name: 'budget', type: 'CURRENCY' },
        { name: 'share', type: 'PERCENT' },
        { name: 'heads', type: 'INTEGER' },
        { name: 'due', type: 'DATE' },
        { name: 'begun', type: 'DATETIME' },
        { name: 'work', type: 'DURATION' },
        { name: 'done', type: 'BOOLEAN' },
        calculated('part', 'budget * share / 100', 'CURRENCY'),
        calculated('late', 'due < today()', 'BOOLEAN'),
        calculated('told', "join(' ', name, heads)", 'TEXT'),
      ],
    },
    {
      name: 'companies',
      fields: [
        rollup('count', 'COUNT'),
        rollup('total', 'SUM', 'budget'),
        rollup('parts', 'MAX', 'part'),
        rollup('mean_heads', 'AVG', 'heads'),
        rollup('most_heads', 'MAX', 'heads'),
        rollup('mean_share', 'MEDIAN', 'share'),
        rollup('first_due', 'MIN', 'due'),
        rollup('span', 'RANGE', 'due'),
        rollup('last_begun', 'MAX', 'begun'),
        rollup('between', 'RANGE', 'begun'),
        rollup('all_work', 'SUM', 'work'),
        rollup('finished', 'PERCENT_TRUE', 'done'),
        rollup('names', 'COUNT_DISTINCT', 'name'),
        rollup('spread', 'STDDEV', 'budget'),
      ],
    },
  ],
  roles: [
    { name: 'Companyless', permissions: { '*': all, projects: { ...all, fields: { company_id: 'none' } } } },
    { name: 'Budgetless', permissions: { '*': all, projects: { ...all, fields: { budget: 'none' } } } },
  ],
};

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await apply(admin, manifest);
});
afterAll(() => kith.stop());

type Told = { readonly name: string; readonly type: string; readonly valueType?: string; readonly dependsOn?: string };

const fieldsOf = async (client: Client, object: string): Promise<readonly Told[]> =>
  (await client.get(`/schema/${object}`)).json.fields;

async function valueTypes(client: Client, object: string): Promise<Record<string, string>> {
  const fields = await fieldsOf(client, object);
  return Object.fromEntries(fields.flatMap(({ name, valueType }) => (valueType ? [[name, valueType]] : [])));
}

describe('valueType', () => {
  it('is the declared type of what is calculated', async () => {
    expect(await valueTypes(admin, 'projects')).toEqual({ part: 'CURRENCY', late: 'BOOLEAN', told: 'TEXT' });
    expect(await valueTypes(admin, 'contacts')).toEqual({ full_name: 'TEXT' });
  });

  it('follows from the function of a rollup, and from the field that it is over', async () => {
    expect(await valueTypes(admin, 'companies')).toEqual({
      count: 'INTEGER',
      total: 'CURRENCY',
      parts: 'CURRENCY',
      mean_heads: 'NUMBER',
      most_heads: 'INTEGER',
      mean_share: 'PERCENT',
      first_due: 'DATE',
      span: 'INTEGER',
      last_begun: 'DATETIME',
      between: 'DURATION',
      all_work: 'DURATION',
      finished: 'PERCENT',
      names: 'INTEGER',
      spread: 'NUMBER',
    });
  });

  it('fits the values that are read', async () => {
    const company = await create(admin, 'companies', { name: 'Acme' });
    const values = {
      company_id: company.id,
      budget: 100,
      share: 50,
      heads: 3,
      due: '2026-01-02',
      work: 60,
      done: true,
    };
    await create(admin, 'projects', { ...values, begun: '2026-01-01T00:00:00Z' });
    await create(admin, 'projects', { ...values, due: '2026-01-04', begun: '2026-01-01T00:01:30Z' });
    const { record } = (await admin.get(`/records/companies/${company.id}`)).json;
    expect(record).toMatchObject({
      count: 2,
      total: 200,
      parts: 50,
      first_due: '2026-01-02',
      span: 2,
      last_begun: '2026-01-01T00:01:30.000Z',
      between: 90,
      all_work: 120,
      finished: 100,
    });
  });

  it('is no key of any other field, and hidden with what a field is made of', async () => {
    for (const { name, type, valueType } of await fieldsOf(admin, 'projects'))
      expect(valueType !== undefined, name).toBe(type === 'CALCULATED');
    const budgetless = await organization.user('Budgetless');
    expect(await valueTypes(budgetless, 'projects')).toEqual({ late: 'BOOLEAN', told: 'TEXT' });
    expect(Object.keys(await valueTypes(budgetless, 'companies'))).not.toContain('total');
  });
});

describe('dependsOn', () => {
  it('names the relation that a dependent one belongs to, and stands nowhere else', async () => {
    const named = (await fieldsOf(admin, 'projects')).filter(({ dependsOn }) => dependsOn !== undefined);
    expect(named).toEqual([expect.objectContaining({ name: 'contact_id', dependsOn: 'company_id' })]);
  });

  it('does not tell of a relation that the role may not see', async () => {
    const client = await organization.user('Companyless');
    const fields = await fieldsOf(client, 'projects');
    expect(fields.map(({ name }) => name)).toContain('contact_id');
    expect(JSON.stringify(fields)).not.toContain('company_id');
  });
});
