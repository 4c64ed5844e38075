/**
 * Create and update of one record: one statement that checks the caller, locks what it points at, changes the row, and
 * leaves history and state. It always answers one row, which tells what held and what did not.
 */
import type { Call } from '../../access/call.ts';
import type { LongText } from '../../lib/long-text.ts';
import { StaleCaller, type WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, Mistakes, type FieldError } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row, Rows } from '../../postgres/database.ts';
import { and, identifier, join, sql, type Sql } from '../../postgres/sql.ts';
import { selectRecord } from '../../query/selection.ts';
import { objectScope } from '../../query/object-scope.ts';
import { compileRule, visibleRow } from '../../query/where.ts';
import { authorOf, beforeImage, leave, linksOf, type WrittenLinks } from './leave.ts';
import { bound, castType, storedColumns } from './columns.ts';
import type { Decoded } from './decode.ts';
import { settledChildren } from './dependents.ts';
import { judgeLocked } from './judge-locked.ts';
import { firstStep, pipelineFields, type PipelineFields } from './pipeline-position.ts';
import { hugeRecord, sizeCondition } from './record-size.ts';
import { checkReferences, withClauses, type ReferenceChecks } from './references.ts';
import { joinedParts, joinTexts, searchParts } from './search-parts.ts';

/** Where the statement runs: by itself, or in a transaction that also writes links. */
export type Run = (query: Sql) => Promise<Rows>;

/** The record as the caller sees it, or null where it may not see what it has written. */
export type Written = { readonly json: LongText; readonly tag: string } | null;

/** Inserts the record `id`. Throws VALIDATION_ERROR for a reference that does not hold, StaleCaller when the guard fails. */
export async function insertRecord(
  call: Call,
  run: Run,
  object: ObjectDef,
  id: string,
  decoded: Decoded,
  links?: WrittenLinks,
): Promise<Written> {
  const now = new Date(call.now).toISOString();
  const parts = await searchParts(object, decoded.cells);
  const references = checkReferences(call, object, decoded);
  const columns = storedColumns(object);
  const values = columns.map((column) => {
    if (column.field.type === 'ID') return sql`${id}::uuid`;
    if (column.name === 'created_at' || column.name === 'updated_at') return sql`${now}::timestamptz`;
    return bound(decoded.cells.get(column.field)?.[column.at] ?? null, column);
  });
  const names = columns.map((column) => identifier(column.name));
  const clauses = [
    ...references.locks,
    sql`written as (insert into ${call.workspace.table(object.table)} (${join(names, ', ')}, search_parts, search_text)
      select ${join(values, ', ')}, ${JSON.stringify(parts)}::jsonb, ${joinTexts(object, parts)} where ${and([call.workspace.guard, ...references.conditions])} returning *)`,
    ...leave(authorOf(call), { objectId: object.id, action: 'create', ...linksOf(links) }, 1),
  ];
  return answer(call, run, object, clauses, references, []);
}

/**
 * Locks the record and judges it as it is, for an update that changes its links before its row: a rule may look at them.
 * Throws RECORD_NOT_FOUND, PERMISSION_DENIED.
 */
export async function lockForUpdate(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  id: string,
): Promise<void> {
  const was = objectScope(call, object, 'was');
  const may = await judgeLocked(call, tx, was, id, visibleRow(was), call.visibility.updates(object.name));
  refuseUpdate(object, id, { seen: may !== undefined, before: may === true, after: true });
}

/**
 * Updates the columns that `decoded` names, under the policy of the row before and after; with `links`, the row before was
 * judged when it was locked. Throws RECORD_NOT_FOUND, PERMISSION_DENIED, VALIDATION_ERROR, StaleCaller.
 */
export async function updateRecord(
  call: Call,
  run: Run,
  object: ObjectDef,
  id: string,
  decoded: Decoded,
  links?: WrittenLinks,
): Promise<Written> {
  const table = call.workspace.table(object.table);
  const was = objectScope(call, object, 'was');
  const will = objectScope(call, object, 'will');
  const rule = call.visibility.updates(object.name);
  const references = checkReferences(call, object, decoded, { was: was.row, will: will.row });
  const fits = sizeCondition(object, decoded, was.row, will.row) ?? sql`true`;
  const { image: after, beside } = nextImage(call, object, decoded, await searchParts(object, decoded.cells));
  const set = after.filter(({ changes }) => changes).map(({ name }) => name);
  const clauses = [
    ...references.locks,
    sql`was as materialized (select * from ${table} t where t.id = ${id}::uuid and t.deleted_at is null for update)`,
    sql`will as (select ${join(
      after.map(({ name, value }) => sql`${value} as ${identifier(name)}`),
      ', ',
    )} from was${beside})`,
    sql`checked as materialized (select ${links ? sql`true` : visibleRow(was)} as seen, ${links ? sql`true` : compileRule(rule, was)} as before,
      ${compileRule(rule, will)} as after, ${fits} as fits, ${and([call.workspace.guard, ...references.conditions])} as holds
      from was, will)`,
    sql`written as (update ${table} t set ${join(
      set.map((name) => sql`${identifier(name)} = will.${identifier(name)}`),
      ', ',
    )}
      from will, checked where t.id = will.id and checked.seen and checked.before and checked.after and checked.fits and checked.holds returning t.*)`,
    ...leave(
      authorOf(call),
      {
        objectId: object.id,
        action: 'update',
        before: sql`(select ${beforeImage(object, new Set(set))} from was)`,
        ...linksOf(links),
      },
      0,
    ),
  ];
  return answer(
    call,
    run,
    object,
    clauses,
    references,
    [sql`checked.seen`, sql`checked.before`, sql`checked.after`, sql`checked.fits`],
    id,
  );
}

interface NextCell {
  readonly name: string;
  readonly value: Sql;
  readonly changes: boolean;
}

interface NextImage {
  readonly image: readonly NextCell[];
  /** What follows the row `was` in `from`, so that the image has values. */
  readonly beside: Sql;
}

/** The row as it would be: every column of the table, old or new. `parts` are the search texts that change. */
function nextImage(
  call: Call,
  object: ObjectDef,
  decoded: Decoded,
  parts: Readonly<Record<string, string>>,
): NextImage {
  const now = sql`${new Date(call.now).toISOString()}::timestamptz`;
  const position = pipelineFields(object);
  const step = position && nextStep(call, position, decoded);
  const children = settledChildren(call, object, decoded, sql`was`);
  const stored = storedColumns(object).map((column) => {
    const was = sql`was.${identifier(column.name)}`;
    const cells = decoded.cells.get(column.field);
    if (cells) return { name: column.name, value: bound(cells[column.at] ?? null, column), changes: true };
    if (column.name === 'updated_at') return { name: column.name, value: now, changes: true };
    const settled = children.next.get(column.field);
    if (settled) return { name: column.name, value: settled, changes: true };
    if (step && column.field === position.step) return { name: column.name, value: step, changes: true };
    if (step && column.field === position.enteredAt) {
      const moved = sql`was.${identifier(position.step.name)} is distinct from ${step}`;
      return {
        name: column.name,
        value: sql`case when ${moved} then ${now} else ${was} end::${castType(column)}`,
        changes: true,
      };
    }
    return { name: column.name, value: was, changes: false };
  });
  const changes = Object.keys(parts).length > 0;
  const merged = changes ? sql`(was.search_parts || ${JSON.stringify(parts)}::jsonb)` : sql`was.search_parts`;
  const image = [
    ...stored,
    { name: 'deleted_at', value: sql`was.deleted_at`, changes: false },
    { name: 'search_parts', value: merged, changes },
    { name: 'search_text', value: changes ? joinedParts(object, merged) : sql`was.search_text`, changes },
  ];
  return { image, beside: children.beside };
}

/** The step after the change, undefined where it names no position. To name the pipeline that the record is in moves nothing. */
function nextStep(call: Call, { pipeline, step }: PipelineFields, decoded: Decoded): Sql | undefined {
  const given = decoded.cells.get(step)?.[0];
  if (given) return sql`${given}::uuid`;
  const pipelineId = decoded.cells.get(pipeline)?.[0] ?? null;
  const first = firstStep(call.model.pipelines, pipelineId);
  if (first === undefined) return undefined;
  const stays = sql`was.${identifier(pipeline.name)} = ${pipelineId}::uuid`;
  return sql`case when ${stays} then was.${identifier(step.name)} else ${first}::uuid end`;
}

/** Runs the clauses and reads the one row: guard, whether it was written and is seen, the checks, references, then the record. */
async function answer(
  call: Call,
  run: Run,
  object: ObjectDef,
  clauses: readonly Sql[],
  references: ReferenceChecks,
  checks: readonly Sql[],
  id?: string,
): Promise<Written> {
  const written = objectScope(call, object, 'written');
  const selection = selectRecord(object, call, 'written', 'detail');
  const rows = id === undefined ? [] : ['checked', 'was', ...(references.lookAhead ? ['will'] : [])];
  const from = rows.map((name) => sql` left join ${identifier(name)} on true`);
  const facts: Sql[] = [
    call.workspace.guard,
    sql`written.id is not null`,
    visibleRow(written),
    ...checks,
    ...references.conditions,
  ];
  const result = await run(sql`${withClauses(clauses)}
    select ${join([...facts, ...selection.columns], ', ')} from (select 1) one${join(from, '')} left join written on true`);
  const row = result.rows[0];
  const read = async (found: Row) => {
    const json = await selection.jsonInSlices(found, facts.length);
    return { json, tag: (await selection.tag(found, facts.length)) ?? '' };
  };
  if (!row || row[0] !== 't') throw new StaleCaller();
  if (row[1] === 't') return row[2] === 't' ? read(row) : null;
  if (id !== undefined) {
    refuseUpdate(object, id, { seen: row[3] === 't', before: row[4] === 't', after: row[5] === 't' });
    if (row[6] !== 't') throw hugeRecord(object);
  }
  const mistakes = new Mistakes();
  for (const broken of brokenReferences(references, row, 3 + checks.length)) mistakes.add(broken);
  mistakes.refuse();
  throw errors.writeFailed(new Error('nothing was written and every check held'));
}

/** What the caller may see of the row and do with it, as it was and as it would be. */
interface Judgement {
  readonly seen: boolean;
  readonly before: boolean;
  readonly after: boolean;
}

function refuseUpdate(object: ObjectDef, id: string, { seen, before, after }: Judgement): void {
  if (!seen) throw errors.recordNotFound(object.name, id);
  if (!before) throw errors.permissionDenied(`Your role may not change this record of ${object.name}`);
  if (!after)
    throw errors.permissionDenied(`Your role may not change a record of ${object.name} so that it is out of its reach`);
}

/** The first problem of each field. */
function brokenReferences(references: ReferenceChecks, row: Row, at: number): FieldError[] {
  const broken = references.problems.filter((_, index) => row[at + index] !== 't');
  return broken.filter((problem, index) => broken.findIndex(({ field }) => field === problem.field) === index);
}
