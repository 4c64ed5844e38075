/** One record by id as one statement, which is built once per role and object. */
import { bytesOfText } from '../lib/lru.ts';
import type { Json } from '../lib/json.ts';
import { parseLongJson } from '../lib/long-json.ts';
import { joined, together, type LongText } from '../lib/long-text.ts';
import { mapInSlices } from '../lib/slices.ts';
import type { ObjectDef } from '../model/model.ts';
import type { Row } from '../postgres/database.ts';
import { join, slot, sql, template, type Statement } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import { entryColumns, entryFields } from './entry-fields.ts';
import { objectScope } from './object-scope.ts';
import { alias } from './plan.ts';
import { tableOf } from './row-scope.ts';
import { selectRecord } from './selection.ts';
import { timelessMemory, watch } from './timeless.ts';
import { visibleRow } from './where.ts';

export interface FoundRecord {
  readonly record: LongText;
  readonly lists: LongText | null;
  /** The tag of its state; null where only some fields were requested. */
  readonly tag: string | null;
}

export interface GetPlan {
  readonly statement: Statement;
  /** The record and its lists, both as JSON text; undefined when the caller can see no such record. */
  read(rows: readonly Row[]): Promise<FoundRecord | undefined>;
}

type PlanOf = (id: string) => GetPlan;

const compiled = timelessMemory<PlanOf>('gets');

/**
 * Plans the read of one record by id (a UUID), with `[{ list_id, list_name, entry_id, entry_fields }]` or null for
 * its lists.
 */
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

/** A plan's size beside its text; the selection is cached elsewhere. */
const smallParts = 2_000;

function planOf(context: QueryContext, object: ObjectDef, fields?: readonly string[]): PlanOf {
  const { model } = context;
  const scope = objectScope(context, object, alias);
  const selection = selectRecord(object, context, alias, 'detail', fields);
  const listOfEntry = sql`(select json_build_array(${join([sql`l.name`, sql`l.id`, ...entryColumns(sql`l`, sql`e`)], ', ')})
    from ${tableOf(model, '_lists')} l where l.id = e.list_id)`;
  const lists = sql`(select json_agg(json_build_array(e.id, ${listOfEntry}))::text
    from ${tableOf(model, '_list_entries')} e where e.record_id = ${scope.row}.id)`;
  const wanted = slot((sent: string) => sent);
  const query = sql`select ${join([lists, ...selection.columns], ', ')} from ${tableOf(model, object.table)} ${scope.row}
    where ${scope.row}.id = ${wanted}::uuid and ${visibleRow(scope)}`;
  const statementOf: (id: string) => Statement = template(query, model.version);
  const read: GetPlan['read'] = async ([found]) => {
    if (!found) return undefined;
    const record = await selection.jsonInSlices(found, 1);
    const lists = typeof found[0] === 'string' ? await listsText(found[0]) : null;
    return { record, lists, tag: await selection.tag(found, 1) };
  };
  return (id) => ({ statement: statementOf(id), read });
}

/** The record's lists as JSON text, sorted by name; null without any. `found` has an item for each entry. */
async function listsText(found: string): Promise<LongText | null> {
  const entries = (await parseLongJson(found)) as [id: string, list: Json[] | null][];
  // A list deleted meanwhile is left out.
  const lists = entries.flatMap(([entryId, list]) =>
    list ? { entryId, list, name: Buffer.from(String(list[0])) } : [],
  );
  if (lists.length === 0) return null;
  lists.sort((a, b) => a.name.compare(b.name) || (a.entryId < b.entryId ? -1 : 1));
  const texts = await mapInSlices(lists, ({ entryId, list: [name, listId, ...fields] }) => {
    const start = JSON.stringify({ list_id: listId, list_name: name, entry_id: entryId }).slice(0, -1);
    return `${start},"entry_fields":${entryFields(fields)}}`;
  });
  return together('[', joined(texts, ','), ']');
}
