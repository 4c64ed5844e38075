/** Creates and deletes dashboards and their charts. [spec: crm_manage_dashboards] */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors } from '../../errors.ts';
import { isUuid, newId } from '../../lib/id.ts';
import { caps, takePlace } from '../../model/caps.ts';
import { instant, sql } from '../../postgres/sql.ts';
import { storedCharts, type StoredChart } from './chart.ts';

/** The id in the database's form; throws RECORD_NOT_FOUND for invalid ones. */
export function dashboardId(id: string): string {
  if (isUuid(id)) return id.toLowerCase();
  throw errors.dashboardNotFound(id);
}

/** Creates a dashboard of the caller's, and returns its id. Throws VALIDATION_ERROR at the cap. */
export async function createDashboard(
  call: Call,
  tx: WorkspaceTransaction,
  name: string,
  charts: readonly StoredChart[],
): Promise<string> {
  const table = call.workspace.table('_dashboards');
  const place = { what: 'dashboards in an organization', most: caps.dashboards, existing: sql`select from ${table}` };
  await takePlace((query) => tx.run(query), call.model.schema, place);
  const id = newId();
  const at = instant(call.now);
  await tx.run(sql`insert into ${table} (id, name, owner_id, charts, created_at, updated_at)
    values (${id}::uuid, ${name}, ${call.me}::uuid, ${JSON.stringify(charts)}::jsonb, ${at}, ${at})`);
  return id;
}

/** Appends a chart. Throws RECORD_NOT_FOUND, and VALIDATION_ERROR at the cap. */
export async function addChart(call: Call, tx: WorkspaceTransaction, id: string, chart: StoredChart): Promise<void> {
  const { charts } = await locked(call, tx, id);
  if (charts.length >= caps.chartsOfDashboard)
    throw errors.validation(`There can be at most ${caps.chartsOfDashboard} charts on a dashboard`);
  await setCharts(call, tx, id, [...charts, chart]);
}

/** Removes a chart. Throws RECORD_NOT_FOUND, and PERMISSION_DENIED as `deleteDashboard`. */
export async function removeChart(call: Call, tx: WorkspaceTransaction, id: string, chartId: string): Promise<void> {
  const { charts, ownerId } = await locked(call, tx, id);
  const rest = charts.filter((chart) => chart.id !== chartId.toLowerCase());
  if (rest.length === charts.length) throw errors.chartNotFound(chartId);
  requireOwner(call, ownerId, 'a chart of it');
  await setCharts(call, tx, id, rest);
}

/** Deletes a dashboard. Throws RECORD_NOT_FOUND, and PERMISSION_DENIED unless the caller is its owner or an admin. */
export async function deleteDashboard(call: Call, tx: WorkspaceTransaction, id: string): Promise<void> {
  const { ownerId } = await locked(call, tx, id);
  requireOwner(call, ownerId, 'it');
  await tx.run(sql`delete from ${call.workspace.table('_dashboards')} where id = ${dashboardId(id)}::uuid`);
}

function requireOwner({ visibility, me }: Call, ownerId: string, what: string): void {
  if (ownerId !== me && !visibility.isAdmin)
    throw errors.permissionDenied(`The dashboard is somebody else's: only its owner and admins may delete ${what}`);
}

async function locked(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
): Promise<{ readonly charts: readonly StoredChart[]; readonly ownerId: string }> {
  const { rows } = await tx.run(sql`select d.charts, d.owner_id from ${call.workspace.table('_dashboards')} d
    where d.id = ${dashboardId(id)}::uuid for update of d`);
  const [found] = rows;
  if (!found) throw errors.dashboardNotFound(id);
  return { charts: storedCharts(found[0] ?? '[]'), ownerId: found[1] ?? '' };
}

async function setCharts(
  call: Call,
  tx: WorkspaceTransaction,
  id: string,
  charts: readonly StoredChart[],
): Promise<void> {
  await tx.run(sql`update ${call.workspace.table('_dashboards')} set charts = ${JSON.stringify(charts)}::jsonb, updated_at = ${instant(call.now)}
    where id = ${dashboardId(id)}::uuid`);
}
