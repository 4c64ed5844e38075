/** Dashboards as the caller sees them: charts that it may not see are listed by title alone. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { datetimeMember, member, quotedMember, reading, textMember } from '../../fields/members.ts';
import { join, sql, statement, type Sql } from '../../postgres/sql.ts';
import { ascendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { seenChart, storedCharts, type StoredChart } from './chart.ts';
import { dashboardId } from './change-dashboard.ts';

const byName = ascendingBy(sql`left(lower(d.name), 256)`, 'text');

/** A page of dashboards. Throws VALIDATION_ERROR for a cursor of another list. */
export async function dashboardsPage(call: Call, request: PageRequest): Promise<Page> {
  const { workspace } = call;
  const table = workspace.table('_dashboards');
  const plan = planPage(
    call,
    {
      rows: { row: sql`d`, table, from: sql`${table} d` },
      visible: sql`true`,
      filters: [],
      order: byName,
      identity: ['dashboards'],
      selection: selectionOf(readings(call)),
      beside: owner(call),
    },
    request,
  );
  const [found] = await workspace.read(plan.statement);
  return plan.read(found?.rows ?? []);
}

/** The dashboard as JSON text, read in `tx` where it was written there. Throws RECORD_NOT_FOUND. */
export async function readDashboard(call: Call, id: string, tx?: WorkspaceTransaction): Promise<string> {
  const selection = selectionOf(readings(call));
  const query = sql`select ${join(selection.columns, ', ')} from ${call.workspace.table('_dashboards')} d${owner(call)}
    where d.id = ${dashboardId(id)}::uuid`;
  const found = tx ? await tx.run(query) : (await call.workspace.read(statement(query, call.model.version)))[0];
  const [row] = found?.rows ?? [];
  if (!row) throw errors.dashboardNotFound(id);
  return selection.json(row, 0);
}

/** The chart as shown, without its definition where the caller may not see it. */
export function chartShown(call: Call, stored: StoredChart, position: number): Record<string, unknown> {
  const seen = seenChart(call, stored);
  const { id, title, chart_type } = stored;
  if (seen.refusal) {
    const { code, message } = seen.refusal;
    return { id, title, chart_type, position, error: { code, message } };
  }
  const { object_name, metric_field, aggregation, group_by, bucket, filters, ...periods } = seen.chart;
  const { comparison, comparison_period, date_field } = periods;
  const settings = { object_name, metric_field, aggregation, chart_type, group_by, bucket, filters };
  return { id, title, ...settings, comparison, comparison_period, date_field, position };
}

function owner({ workspace }: Call): Sql {
  return sql` left join ${workspace.table('_users')} u on u.id = d.owner_id`;
}

function readings(call: Call) {
  const charts = (text: string) =>
    JSON.stringify(storedCharts(text).map((chart, position) => chartShown(call, chart, position)));
  return [
    reading(sql`d.id`, quotedMember('id')),
    reading(sql`d.name`, textMember('name')),
    reading(sql`d.owner_id`, quotedMember('owner')),
    reading(sql`u.name`, textMember('owner_display')),
    reading(sql`d.charts`, { ...member('charts', charts), mostBytes: Infinity }),
    reading(sql`d.created_at`, datetimeMember('created_at')),
    reading(sql`d.updated_at`, datetimeMember('updated_at')),
  ];
}
