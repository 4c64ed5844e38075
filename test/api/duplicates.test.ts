/** [spec: Duplicates] Records that may be the same. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply, TestOrganization } from '../support/kith.ts';
import { apply, createAll, expectError } from './records.ts';
import { duplicates } from './merging.ts';
import { kith, organization, useStage } from './stage.ts';

useStage(() => Promise.resolve());

describe('detection', () => {
  let other: TestOrganization;
  let find: (body: object) => Promise<Reply>;
  beforeAll(async () => {
    other = await kith.organization();
    find = (body) => other.admin.post('/duplicates', body);
    await createAll(other.admin, 'contacts', [
      { first_name: 'Anna', last_name: 'Lee', emails: ['anna@acme.test', 'a.lee@acme.test'] },
      { first_name: 'A.', last_name: 'Leigh', emails: [' ANNA@acme.test ', 'lee@home.test'], phones: ['+49 30 1234'] },
      { first_name: 'Someone', last_name: 'Else', emails: 'lee@home.test' },
      { first_name: ' bob ', last_name: 'Ray', phones: '0049 (30) 1234' },
      { first_name: 'Bob', last_name: 'Ray', linkedin_url: 'linkedin.com/in/ray' },
      { first_name: 'Cy' },
    ]);
    await createAll(other.admin, 'companies', [
      { name: 'Acme', industry: 'software', employees: 7 },
      { name: ' acme', employees: 7 },
      { name: 'Globex', linkedin_url: 'LinkedIn.com/globex' },
      { name: 'Globex Ltd', linkedin_url: 'linkedin.com/globex' },
      { name: 'Acme!' },
    ]);
  });

  const names = ({ duplicate_groups: groups }: Reply['json']) =>
    groups.map(({ records }: { records: Reply['json'][] }) => records.map((one) => one.full_name ?? one.name));

  it('DUPL-01, DUPL-04, DUPL-05, DUPL-10, DUPL-12: compares trimmed values without case, and tells why', async () => {
    const { json, text } = await find({ object_name: 'companies' });
    expect(Object.keys(json), text).toEqual(['object_name', 'duplicate_groups', 'total_groups', 'records_scanned']);
    expect(json).toMatchObject({ object_name: 'companies', total_groups: 2, records_scanned: 5 });
    expect(names(json)).toEqual([
      ['Globex Ltd', 'Globex'],
      [' acme', 'Acme'],
    ]);
    expect(json.duplicate_groups[0].match_reason).toMatch(/^linkedin_url: 'linkedin\.com\/globex'$/i);
    expect(json.duplicate_groups[1].match_reason).toMatch(/^name: 'acme'$/i);
    expect(json.duplicate_groups[0].records[0]).toHaveProperty('created_at');
  });

  it('DUPL-06, DUPL-07, DUPL-08, DUPL-09: infers addresses, numbers and names; groups hang together; nothing is no value', async () => {
    const { json } = await find({ object_name: 'contacts' });
    expect(names(json)).toEqual([['Someone Else', 'A. Leigh', 'Anna Lee']]);
    expect(json.duplicate_groups[0].match_reason.split(', ')).toEqual(
      expect.arrayContaining(["emails: 'lee@home.test'", expect.stringMatching(/^emails: 'anna@acme\.test'$/i)]),
    );
  });

  it('DUPL-08: compares phone numbers as they are, and in E.164 when asked', async () => {
    expect((await find({ object_name: 'contacts', fields: ['phones'] })).json.total_groups).toBe(0);
    const { json } = await find({ object_name: 'contacts', fields: ['phones'], normalize: true });
    expect(json.total_groups).toBe(1);
    expect(json.duplicate_groups[0].match_reason).toBe("phones: '+49301234'");
  });

  it('DUPL-03: takes fields, any other action, and a limit up to 200', async () => {
    const byNumber = await find({ object_name: 'companies', action: 'whatever', fields: ['employees'] });
    expect(byNumber.json.duplicate_groups[0].match_reason).toBe("employees: '7'");
    const one = await find({ object_name: 'companies', action: 7, limit: 1 });
    expect([one.json.duplicate_groups.length, one.json.total_groups]).toEqual([1, 2]);
    const much = await other.admin.post('/duplicates', { object_name: 'companies', limit: 1000 });
    expect(much.headers.get('warning')).toContain('200');
    expectError(await other.admin.post('/duplicates', { object_name: 'companies', fields: ['nope'] }), 'INVALID_FIELD');
    const long = { object_name: 'companies', fields: ['description'] };
    expectError(await other.admin.post('/duplicates', long), 'VALIDATION_ERROR');
  });

  it('DUPL-11: falls back to the name, also where it is no TEXT, and finds nothing where there is none', async () => {
    await apply(other.admin, {
      objects: [{ name: 'things', displayField: 'code', fields: [{ name: 'code', type: 'INTEGER' }] }],
    });
    await createAll(other.admin, 'things', [{ code: 1 }, { code: 1 }]);
    expect((await find({ object_name: 'things' })).json).toMatchObject({ total_groups: 0, records_scanned: 2 });
  });

  it('DUPL-02: needs an object of records, and an admin', async () => {
    expectError(await duplicates({}), 'MISSING_REQUIRED_FIELD');
    for (const name of ['tasks', 'notes', 'threads', 'nothing'])
      expectError(await duplicates({ object_name: name }), 'INVALID_OBJECT');
    const member = await organization.user('Member');
    expectError(await member.post('/duplicates', { object_name: 'contacts' }), 'PERMISSION_DENIED');
  });

  it('DUPL-04: compares the 5,000 newest, and says when there are more', async () => {
    const { admin: busy } = await kith.organization();
    const values = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `Company ${at % 1500}` }));
    await busy.post('/import/companies', { records: [{ name: 'oldest' }, ...values(5000)] });
    await createAll(busy, 'companies', [{ name: 'oldest' }]);
    const { json } = await busy.post('/duplicates', { object_name: 'companies', limit: 200 });
    expect(json).toMatchObject({ records_scanned: 5000, truncated: true, total_groups: 1500 });
    expect(json.duplicate_groups.length).toBe(200);
  });
});
