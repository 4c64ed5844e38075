/** The imports of one organization as rows of its schema: the state of each file, and its rows in parts. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import { errors } from '../../../errors.ts';
import { dayMs } from '../../../lib/durations.ts';
import { isUuid } from '../../../lib/id.ts';
import { parseJson } from '../../../lib/json.ts';
import { identifier, instant, sql, statement, type Sql } from '../../../postgres/sql.ts';
import type { Analysis } from '../analysis.ts';
import type { TableRow } from '../reading/table.ts';
import type { Choice, Outcome, Preview } from './states.ts';

export interface StoredImport {
  readonly id: string;
  readonly objectId: string;
  readonly status: string;
  readonly analysis: Analysis;
  readonly choice: Choice | null;
  readonly preview: Preview | null;
  readonly outcome: Outcome | null;
  readonly error: string | null;
  readonly jobId: string | null;
  readonly changeSet: string | null;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly finishedAt: number | null;
  /** Whether its rows are still stored. */
  readonly hasRows: boolean;
}

/** Rows per part, which is one step; fewer where they are long. */
const rowsOfPart = 500;
const mostTextOfPart = 2_000_000;

/** How long a file's rows and its state are kept. */
export const rowsKeptMs = dayMs;
const importsKeptMs = 30 * rowsKeptMs;

/** Stores a file that was read. */
export async function insertImport(
  call: Call,
  tx: WorkspaceTransaction,
  {
    id,
    objectId,
    analysis,
    rows,
  }: Pick<StoredImport, 'id' | 'objectId' | 'analysis'> & { readonly rows: readonly TableRow[] },
): Promise<void> {
  const { workspace, caller, now } = call;
  await tx.run(sql`insert into ${workspace.table('_import_jobs')}
    (id, workspace_user_id, object_id, status, analysis, created_at, has_rows)
    values (${id}::uuid, ${caller.workspaceUserId}::uuid, ${objectId}::uuid, 'analyzed', ${JSON.stringify(analysis)}, ${instant(now)}, true)`);
  for (const [part, text] of partsOf(rows).entries()) {
    await tx.run(sql`insert into ${workspace.table('_import_parts')} (import_id, part, rows)
      values (${id}::uuid, ${part}::int, ${text})`);
  }
}

/** The parts as JSON, each with the index of its first row. */
function partsOf(rows: readonly TableRow[]): string[] {
  const parts: string[] = [];
  let items: string[] = [];
  let length = 0;
  let first = 0;
  const flush = () => {
    if (items.length > 0) parts.push(`{"first":${first},"rows":[${items.join(',')}]}`);
    first += items.length;
    items = [];
    length = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify('cells' in row ? row.cells : row);
    if (items.length === rowsOfPart || length + text.length > mostTextOfPart) flush();
    items.push(text);
    length += text.length;
  }
  flush();
  return parts;
}

export interface StoredPart {
  readonly part: number;
  readonly first: number;
  readonly rows: readonly TableRow[];
  /** The previewed result of each row. */
  readonly planned: readonly string[] | null;
  readonly failed: readonly (readonly [at: number, reason: string])[];
}

/** One part of a file; undefined after the last. */
export async function readPart(
  call: Call,
  tx: Pick<WorkspaceTransaction, 'run'>,
  importId: string,
  part: number,
): Promise<StoredPart | undefined> {
  const { rows } = await tx.run(partQuery(call, importId, part));
  const [row] = rows;
  return row && storedPart(part, row);
}

/** One part of a file, read outside a transaction. */
export async function readPartNoTx(call: Call, importId: string, part: number): Promise<StoredPart | undefined> {
  const [found] = await call.workspace.read(statement(partQuery(call, importId, part), call.model.version));
  const row = found?.rows[0];
  return row && storedPart(part, row);
}

function partQuery({ workspace }: Call, importId: string, part: number): Sql {
  return sql`select rows, planned, failed from ${workspace.table('_import_parts')}
    where import_id = ${importId}::uuid and part = ${part}::int`;
}

function storedPart(part: number, [text, planned, failed]: readonly (string | null)[]): StoredPart {
  const { first, rows } = parseJson(text ?? '') as unknown as { first: number; rows: (TableRow | [])[] };
  return {
    part,
    first,
    rows: rows.map((row) => (Array.isArray(row) ? { cells: row } : row)),
    planned: planned ? (parseJson(planned) as string[]) : null,
    failed: failed ? (parseJson(failed) as unknown as [number, string][]) : [],
  };
}

/** Stores the previewed results of a part's rows, or its failed rows. */
export async function updatePart(
  call: Call,
  tx: WorkspaceTransaction,
  importId: string,
  part: number,
  change: { readonly planned: readonly string[] } | { readonly failed: StoredPart['failed'] },
): Promise<void> {
  const set =
    'planned' in change
      ? sql`planned = ${JSON.stringify(change.planned)}`
      : sql`failed = ${JSON.stringify(change.failed)}`;
  await tx.run(sql`update ${call.workspace.table('_import_parts')} set ${set}
    where import_id = ${importId}::uuid and part = ${part}::int`);
}

const columns = sql`i.id, i.object_id, i.status, i.analysis, i.choice, i.preview, i.outcome, i.error, i.job_id, i.change_set,
  extract(epoch from i.created_at) * 1000, extract(epoch from i.finished_at) * 1000, i.has_rows`;

/** The import with that id, locked until the end of the transaction. Throws RECORD_NOT_FOUND. */
export async function lockImport(call: Call, tx: WorkspaceTransaction, id: string): Promise<StoredImport> {
  if (!isUuid(id)) throw errors.jobNotFound(id);
  const { rows } = await tx.run(
    sql`select ${columns} from ${call.workspace.table('_import_jobs')} i where i.id = ${id}::uuid for update`,
  );
  return storedImport(id, rows[0]);
}

/** The import with that id, without a lock. Throws RECORD_NOT_FOUND. */
export async function readImport(call: Call, id: string): Promise<StoredImport> {
  if (!isUuid(id)) throw errors.jobNotFound(id);
  const [found] = await call.workspace.read(
    statement(
      sql`select ${columns} from ${call.workspace.table('_import_jobs')} i where i.id = ${id}::uuid`,
      call.model.version,
    ),
  );
  return storedImport(id, found?.rows[0]);
}

function storedImport(importId: string, row: readonly (string | null)[] | undefined): StoredImport {
  if (!row) throw errors.jobNotFound(importId);
  const [
    id,
    objectId,
    status,
    analysis,
    choice,
    preview,
    outcome,
    error,
    jobId,
    changeSet,
    createdAt,
    finishedAt,
    has,
  ] = row;
  const value = (text: string | null | undefined) => (text ? (parseJson(text) as unknown) : null);
  return {
    id: id ?? '',
    objectId: objectId ?? '',
    status: status ?? '',
    analysis: value(analysis) as Analysis,
    choice: value(choice) as Choice | null,
    preview: value(preview) as Preview | null,
    outcome: value(outcome) as Outcome | null,
    error: error ?? null,
    jobId: jobId ?? null,
    changeSet: changeSet ?? null,
    createdAt: Number(createdAt),
    finishedAt: finishedAt === null || finishedAt === undefined ? null : Number(finishedAt),
    hasRows: has === 't',
  };
}

export interface ImportChange {
  readonly status?: string;
  readonly choice?: Choice;
  readonly preview?: Preview;
  readonly outcome?: Outcome;
  readonly error?: string;
  readonly jobId?: string;
  readonly changeSet?: string;
  readonly finishedAt?: number;
}

/** Stores the progress of an import. */
export async function updateImport(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  change: ImportChange,
): Promise<void> {
  const text = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const finished = change.finishedAt === undefined ? null : new Date(change.finishedAt).toISOString();
  await tx.run(sql`update ${call.workspace.table('_import_jobs')} set
    status = coalesce(${change.status ?? null}::text, status), choice = coalesce(${text(change.choice)}::text, choice),
    preview = coalesce(${text(change.preview)}::text, preview), outcome = coalesce(${text(change.outcome)}::text, outcome),
    error = coalesce(${change.error ?? null}::text, error), job_id = coalesce(${change.jobId ?? null}::uuid, job_id),
    change_set = coalesce(${change.changeSet ?? null}::uuid, change_set),
    finished_at = coalesce(${finished}::timestamptz, finished_at)
    where id = ${id}::uuid`);
}

/** Deletes rows of files that will not be executed any more, and old imports; run by the sweep. */
export function forgetImports(schema: string, now: number): readonly Sql[] {
  const [imports, parts] = [identifier(schema, '_import_jobs'), identifier(schema, '_import_parts')];
  const old = sql`has_rows and created_at <= ${instant(now - rowsKeptMs)} and status not in ('queued', 'running')`;
  return [
    sql`delete from ${parts} where import_id in (select id from ${imports} where ${old})`,
    sql`update ${imports} set has_rows = false where ${old}`,
    sql`delete from ${imports} where created_at <= ${instant(now - importsKeptMs)} and not has_rows`,
  ];
}
