/** Internal objects as mailboxes will bring them: fixed tables laid into an organization and described as objects. */
import { newId } from '../../src/lib/id.ts';
import type { FieldDefinition, ObjectDefinition } from '../../src/model/definition.ts';
import { identifier, sql, statement, trusted, type Sql } from '../../src/postgres/sql.ts';
import type { TestKith, TestOrganization } from '../support/kith.ts';

const relation = (label: string, targetObjectName: string): FieldDefinition => ({
  label,
  type: 'RELATION',
  relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName },
});

const letters: Readonly<Record<string, FieldDefinition>> = {
  subject: { label: 'Subject', type: 'TEXT' },
  account: { label: 'Account', type: 'USERS' },
  parties: {
    label: 'Participants',
    type: 'RELATION',
    relationConfig: { relationType: 'HAS_MANY', targetObjectName: 'parties', inverseField: 'letter_id' },
  },
};

const parties: Readonly<Record<string, FieldDefinition>> = {
  letter_id: relation('Thread', 'letters'),
  contact_id: relation('Contact', 'contacts'),
};

const fixed = `id uuid primary key, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  deleted_at timestamptz`;

export interface Threads {
  /** A thread of the user's account in which these contacts take part; its id. */
  thread(subject: string, account: string, contacts: readonly string[]): Promise<string>;
  /** Any statement; `table` qualifies. */
  run(query: Sql): Promise<void>;
  table(name: string): Sql;
  /** A further field of an object, and its one column if it has one. */
  addField(objectName: string, name: string, definition: FieldDefinition, column?: string): Promise<void>;
}

/**
 * Lays threads and their participants into the organization: a thread is there for the user whose account it is, and for
 * whoever may see a contact that takes part in it.
 */
export async function layThreads(kith: TestKith, { id, schema }: TestOrganization): Promise<Threads> {
  const table = (name: string) => identifier(schema, name);
  const run = async (query: Sql) => void (await kith.database.database.run(id, statement(query)));
  const raise = () => run(sql`update ${table('_organization')} set model_version = model_version + 1`);
  const addField: Threads['addField'] = async (objectName, name, definition, column) => {
    await run(sql`insert into ${table('_fields')} (id, object_id, name, position, definition)
      select ${newId()}::uuid, o.id, ${name}, 100, ${JSON.stringify(definition)}::jsonb from ${table('_objects')} o where o.name = ${objectName}`);
    if (column !== undefined) await run(sql`alter table ${table(column)} add column ${identifier(name)} uuid`);
    await raise();
  };
  await run(sql`create table ${table('_letters')} (${trusted(fixed)}, subject text collate "C", account uuid)`);
  await run(sql`create table ${table('_parties')} (${trusted(fixed)}, letter_id uuid, contact_id uuid)`);
  const described: readonly [string, Partial<ObjectDefinition>, Readonly<Record<string, FieldDefinition>>][] = [
    [
      'letters',
      {
        displayField: 'subject',
        condition: {
          type: 'OR',
          conditions: [{ field: 'account', operator: 'equals', value: '$me' }, { sees: 'parties' }],
        },
      },
      letters,
    ],
    ['parties', { displayField: 'id', condition: { type: 'AND', conditions: [{ sees: 'contact_id' }] } }, parties],
  ];
  for (const [name, more, fields] of described) {
    const definition = { label: name, labelSingular: name, isSystem: true, iconName: null, color: null, ...more };
    const whole = JSON.stringify({ ...definition, kind: 'internal', table: `_${name}` });
    await run(
      sql`insert into ${table('_objects')} (id, name, position, definition) values (${newId()}::uuid, ${name}, 100, ${whole}::jsonb)`,
    );
    for (const [field, is] of Object.entries(fields)) await addField(name, field, is);
  }
  return {
    run,
    table,
    addField,
    async thread(subject, account, contacts) {
      const thread = newId();
      await run(
        sql`insert into ${table('_letters')} (id, subject, account) values (${thread}::uuid, ${subject}, ${account}::uuid)`,
      );
      for (const contact of contacts)
        await run(
          sql`insert into ${table('_parties')} (id, letter_id, contact_id) values (${newId()}::uuid, ${thread}::uuid, ${contact}::uuid)`,
        );
      return thread;
    },
  };
}
