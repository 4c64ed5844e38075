/** What the tests of bulk changes stand on. [spec: Bulk] */
import { sql } from '../../src/postgres/sql.ts';
import { rowsOf } from '../provision/setup.ts';
import type { Client, Reply } from '../support/kith.ts';
import { apply, createAll } from './records.ts';
import { admin, kith, table, useStage } from './stage.ts';

const manifest = {
  objects: [
    {
      name: 'projects',
      label: 'Projects',
      labelSingular: 'Project',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT', isRequired: true, isSearchable: true },
        { name: 'code', label: 'Code', type: 'TEXT', isUnique: true },
        { name: 'mails', label: 'Mails', type: 'EMAILS', isUnique: true },
        {
          name: 'company_id',
          label: 'Company',
          type: 'RELATION',
          relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'companies' },
        },
        {
          name: 'contact_id',
          label: 'Contact',
          type: 'DEPENDENT_RELATION',
          dependsOn: 'company_id',
          relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'contacts' },
        },
        {
          name: 'about',
          label: 'About',
          type: 'MORPH_RELATION',
          relationConfig: { relationType: 'MORPH_RELATION', targetObjectNames: ['contacts', 'companies'] },
        },
        {
          name: 'shout',
          label: 'Shout',
          type: 'CALCULATED',
          calculation: { expression: '1 + 1', outputType: 'DECIMAL' },
        },
      ],
    },
  ],
  pipelines: [
    {
      name: 'Renewals',
      objectName: 'opportunities',
      steps: [
        { name: 'Due', kind: 'ongoing', questions: [{ linked_field_name: 'amount', required_for_closure: true }] },
        { name: 'Renewed', kind: 'won', forced_values: { probability: 100 } },
      ],
    },
  ],
  roles: [
    {
      name: 'Rep',
      permissions: {
        '*': { view: 'all', create: true, update: 'own', delete: 'none' },
        companies: { view: 'own', update: 'own', fields: { employees: 'read', description: 'none' } },
        projects: { view: 'none', create: false, update: 'none' },
      },
    },
  ],
};

/** An organization with projects, a pipeline of renewals and a role of little rights. */
export function useBulkStage(prepare: () => Promise<void> = () => Promise.resolve()): void {
  useStage(async () => {
    await apply(admin, manifest);
    await prepare();
  });
}

/** The id of no record. */
export const nobody = '0190f6c1-5b1e-7c3a-9d2f-3e8a61b7c904';

export const bulk = (body: object, as = admin, query = ''): Promise<Reply> => as.post(`/bulk${query}`, body);

export const idsOf = (records: readonly { readonly id: string }[]): string[] => records.map(({ id }) => id);

/** Makes so many records, and gives their ids. */
export async function made(object: string, count: number, values: object = {}, as: Client = admin): Promise<string[]> {
  const key = object === 'contacts' ? 'last_name' : 'name';
  const records = Array.from({ length: count }, (_, at) => ({ [key]: `${object} ${at}`, ...values }));
  return idsOf(await createAll(as, object, records));
}

/** What history says of changes of the records. */
export async function entriesOf(ids: readonly string[]) {
  const rows = await rowsOf(
    kith.database.database,
    sql`select record_id, change_set, links::text, operation from ${table('_history')}
      where record_id = any(${ids}::uuid[]) and action = 'update' order by id`,
  );
  return rows.map(([id = null, changeSet = null, links = null, operation = null]) => ({
    id,
    changeSet,
    links,
    operation,
  }));
}

export const inOrder = (ids: Iterable<string | null | undefined>): string[] =>
  [...ids].map(String).toSorted((a, b) => (a < b ? -1 : 1));
