/** How many links a record has in all of its fields, with the values of their own fields. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import { linkTableName } from '../../src/model/names.ts';
import { identifier, sql } from '../../src/postgres/sql.ts';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { create, createAll } from './records.ts';
import { addObject, run, type Field } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let admin: Client;
let people: readonly string[];

/** With as many values as a link can have, each counts for 41. */
const junctionFields = () =>
  Array.from({ length: 40 }, (_, at) => ({
    id: newId(),
    name: `f${at}`,
    definition: { label: `f${at}`, type: 'TEXT' as const },
  }));
const links = (): Field => ({
  type: 'MANY_TO_MANY',
  relationConfig: { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' },
  junctionFields: junctionFields(),
});

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  ({ admin } = organization);
  await addObject(kith, organization, 'knots', { name: 'TEXT', one: links(), two: links() });
  const made: string[] = [];
  for (let at = 0; at < 3; at++) {
    const records = Array.from({ length: 900 }, (_, n) => ({ first_name: `${n}` }));
    made.push(...(await createAll(admin, 'contacts', records)).map(({ id }) => id));
  }
  people = made;
});
afterAll(() => kith.stop());

const message = 'A record of knots takes at most 200,000 links in all, with the values that they have';

describe('a record', () => {
  it('is not made with more, alone and in bulk', async () => {
    const record = { name: 'x', one: people.slice(0, 2_500), two: people.slice(0, 2_500) };
    const refused = await admin.post('/records/knots', record);
    expect([refused.status, refused.json.message]).toEqual([400, message]);
    const bulk = await admin.post('/records/knots/batch/create', { records: [record, { name: 'y' }] });
    expect([bulk.json.created, bulk.json.failed, bulk.json.errors[0].message]).toEqual([1, 1, message]);
  });

  it('does not come to more, field by field', async () => {
    const { id } = await create(admin, 'knots', { name: 'x', one: people.slice(0, 2_500) });
    const put = (values: object) => admin.put(`/records/knots/${id}`, values);
    const refused = await put({ two: people.slice(0, 2_500) });
    expect([refused.status, refused.json.message]).toEqual([400, message]);
    const valued = people.slice(0, 2_000).map((person, at) => ({ id: person, f0: `${at}`, f39: 'last' }));
    const taken = await put({ two: valued });
    expect(taken.status, taken.text.slice(0, 300)).toBe(200);
    expect(taken.json.record.two[1_999]).toMatchObject({ id: people[1_999], f0: '1999', f1: null, f39: 'last' });
    const fewer = await put({ one: people.slice(0, 2_400) });
    expect(fewer.json.record?.one, fewer.text.slice(0, 300)).toHaveLength(2_400);
  });

  it('that has more, since links have got more values, can be given fewer', async () => {
    const one = await create(admin, 'knots', { name: 'x', one: people.slice(0, 2_500) });
    const two = await create(admin, 'knots', { name: 'y', two: people.slice(0, 2_500) });
    const [[field = null] = []] = await run(
      kith,
      organization,
      sql`select f.id from ${identifier(organization.schema, '_fields')} f where f.name = 'two'`,
    );
    const table = identifier(organization.schema, linkTableName(field ?? ''));
    await run(
      kith,
      organization,
      sql`update ${table} set source_id = ${one.id}::uuid where source_id = ${two.id}::uuid`,
    );
    const put = (links: number) =>
      admin.put(`/records/knots/${one.id}`, { one: people.slice(0, links), two: people.slice(0, links) });
    const fewer = await put(2_450);
    expect(fewer.status, fewer.text.slice(0, 300)).toBe(200);
    expect(fewer.json.record.two).toHaveLength(2_450);
    expect((await put(2_451)).json.message).toBe(message);
  });
});
