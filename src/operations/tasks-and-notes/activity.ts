/** [spec: Activity] The messages, tasks and notes of a record. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { together, whole, type LongText } from '../../lib/long-text.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { channels } from '../../model/channels.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { sql, statement, type Statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { Page } from '../../query/paging.ts';
import { labelOf } from '../../query/read-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { noInteractions, planInteractions } from '../../records/activity/interactions-section.ts';
import { planNotes, planTasks } from '../../records/activity/linked-sections.ts';
import type { SectionPlan } from '../../records/activity/section.ts';
import { missingRecord } from '../../records/merging/old-ids.ts';
import { recordId } from '../../records/reading/named.ts';
import { defineRecordOperation, JsonText } from '../door/operation.ts';
import { Choice, ObjectName, pageSize, RecordId } from '../inputs.ts';
import { tasksIn, type TaskMode } from './task-times.ts';
import { Id, Nullable, Time } from '../outputs.ts';

const activityPage = pageSize(20, 50);
const kinds = ['interactions', 'tasks', 'notes'] as const;
type Kind = (typeof kinds)[number];
const kindOf = { interactions: 'interaction', tasks: 'task', notes: 'note' } as const;
/** There are no `phone` messages yet. */
const activityChannels = [...channels, 'phone'] as const;

const Person = Nullable(Type.Object({ id: Id, display: Type.String() }));
const Section = Type.Object({
  available: Type.Optional(Type.Boolean({ description: 'With interactions alone' })),
  reason: Type.Optional(Type.String()),
  items: Type.Array(
    Type.Object(
      {
        id: Id,
        date: Time,
        channel: Type.Optional(Type.String()),
        direction: Type.Optional(Type.String()),
        subject: Type.Optional(Nullable(Type.String())),
        preview: Type.Optional(Nullable(Type.String())),
        participants: Type.Optional(Type.Array(Type.String())),
        thread_id: Type.Optional(Id),
        title: Type.Optional(Nullable(Type.String())),
        status: Type.Optional(Nullable(Type.String({ enum: ['open', 'done'] }))),
        due_date: Type.Optional(Nullable(Time)),
        priority: Type.Optional(Nullable(Type.String())),
        assignee: Type.Optional(Person),
        author: Type.Optional(Person),
        kind: Type.Optional(Type.String({ enum: ['interaction', 'task', 'note'] })),
      },
      { description: 'The keys of its kind' },
    ),
  ),
  total: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String()),
});

const SectionCursor = (kind: Kind) => Type.Optional(Type.String({ description: `next_cursor of the ${kind} before` }));

export const recordActivity = defineRecordOperation({
  id: 'activity.record',
  summary: 'Messages, tasks and notes around a record, in sections or as one timeline',
  input: Type.Object(
    {
      object: ObjectName,
      id: RecordId,
      view: Type.Optional(Choice(['sections', 'timeline'], 'sections')),
      include: Type.Optional(Type.String({ description: `Comma-separated: ${kinds.join(', ')}; all when absent` })),
      channel: Type.Optional(Choice(['all', ...activityChannels], 'all')),
      contact_id: Type.Optional(Type.String({ description: 'Of a company: messages of this contact alone' })),
      task_status: Type.Optional(Choice(['open', 'completed', 'all'], 'all')),
      task_mode: Type.Optional(Choice(['today', 'overdue', 'upcoming'])),
      notes_quick_filter: Type.Optional(Choice(['all', 'my_items'], 'all')),
      cursor: Type.Optional(Type.String({ description: 'next_cursor of the interactions before, or of the timeline' })),
      interactions_cursor: SectionCursor('interactions'),
      tasks_cursor: SectionCursor('tasks'),
      notes_cursor: SectionCursor('notes'),
      limit: activityPage.input,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    record: Type.Object({ object_name: Type.String(), id: Id, display: Nullable(Type.String()) }),
    interactions: Type.Optional(Section),
    tasks: Type.Optional(Section),
    notes: Type.Optional(Section),
    interactions_available: Type.Optional(Type.Boolean()),
    counts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    timeline: Type.Optional(Type.Array(Type.Unknown())),
    has_more: Type.Optional(Type.Boolean()),
    next_cursor: Type.Optional(Type.String({ description: 'Of the timeline, where there is more' })),
  }),
  needs: 'view',
  effect: 'read',
  cost: 'global',
  async run(call, input, object) {
    const id = recordId(object, input.id);
    const isTimeline = input.view === 'timeline';
    const included = includedKinds(input.include);
    const limit = activityPage.of(call, input.limit);
    const request: ActivityRequest = { ...input, id, limit, shares: included.length, isTimeline };
    const plans = new Map(included.map((kind) => [kind, planOf(call, object, kind, request)]));
    refuseStrayCursors(plans, request);
    const reads = [...plans.values()].map((plan) => plan?.statements ?? []);
    const [found, ...rest] = await call.workspace.read(recordStatement(call, object, id), ...reads.flat());
    const row = found?.rows[0];
    if (!row) throw await missingRecord(call, object, id);
    const record = { object_name: object.name, id, display: row[0] ?? null };
    const pages = new Map<Kind, Page | undefined>();
    for (const [kind, plan] of plans) pages.set(kind, await plan?.read(rest.splice(0, plan.statements.length)));
    if (isTimeline) return timelineOf(record, pages, plans, request.limit);
    return sectionsOf(record, pages, noInteractions(call, object.name));
  },
});

interface ActivityRequest {
  readonly id: string;
  readonly include?: string;
  readonly limit: number;
  /** The number of sections that share the size of the answer. */
  readonly shares: number;
  readonly isTimeline: boolean;
  readonly channel?: string;
  readonly contact_id?: string;
  readonly task_status?: string;
  readonly task_mode?: TaskMode;
  readonly notes_quick_filter?: string;
  readonly cursor?: string;
  readonly interactions_cursor?: string;
  readonly tasks_cursor?: string;
  readonly notes_cursor?: string;
}

type Plans = ReadonlyMap<Kind, SectionPlan | undefined>;

/** The sections of `include`. Throws VALIDATION_ERROR for an unknown one. */
function includedKinds(include: string | undefined): readonly Kind[] {
  const names = (include ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !kinds.some((kind) => kind === name));
  if (unknown !== undefined) throw errors.unknownName('section', unknown, kinds, didYouMean(unknown, kinds));
  return names.length === 0 ? kinds : kinds.filter((kind) => names.includes(kind));
}

/** The plan of a section; undefined if the object has no such section. Throws VALIDATION_ERROR for a cursor of another list. */
function planOf(
  call: Call,
  { name: objectName }: ObjectDef,
  kind: Kind,
  request: ActivityRequest,
): SectionPlan | undefined {
  const { id, limit, shares, isTimeline } = request;
  const own = {
    interactions: request.interactions_cursor ?? request.cursor,
    tasks: request.tasks_cursor,
    notes: request.notes_cursor,
  };
  // The cursor of a timeline serves all its sections, and no other timeline.
  const { include, channel, contact_id, task_status, task_mode, notes_quick_filter } = request;
  const timeline = isTimeline ? [include, channel, contact_id, task_status, task_mode, notes_quick_filter] : undefined;
  const cursor = isTimeline ? request.cursor : own[kind];
  const section = { objectName, recordId: id, limit, shares, timeline, cursor };
  if (kind === 'tasks') return planTasks(call, { ...section, where: taskFilter(call, request) });
  if (kind === 'notes') return planNotes(call, { ...section, where: noteFilter(call, request) });
  const { contact_id: contactId } = request;
  if (contactId !== undefined && !isUuid(contactId)) throw errors.recordNotFound('contacts', contactId);
  return planInteractions(call, {
    ...section,
    channel: request.channel === 'all' ? undefined : request.channel,
    contactId,
  });
}

/** Throws VALIDATION_ERROR for a cursor that no section uses. */
function refuseStrayCursors(plans: Plans, request: ActivityRequest): void {
  const { isTimeline, cursor, interactions_cursor, tasks_cursor, notes_cursor } = request;
  const has = (kind: Kind) => !isTimeline && plans.get(kind) !== undefined;
  const isAny = isTimeline && [...plans.values()].some((plan) => plan !== undefined);
  const given = [
    { name: 'cursor', value: cursor, goesOn: isAny || (has('interactions') && interactions_cursor === undefined) },
    { name: 'interactions_cursor', value: interactions_cursor, goesOn: has('interactions') },
    { name: 'tasks_cursor', value: tasks_cursor, goesOn: has('tasks') },
    { name: 'notes_cursor', value: notes_cursor, goesOn: has('notes') },
  ];
  const stray = given.find(({ value, goesOn }) => value !== undefined && !goesOn);
  if (stray) throw errors.validation(`Nothing of this answer goes on by ${stray.name}: leave it out`);
}

function taskFilter(
  call: Call,
  { task_status: status = 'all', task_mode: mode = 'all' }: ActivityRequest,
): readonly FilterGroup[] {
  const operator = status === 'completed' ? 'equals' : 'not_equals';
  const isWanted: FilterGroup = { type: 'AND', conditions: [{ field: 'is_completed', operator, value: true }] };
  const due = tasksIn(mode, call);
  return [...(status === 'all' ? [] : [isWanted]), ...(due ? [due] : [])];
}

function noteFilter({ me }: Call, { notes_quick_filter: filter }: ActivityRequest): readonly FilterGroup[] {
  if (filter !== 'my_items') return [];
  return [{ type: 'AND', conditions: [{ field: 'created_by', operator: 'equals', value: me }] }];
}

/** Selects the record's label; no row if the caller may not see the record. */
function recordStatement(call: Call, object: ObjectDef, id: string): Statement {
  const scope = objectScope(call, object, 'r');
  const query = sql`select ${labelOf(scope) ?? sql`null::text`} from ${call.workspace.table(object.table)} r
    where r.id = ${id}::uuid and ${visibleRow(scope)}`;
  return statement(query, call.model.version);
}

function sectionsOf(record: object, pages: ReadonlyMap<Kind, Page | undefined>, reason: string | undefined): JsonText {
  const parts: LongText[] = [`{"record":${JSON.stringify(record)}`];
  for (const [kind, page] of pages) {
    parts.push(`,"${kind}":`, ...sectionText(kind, page, reason));
  }
  return new JsonText(together(...parts, '}'));
}

/** The JSON of a section; `reason` says why interactions are unavailable. */
function sectionText(kind: Kind, page: Page | undefined, reason: string | undefined): readonly LongText[] {
  if (!page) {
    const absent = kind === 'interactions' ? { available: false, reason } : {};
    return [JSON.stringify({ ...absent, items: [], total: 0, has_more: false })];
  }
  const { total, nextCursor } = page;
  const rest = {
    ...(kind === 'interactions' && { available: true }),
    total,
    has_more: nextCursor !== undefined,
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
  };
  return ['{"items":', page.data, `,${JSON.stringify(rest).slice(1)}`];
}

interface Item {
  readonly id: string;
  readonly date: string;
}

/** The latest items of all sections, as one page. The cursor after its last item serves every section, as all are sorted by time and id. */
function timelineOf(record: object, pages: ReadonlyMap<Kind, Page | undefined>, plans: Plans, limit: number): object {
  const items = [...pages].flatMap(([kind, page]) =>
    (page ? (JSON.parse(whole(page.data)) as Item[]) : []).map((item) => ({ kind: kindOf[kind], ...item })),
  );
  const sorted = items.toSorted((a, b) => compare(microseconds(b.date), microseconds(a.date)) || compare(b.id, a.id));
  const timeline = sorted.slice(0, limit);
  const hasMore = sorted.length > limit || [...pages.values()].some((page) => page?.nextCursor !== undefined);
  const last = timeline.at(-1);
  const anyPlan = [...plans.values()].find((plan) => plan !== undefined);
  const counts = Object.fromEntries(kinds.map((kind) => [kind, pages.get(kind)?.total ?? 0]));
  return {
    record,
    ...(pages.has('interactions') && { interactions_available: pages.get('interactions') !== undefined }),
    counts,
    timeline,
    has_more: hasMore,
    ...(hasMore && last && anyPlan && { next_cursor: anyPlan.cursorAt({ id: last.id, keys: [last.date] }) }),
  };
}

/** A time with fixed length, so that times can be compared as texts. */
function microseconds(time: string): string {
  return `${time.slice(0, -1)}000`.slice(0, 26);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
