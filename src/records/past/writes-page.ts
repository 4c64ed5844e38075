/** The writes of a change set in order: each record with its fields before and after, as far as the caller sees it. */
import type { Call } from '../../access/call.ts';
import { jsonString } from '../../lib/json.ts';
import { joined, together, utf8Length, type LongText } from '../../lib/long-text.ts';
import { objectWithId } from '../../model/model.ts';
import { and, sql, statement } from '../../postgres/sql.ts';
import { mostBytes } from '../../query/fitting.ts';
import { openPage, type Page } from '../../query/paging.ts';
import { listsObjectId } from '../lists/list-history.ts';
import { seenEntry } from './change-sets-page.ts';
import { planWrite } from './history.ts';

export interface WritesRequest {
  /** The change set's id. */
  readonly id: string;
  readonly limit: number;
  readonly cursor: string | undefined;
}

interface Entry {
  readonly id: string;
  readonly objectId: string;
  readonly recordId: string;
  readonly action: string;
  /** The name of a list; null for records. */
  readonly name: string | null;
}

/** Entries whose values are read at once. */
const atOnce = 10;

/**
 * The page; empty where the caller sees nothing of the change set. Throws VALIDATION_ERROR for a cursor of another
 * list.
 */
export async function writesPage(call: Call, { id, limit, cursor }: WritesRequest): Promise<Page> {
  const { position, cursorAt } = openPage(call.signer, ['writes', id], 1, cursor, true);
  const { total, entries } = await entriesOf(call, id, position?.keys[0] ?? '0', limit + 1);
  const chosen = entries.slice(0, limit);
  const texts: LongText[] = [];
  let bytes = 0;
  let isFull = false;
  for (let at = 0; at < chosen.length && !isFull; at += atOnce) {
    for (const text of await textsOf(call, chosen.slice(at, at + atOnce))) {
      bytes += utf8Length(text);
      // The first is shown however large it is.
      isFull ||= texts.length > 0 && bytes > mostBytes;
      if (!isFull) texts.push(text);
    }
  }
  const last = chosen[texts.length - 1];
  return {
    data: together('[', joined(texts, ','), ']'),
    total,
    shown: texts.length,
    isTooLarge: false,
    ...(texts.length < chosen.length && { isCut: true }),
    ...(last && texts.length < entries.length && { nextCursor: cursorAt({ id, keys: [last.id] }) }),
  };
}

/** The entries after `after` that the caller sees, of existing objects, and their number. */
async function entriesOf(call: Call, id: string, after: string, most: number) {
  const { model, workspace } = call;
  const table = workspace.table('_history');
  const known = [...model.objects.values()].filter(({ kind }) => kind !== 'internal').map((object) => object.id);
  const isSeen = and([
    sql`h.change_set = ${id}::uuid`,
    sql`h.object_id = any(${[...known, listsObjectId]}::uuid[])`,
    seenEntry(call, sql`h`),
  ]);
  const found = await workspace.readOnPlainClient(
    statement(
      sql`select c.total, e.id, e.object_id, e.record_id, e.action, l.name
        from (select count(*) as total from ${table} h where ${isSeen}) c
        left join (select h.id, h.object_id, h.record_id, h.action from ${table} h
          where ${isSeen} and h.id > ${after}::bigint order by h.id limit ${most}::int) e on true
        left join ${workspace.table('_lists')} l on l.id = e.record_id and e.object_id = ${listsObjectId}::uuid
        order by e.id`,
      model.version,
    ),
  );
  const { rows } = found;
  const entries = rows.flatMap(([, entry, objectId, recordId, action, name = null]): Entry[] =>
    entry && objectId && recordId && action ? [{ id: entry, objectId, recordId, action, name }] : [],
  );
  return { total: Number(rows[0]?.[0] ?? 0), entries };
}

/** In the order of the entries. */
async function textsOf(call: Call, entries: readonly Entry[]): Promise<readonly LongText[]> {
  const plans = entries.map(({ id, objectId, recordId, action }) => {
    const object = objectWithId(call.model, objectId);
    return object && planWrite(call, object, recordId, id, action);
  });
  const found = await call.workspace.read(...plans.flatMap((plan) => plan?.statement ?? []));
  const answers = found.values();
  const texts: LongText[] = [];
  for (const [at, plan] of plans.entries()) {
    const entry = entries[at]!;
    texts.push(plan ? await plan.read(answers.next().value?.rows ?? []) : ofList(entry));
  }
  return texts;
}

/** For a list, its name and what was done. */
function ofList({ recordId, action, name }: Entry): LongText {
  const display = name === null ? 'null' : jsonString(name);
  return `{"object":"lists","id":"${recordId}","display":${display},"action":${jsonString(action)},"changes":[]}`;
}
