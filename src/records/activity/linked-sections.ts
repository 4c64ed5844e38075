/** Tasks and notes in the activity of the records they are linked to. */
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { textColumnOf } from '../../fields/types/rich-text.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { identifier, sql, type Sql } from '../../postgres/sql.ts';
import { Budget } from '../../query/budget.ts';
import { callersScope } from '../../query/callers-scope.ts';
import { objectScope } from '../../query/object-scope.ts';
import { descendingBy } from '../../query/order.ts';
import { selectionOf } from '../../query/selection.ts';
import { compileFilter, visibleRow } from '../../query/where.ts';
import { previewOf } from '../conversations/contents.ts';
import { userReading } from '../reading/user-reading.ts';
import { planSection, type SectionPlan, type SectionRequest } from './section.ts';

export interface LinkedRequest extends SectionRequest {
  /** Further conditions on the tasks or notes. */
  readonly where: readonly FilterGroup[];
}

/** Plans the tasks linked to the record; undefined where there can be none. */
export function planTasks(call: Call, request: LinkedRequest): SectionPlan | undefined {
  return planLinked(call, 'tasks', request, (object) => {
    const shown = shownIn(call, object);
    return {
      beside: sql` left join ${call.workspace.table('_users')} u on u.id = r.assigned_to_id`,
      readings: [
        reading(sql`r.id`, quotedMember('id')),
        ...shown('title', (title) => reading(title, textMember('title'))),
        ...shown('is_completed', (isCompleted) =>
          reading(sql`case when ${isCompleted} then 'done' else 'open' end`, quotedMember('status')),
        ),
        ...shown('due_date', (due) => reading(due, datetimeMember('due_date'))),
        ...shown('priority', (priority) => reading(priority, textMember('priority'))),
        ...shown('assigned_to_id', () => userReading('assignee')),
        reading(sql`r.created_at`, datetimeMember('date')),
      ],
    };
  });
}

/** Plans the visible notes linked to the record; undefined where there can be none. */
export function planNotes(call: Call, request: LinkedRequest): SectionPlan | undefined {
  return planLinked(call, 'notes', request, (object) => {
    const shown = shownIn(call, object);
    return {
      beside: sql` left join ${call.workspace.table('_users')} u on u.id = r.created_by`,
      readings: [
        reading(sql`r.id`, quotedMember('id')),
        ...shown('title', (title) => reading(title, textMember('title'))),
        ...shown('content', () => previewReading(sql`r.${identifier(textColumnOf('content'))}`)),
        ...shown('created_by', () => userReading('author')),
        reading(sql`r.created_at`, datetimeMember('date')),
      ],
    };
  });
}

interface ShownRow {
  readonly beside: Sql;
  readonly readings: readonly Reading[];
}

function planLinked(
  call: Call,
  kind: 'tasks' | 'notes',
  request: LinkedRequest,
  show: (object: ObjectDef) => ShownRow,
): SectionPlan | undefined {
  const object = call.model.objects.get(kind);
  if (object?.kind !== 'managed') return undefined;
  const links = object.fields.find(({ name, linkTable }) => name === request.objectName && linkTable !== undefined);
  const shows = (field: string) => call.visibility.shows(object.name, field);
  // Sorted by time of creation, so impossible for a role that hides it.
  if (!links?.linkTable || !shows(links.name) || !shows('created_at')) return undefined;
  const scope = callersScope(objectScope(call, object, 'r'), new Budget());
  const conditions = request.where.map((group) => compileFilter(group, scope));
  const table = call.workspace.table(object.table);
  const { beside, readings } = show(object);
  const plan = planSection(
    call,
    kind,
    {
      rows: {
        row: sql`r`,
        table,
        from: sql`${call.workspace.table(links.linkTable)} l join ${table} r on r.id = l.source_id${scope.beside}`,
      },
      visible: visibleRow(scope),
      filters: [sql`l.target_id = ${request.recordId}::uuid`, ...conditions],
      order: descendingBy(sql`r.created_at`, 'timestamptz'),
      selection: selectionOf(readings),
      beside,
    },
    request,
    request.where,
  );
  return {
    statements: [plan.statement],
    cursorAt: plan.cursorAt,
    read: ([found]) => plan.read(found?.rows ?? []),
  };
}

/** Reads a field's column; null where the role hides the field. */
function shownIn({ visibility }: Call, object: ObjectDef) {
  return (field: string, read: (column: Sql) => Reading): readonly Reading[] =>
    visibility.shows(object.name, field) ? [read(sql`r.${identifier(field)}`)] : [];
}

function previewReading(text: Sql): Reading {
  const read = (value: string | null | undefined) => (value ? previewOf(value) : '');
  return {
    columns: [sql`left(${text}, 1000)`],
    members: [{ key: 'preview', json: (row, at) => JSON.stringify(read(row[at])), cell: (row, at) => read(row[at]) }],
  };
}
