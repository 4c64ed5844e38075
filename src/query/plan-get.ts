/** One record by its id, as one statement, which is made once for a role and an object. */
import { bytesOfText } from '../lib/lru.ts';
import type { LongText } from '../lib/long-text.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { join, slot, sql, template, type Statement } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import { entryFields } from './entry-fields.ts';
import { objectScope } from './object-scope.ts';
import { alias } from './plan.ts';
import { tableOf } from './row-scope.ts';
import { selectRecord } from './selection.ts';
import { timelessMemory, watch } from './timeless.ts';
import { visibleRow } from './where.ts';

export interface FoundRecord {
  readonly record: LongText;
  readonly lists: string | null;
  /** The tag of its state; null where only some of its fields were asked for. */
  readonly tag: string | null;
}

export interface GetPlan {
  readonly statement: Statement;
  /** The record and the lists that it is on, both JSON text; undefined when the caller can see no such record. */
  read(rows: readonly Row[]): Promise<FoundRecord | undefined>;
}

type PlanOf = (id: string) => GetPlan;

const compiled = timelessMemory<PlanOf>('gets');

/** One record by id (a UUID), with `[{ list_id, list_name, entry_id, entry_fields }]` or null for its lists. */
export function planGet(context: QueryContext, object: ObjectDef, id: string, fields?: readonly string[]): GetPlan {
  if (fields) return planOf(context, object, fields)(id);
  const found = compiled.recall(context, object, 'get');
  if (found) return found(id);
  const watching = watch(context);
  const planned = planOf(watching.watched, object);
  const plan = planned(id);
  compiled.remember(context, object, 'get', planned, smallParts + bytesOfText(plan.statement.text), watching);
  return plan;
}

/** What a plan takes beside its text; its selection is remembered by itself. */
const smallParts = 2_000;

function planOf(context: QueryContext, object: ObjectDef, fields?: readonly string[]): PlanOf {
  const { model } = context;
  const scope = objectScope(context, object, alias);
  const selection = selectRecord(object, context, alias, 'detail', fields);
  const lists = sql`(select json_agg(json_build_object('list_id', l.id, 'list_name', l.name, 'entry_id', e.id,
      'entry_fields', ${entryFields(sql`l`, sql`e`)}) order by l.name, e.id)::text
    from ${tableOf(model, '_list_entries')} e join ${tableOf(model, '_lists')} l on l.id = e.list_id
    where e.record_id = ${scope.row}.id)`;
  const wanted = slot((sent: string) => sent);
  const query = sql`select ${join([lists, ...selection.columns], ', ')} from ${tableOf(model, object.table)} ${scope.row}
    where ${scope.row}.id = ${wanted}::uuid and ${visibleRow(scope)}`;
  const statementOf: (id: string) => Statement = template(query, model.version);
  const read: GetPlan['read'] = async ([found]) => {
    if (!found) return undefined;
    const record = await selection.jsonInSlices(found, 1);
    return { record, lists: found[0] ?? null, tag: await selection.tag(found, 1) };
  };
  return (id) => ({ statement: statementOf(id), read });
}
