/** Checks that stored totals equal the number of records. */
import type { Model, ObjectDef } from '../model/model.ts';
import { raiseState } from '../model/state.ts';
import type { Database } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { repairing, type Problem } from './finding.ts';
import { soMany } from '../lib/so-many.ts';

/** Objects whose stored total differs from their rows. */
export async function totalProblems(database: Database, model: Model): Promise<readonly Problem[]> {
  const { organizationId, schema } = model;
  const problems: Problem[] = [];
  for (const object of model.objects.values()) {
    // One statement is one snapshot: a concurrent write is in both numbers or in neither.
    const query = sql`select ${remembered(schema, object)}, ${counted(schema, object)}`;
    const [is, was] = (await database.run(organizationId, statement(query))).rows[0] ?? [];
    if (is === was) continue;
    problems.push({
      text: `${schema}.${object.name} has ${soMany(Number(was), 'record')} and remembers ${is}`,
      remedy: repairing,
      repair: () => database.run(organizationId, statement(correction(schema, object))),
    });
  }
  return problems;
}

const remembered = (schema: string, { id }: ObjectDef) =>
  sql`(select coalesce(sum(rows), 0)::bigint from ${identifier(schema, '_state')} where object_id = ${id}::uuid)`;

const counted = (schema: string, { table }: ObjectDef) =>
  sql`(select count(*) from ${identifier(schema, table)} where deleted_at is null)`;

/** Adds the difference, as writers do, so that concurrent writes stay correct. */
function correction(schema: string, object: ObjectDef): Sql {
  const difference = sql`${counted(schema, object)} - ${remembered(schema, object)}`;
  // Next to tables of records, Citus cannot evaluate a bucket from a subquery.
  return raiseState(schema, sql`${object.id}::uuid`, difference, { bucket: sql`0` });
}
