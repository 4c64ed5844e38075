/** An object with a field of every kind, and records that fill them: what aggregates and grouped lists are tried on. */
import type { FieldTypeName } from '../../src/fields/field-def.ts';
import type { Client, TestKith, TestOrganization } from '../support/kith.ts';
import { create, createAll } from './records.ts';
import { addComputedField, addObject, type Field } from './workspace.ts';

const options = [
  { value: 'open', label: 'Open' },
  { value: 'done', label: 'All done' },
  { value: 'a,b "c"', label: 'Odd' },
];
const to = (targetObjectName: string) => ({ relationType: 'BELONGS_TO_ONE' as const, targetObjectName });

/** A field of each type, called like the type. */
const fields: Readonly<Record<string, Field>> = {
  name: 'TEXT',
  ...Object.fromEntries(
    (
      [
        ...['LONG_TEXT', 'RICH_TEXT', 'URL', 'EMAIL', 'EMAILS', 'PHONES', 'NUMBER', 'INTEGER', 'DECIMAL', 'PERCENT'],
        ...['CURRENCY', 'RATING', 'BOOLEAN', 'DATE', 'DATETIME', 'DATE_RANGE', 'DURATION', 'ELAPSED_TIME', 'ADDRESS'],
        'USERS',
      ] as readonly FieldTypeName[]
    ).map((type) => [type.toLowerCase(), type]),
  ),
  select: { type: 'SELECT', options },
  multi_select: { type: 'MULTI_SELECT', options },
  relation: { type: 'RELATION', relationConfig: to('companies') },
  dependent_relation: { type: 'DEPENDENT_RELATION', dependsOn: 'relation', relationConfig: to('contacts') },
  morph_relation: {
    type: 'MORPH_RELATION',
    relationConfig: { ...to('contacts'), relationType: 'MORPH_RELATION', targetObjectNames: ['contacts', 'companies'] },
  },
  many_to_many: { type: 'MANY_TO_MANY', relationConfig: { ...to('contacts'), relationType: 'MANY_TO_MANY' } },
};

export interface Kinds {
  /** As they were created, oldest first; the last one is empty but for its name. */
  readonly records: readonly { readonly id: string; readonly name: string }[];
  readonly company: string;
  readonly otherCompany: string;
  readonly contact: string;
}

/** The object is `kinds`; companies get a HAS_MANY `kinds` and a ROLLUP `kinds_number`, and `twice` is calculated of `number`. */
export async function makeKinds(kith: TestKith, organization: TestOrganization): Promise<Kinds> {
  const { admin } = organization;
  await addObject(kith, organization, 'kinds', fields);
  await addComputedField(kith, organization, 'companies', 'kinds', {
    type: 'RELATION',
    isReadonly: true,
    relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'kinds', inverseField: 'relation' },
  });
  await addComputedField(kith, organization, 'companies', 'kinds_number', {
    type: 'ROLLUP',
    isReadonly: true,
    rollup: { objectName: 'kinds', relationField: 'relation', function: 'SUM', field: 'number' },
  });
  await addComputedField(kith, organization, 'kinds', 'twice', {
    type: 'CALCULATED',
    isReadonly: true,
    calculation: { expression: 'number * 2', outputType: 'NUMBER' },
  });
  const { id: company } = await create(admin, 'companies', { name: 'acme', industry: 'software' });
  const { id: otherCompany } = await create(admin, 'companies', { name: 'Zeta', industry: 'finance' });
  const { id: contact } = await create(admin, 'contacts', { first_name: 'Ada', company_id: company });
  const records = await createAll(admin, 'kinds', [
    full(admin, company, contact),
    { ...full(admin, company, contact), ...others(admin, otherCompany) },
    {
      ...full(admin, otherCompany, contact),
      name: 'third',
      dependent_relation: null,
      number: 2,
      multi_select: ['done', 'open'],
    },
    { name: 'last', owner: null, created_by: null },
  ]);
  return { records, company, otherCompany, contact };
}

function full({ workspaceUserId }: Client, company: string, contact: string) {
  return {
    name: 'first',
    long_text: 'ab',
    rich_text: '<p>a<b>b</b>c</p>',
    url: 'https://a.test',
    email: 'a@b.test',
    emails: ['x@a.test', 'y@a.test'],
    phones: ['+49 1'],
    number: 1.5,
    integer: 1,
    decimal: 1,
    percent: 10,
    currency: { amount: 10, currency: 'EUR' },
    rating: 5,
    boolean: true,
    date: '2026-01-01',
    datetime: '2026-01-01T10:00:00Z',
    date_range: { start: '2026-01-01', end: '2026-01-31' },
    duration: 60,
    elapsed_time: 3600,
    address: 'Main St 1',
    users: workspaceUserId,
    select: 'done',
    multi_select: ['open', 'done'],
    relation: company,
    dependent_relation: contact,
    morph_relation: { object: 'contacts', id: contact },
    many_to_many: [contact],
  };
}

/** What the second record has in other ways than the first. */
function others(_admin: Client, company: string) {
  return {
    name: 'second',
    number: 4,
    currency: { amount: 2.5, currency: 'USD' },
    boolean: false,
    date: '2026-01-11',
    datetime: '2026-01-01T10:00:30.5Z',
    date_range: { start: '2026-02-01', end: '2026-02-02' },
    select: 'open',
    multi_select: ['a,b "c"'],
    relation: company,
    dependent_relation: null,
    morph_relation: { object: 'companies', id: company },
    emails: ['z@a.test'],
    many_to_many: [],
    rich_text: '<p></p>',
  };
}
