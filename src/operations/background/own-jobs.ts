/** The caller's running jobs and imports, which continue when their page is closed. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, derivedReading, quotedMember, reading, textMember } from '../../fields/members.ts';
import { parseJson } from '../../lib/json.ts';
import { objectWithId } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { sql } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { settledOf } from '../../records/import/jobs/outcomes.ts';
import type { Outcome } from '../../records/import/jobs/states.ts';
import { bulkKind, bulkProgress, type BulkJobInput } from './bulk-job.ts';
import { importKind } from './import-job.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Cursor, recordPage } from '../inputs.ts';
import { Id, Nullable, PageOf, Time } from '../outputs.ts';

export const listJobs = defineOperation({
  id: 'jobs.list',
  summary: "The caller's unfinished jobs, latest first",
  input: Type.Object({ limit: recordPage.input, cursor: Cursor }, { additionalProperties: false }),
  output: PageOf(
    Type.Object({
      id: Id,
      kind: Type.String({ enum: [bulkKind, importKind] }),
      status: Type.String({ enum: ['queued', 'running'] }),
      action: Nullable(Type.String({ description: 'Of a bulk change' })),
      object_name: Nullable(Type.String({ description: 'Null where the role does not view the object by now' })),
      import_job_id: Nullable(Id),
      change_set: Id,
      done: Type.Integer({ description: 'Records that it has looked at, or rows' }),
      total: Type.Integer({ description: 'Of so many' }),
      error: Nullable(Type.String({ description: 'Why it is tried again' })),
      created_at: Time,
    }),
  ),
  effect: 'read',
  cost: 'global',
  async run(call, { limit, cursor }) {
    const { workspace, me } = call;
    const table = workspace.table('_jobs');
    const kinds = call.visibility.isAdmin ? [bulkKind, importKind] : [bulkKind]; // only admins see imports
    const plan = planPage(
      call,
      {
        rows: { row: sql`j`, table, from: sql`${table} j` },
        visible: sql`j.workspace_user_id = ${me}::uuid and j.kind = any(${kinds}::text[]) and j.finished_at is null`,
        filters: [],
        order: latestFirst,
        identity: ['jobs', kinds],
        selection: selectionOf(readings(call)),
        beside: sql` left join ${workspace.table('_import_jobs')} i on i.job_id = j.id`,
      },
      { limit: recordPage.of(call, limit), cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});

const latestFirst = descendingBy(sql`j.created_at`, 'timestamptz');

function readings(call: Call): readonly Reading[] {
  const rows = sql`(i.analysis::json -> 'rows')::text`;
  const cells = [
    sql`j.kind`,
    sql`j.id`,
    sql`j.payload::text`,
    sql`j.progress::text`,
    sql`i.id`,
    sql`i.object_id`,
    rows,
    sql`i.outcome`,
  ];
  return [
    reading(sql`j.id`, quotedMember('id')),
    reading(sql`j.kind`, quotedMember('kind')),
    reading(sql`case j.state when 'waiting' then 'queued' else j.state end`, quotedMember('status')),
    derivedReading(cells, progressKeys, (row) => progressOf(call, row)),
    reading(sql`j.error`, textMember('error')),
    reading(sql`j.created_at`, datetimeMember('created_at')),
  ];
}

const progressKeys = ['action', 'object_name', 'import_job_id', 'change_set', 'done', 'total'] as const;

function progressOf(
  { model, visibility }: Call,
  [kind, id, payload, progress, importId = null, objectId, rows, outcome]: Row,
): Readonly<Record<(typeof progressKeys)[number], unknown>> {
  const asked = parseJson(payload ?? '{}') as unknown as BulkJobInput;
  const changeSet = asked.change_set ?? id;
  if (kind === importKind) {
    const counts = outcome ? (parseJson(outcome) as unknown as Outcome) : undefined;
    const object = objectWithId(model, objectId ?? '');
    const done = counts ? settledOf(counts) : 0;
    return {
      action: null,
      object_name: object?.name ?? null,
      import_job_id: importId,
      change_set: changeSet,
      done,
      total: Number(rows ?? 0),
    };
  }
  const object = model.objects.get(asked.object_name);
  const isSeen = object !== undefined && visibility.rows(object.name) !== 'none';
  return {
    action: asked.action,
    object_name: isSeen ? object.name : null,
    import_job_id: null,
    change_set: changeSet,
    done: bulkProgress(parseJson(progress ?? 'null')).seen,
    total: asked.expected_count,
  };
}
