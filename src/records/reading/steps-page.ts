/**
 * A record's past in its pipelines: the steps that it left, and its total time at each. [spec: Record in a pipeline]
 */
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading } from '../../fields/members.ts';
import { optionMember } from '../../fields/types/pipeline.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { identifier, instant, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { descendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { visibleRow } from '../../query/where.ts';
import { showsCreationTime, showsActors } from '../past/past.ts';
import type { PipelineFields } from '../writing/pipeline-fields.ts';
import { userReading } from './user-reading.ts';

/** The total time of a record at a step. */
export interface TimeAtStep {
  readonly pipeline_step_id: string;
  /** Null for a deleted step. */
  readonly pipeline_step_id_display: string | null;
  /** Null where the role may not see the times. */
  readonly seconds: number | null;
  readonly is_current: boolean;
}

/** Undefined where the caller sees no such record. Throws VALIDATION_ERROR for a cursor of another list. */
export async function stepsPage(
  call: Call,
  object: ObjectDef,
  fields: PipelineFields,
  id: string,
  request: PageRequest,
): Promise<{ readonly page: Page; readonly times: readonly TimeAtStep[] } | undefined> {
  const { workspace } = call;
  const details = visibleDetails(call, object, fields);
  const table = workspace.table('_pipeline_step_history');
  const plan = planPage(
    call,
    {
      rows: { row: sql`w`, table, from: sql`${table} w` },
      visible: sql`w.record_id = ${id}::uuid`,
      filters: [],
      order: latestFirst,
      identity: ['steps', object.id, id],
      selection: selectionOf([
        reading(sql`w.id`, quotedMember('id')),
        ...shownPlaces(call, details),
        reading(details.times ? enteredAt(details) : sql`null::timestamptz`, datetimeMember('entered_at')),
        reading(sql`w.left_at`, datetimeMember('left_at')),
        userReading('moved_by'),
      ]),
      beside: sql` left join ${workspace.table('_users')} u on u.id = w.actor_id and ${details.movers}
        left join ${workspace.table(object.table)} m on m.id = w.record_id`,
    },
    request,
  );
  const [times, found] = await workspace.read(timesOf(call, object, fields, id), plan.statement);
  if (times?.rows[0] === undefined) return undefined;
  return { page: await plan.read(found?.rows ?? []), times: times.rows.flatMap((row) => timeAt(call, details, row)) };
}

const latestFirst = descendingBy(sql`coalesce(w.left_at, w.entered_at)`, 'timestamptz');

/** What the role may know besides the steps. */
interface VisibleDetails {
  readonly pipelines: boolean;
  /** When the record entered a step. */
  readonly times: boolean;
  /** When it was created, which is when it entered its first step. */
  readonly beginning: boolean;
  readonly movers: boolean;
}

function visibleDetails(call: Call, object: ObjectDef, { pipeline, enteredAt: since }: PipelineFields): VisibleDetails {
  return {
    pipelines: call.visibility.shows(object.name, pipeline.name),
    times: call.visibility.shows(object.name, since.name),
    beginning: showsCreationTime(call, object),
    movers: showsActors(call, object),
  };
}

/** A record that was never moved entered the step when it was created. */
function enteredAt({ beginning }: VisibleDetails): Sql {
  return beginning ? sql`w.entered_at` : sql`case when w.entered_at > m.created_at then w.entered_at end`;
}

function shownPlaces({ model: { pipelines } }: Call, details: VisibleDetails): readonly Reading[] {
  const steps = pipelines.flatMap((pipeline) => pipeline.steps);
  return [
    {
      columns: [details.pipelines ? sql`w.pipeline_id` : sql`null::uuid`],
      members: [quotedMember('pipeline_id'), optionMember('pipeline_id_display', pipelines)],
    },
    {
      columns: [sql`w.step_id`],
      members: [quotedMember('pipeline_step_id'), optionMember('pipeline_step_id_display', steps)],
    },
  ];
}

/**
 * Rows with each step from the record's past; a single empty row if it had none; no rows if the record is not
 * visible.
 */
function timesOf(call: Call, object: ObjectDef, { step, enteredAt: since }: PipelineFields, id: string): Statement {
  const now = instant(call.now);
  const query = sql`with r as (select r.id, r.${identifier(step.name)} as step, r.${identifier(since.name)} as since
      from ${call.workspace.table(object.table)} r where r.id = ${id}::uuid and ${visibleRow(objectScope(call, object, 'r'))}),
    stays as (
      select (h.before ->> ${step.id})::uuid as step, extract(epoch from h.at - (h.before ->> ${since.id})::timestamptz) as seconds, false as is_current
        from r join ${call.workspace.table('_history')} h on h.record_id = r.id and h.before ? ${step.id}
      union all select r.step, extract(epoch from ${now} - r.since), true from r)
    select s.step, greatest(0, round(sum(s.seconds))), bool_or(s.is_current) from r left join stays s on s.step is not null
    group by s.step order by max(s.seconds) filter (where s.is_current) nulls last, s.step`;
  return statement(query, call.model.version);
}

function timeAt({ model }: Call, details: VisibleDetails, [id, seconds, isCurrent]: Row): readonly TimeAtStep[] {
  if (!id) return [];
  const step = model.pipelines.flatMap(({ steps }) => steps).find((known) => known.id === id);
  return [
    {
      pipeline_step_id: id,
      pipeline_step_id_display: step?.name ?? null,
      seconds: details.times && details.beginning ? Number(seconds ?? 0) : null,
      is_current: isCurrent === 't',
    },
  ];
}
