/** The imports of an organization, latest first, with their progress. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, derivedReading, quotedMember, reading, textMember } from '../../fields/members.ts';
import { jobNamedBy } from '../../jobs/table.ts';
import { parseJson } from '../../lib/json.ts';
import { objectWithId } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { instant, sql, type Sql } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { settledOf } from '../../records/import/jobs/outcomes.ts';
import { importStatuses, nothingYet, type Outcome } from '../../records/import/jobs/states.ts';
import { rowsKeptMs } from '../../records/import/jobs/table.ts';
import { formats } from '../../records/import/reading/kind-of-file.ts';
import { sourceNamed } from '../../records/import/sources/sources.ts';
import { endedEarly } from '../background/import-job.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Choice, Cursor, recordPage } from '../inputs.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

const ImportRow = Type.Object({
  import_job_id: Id,
  status: Type.String({ enum: [...importStatuses] }),
  object_name: Nullable(Type.String({ description: 'Null where the object is gone' })),
  file_name: Nullable(Type.String()),
  format: Type.String({ enum: [...formats] }),
  source: Nullable(Type.String({ description: 'The program that the file comes from' })),
  rows: Type.Integer(),
  done: Type.Integer({ description: 'Rows that something has become of' }),
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer(),
  error: Nullable(Type.String()),
  change_set: Nullable(Id),
  user: Id,
  user_display: Nullable(Type.String()),
  created_at: Time,
  finished_at: Nullable(Time),
});

/** The statuses of an import that was not executed yet. */
const open: readonly string[] = ['analyzed', 'previewed'];

export const listImports = defineOperation({
  id: 'imports.list',
  summary: 'Imports of the last thirty days with their progress, latest first',
  input: Type.Object(
    {
      status: Type.Optional(Choice(importStatuses)),
      user: Type.Optional(Type.String({ format: 'uuid', description: 'Id of a user: that one’s alone' })),
      limit: recordPage.input,
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  output: PageOf(ImportRow),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Importing records',
  async run(call, { status, user, limit, cursor }) {
    const { workspace } = call;
    const table = workspace.table('_import_jobs');
    const plan = planPage(
      call,
      {
        rows: { row: sql`i`, table, from: sql`${table} i` },
        visible: sql`true`,
        filters: [
          ...(status === undefined ? [] : [sql`${statusNow(call)} = ${status}`]),
          ...(user === undefined ? [] : [sql`i.workspace_user_id = ${user}::uuid`]),
        ],
        order: latestFirst,
        identity: ['imports', status ?? '', user?.toLowerCase() ?? ''],
        selection: selectionOf(readings(call)),
        beside: sql` left join ${workspace.table('_users')} u on u.id = i.workspace_user_id`,
      },
      { limit: recordPage.of(call, limit), cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});

const latestFirst = descendingBy(sql`i.created_at`, 'timestamptz');

/**
 * The current status, even before the sweep has stored it: an import whose job is gone has failed; one whose rows are
 * deleted has expired.
 */
function statusNow(call: Call): Sql {
  const isOld = sql`(not i.has_rows or i.created_at <= ${instant(call.now - rowsKeptMs)})`;
  return sql`case when i.status = any(${open}::text[]) and ${isOld} then 'expired'
    when ${isLost(call)} then 'failed' else i.status end`;
}

function isLost({ model }: Call): Sql {
  const { isUnfinished } = jobNamedBy(model.schema, sql`i.job_id`);
  return sql`(i.status in ('queued', 'running') and i.job_id is not null and not ${isUnfinished})`;
}

function readings(call: Call): readonly Reading[] {
  const { error, finishedAt } = jobNamedBy(call.model.schema, sql`i.job_id`);
  const known = (key: string) => sql`(i.analysis::json -> ${key}::text)::text`;
  const cells = [sql`i.object_id`, known('fileName'), known('format'), known('source'), known('rows'), sql`i.outcome`];
  return [
    reading(sql`i.id`, quotedMember('import_job_id')),
    reading(statusNow(call), quotedMember('status')),
    derivedReading(cells, countedKeys, (row) => counted(call, row)),
    reading(
      sql`case when ${isLost(call)} then coalesce(i.error, ${error}, ${endedEarly}) else i.error end`,
      textMember('error'),
    ),
    reading(sql`i.change_set`, quotedMember('change_set')),
    reading(sql`i.workspace_user_id`, quotedMember('user')),
    reading(sql`u.name`, textMember('user_display')),
    reading(sql`i.created_at`, datetimeMember('created_at')),
    reading(
      sql`case when ${isLost(call)} then coalesce(${finishedAt}, ${instant(call.now)}) else i.finished_at end`,
      datetimeMember('finished_at'),
    ),
  ];
}

const countedKeys = [
  'object_name',
  'file_name',
  'format',
  'source',
  'rows',
  'done',
  'created',
  'updated',
  'skipped',
  'failed',
] as const;

function counted(
  { model }: Call,
  [objectId, fileName, format, source, rows, outcome]: Row,
): Readonly<Record<(typeof countedKeys)[number], unknown>> {
  const value = (text: string | null | undefined): unknown => (text ? parseJson(text) : null);
  const counts = (value(outcome) as Outcome | null) ?? nothingYet;
  const { created, updated, skipped, failed } = counts;
  return {
    object_name: objectWithId(model, objectId ?? '')?.name ?? null,
    file_name: value(fileName),
    format: value(format),
    source: sourceNamed((value(source) as string | null) ?? undefined)?.name ?? null,
    rows: value(rows),
    done: settledOf(counts),
    created,
    updated,
    skipped,
    failed,
  };
}
