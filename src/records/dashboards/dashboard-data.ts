/** Computes the charts of a dashboard as aggregates, under the caller's permissions. */
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import type { FilterGroup, ObjectDef } from '../../model/model.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { aggregate } from '../reading/aggregate.ts';
import { dashboardId } from './change-dashboard.ts';
import { comparedBy, requestOf, seenChart, storedCharts, type Chart, type StoredChart } from './chart.ts';
import { chartShown } from './dashboards-page.ts';
import type { ComparisonPeriod } from './periods.ts';

/**
 * The dashboard with its computed charts as JSON text; `period` replaces the period of comparing ones. Computed one
 * by one, so that a dashboard uses no more connections than a list. Throws RECORD_NOT_FOUND.
 */
export async function dashboardData(call: Call, id: string, period?: ComparisonPeriod): Promise<string> {
  const query = sql`select d.name, d.charts from ${call.workspace.table('_dashboards')} d where d.id = ${dashboardId(id)}::uuid`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const [row] = found?.rows ?? [];
  if (!row) throw errors.dashboardNotFound(id);
  const charts: string[] = [];
  for (const [position, chart] of storedCharts(row[1] ?? '[]').entries())
    charts.push(
      await chartData(call, period && chart.comparison ? { ...chart, comparison_period: period } : chart, position),
    );
  const head = JSON.stringify({ id: dashboardId(id), name: row[0] });
  return `${head.slice(0, -1)},"charts":[${charts.join(',')}]}`;
}

/** The JSON of a chart, with its values where the caller may see them. */
async function chartData(call: Call, stored: StoredChart, position: number): Promise<string> {
  const head = JSON.stringify(chartShown(call, stored, position));
  const seen = seenChart(call, stored);
  if (seen.refusal) return head;
  const { chart, object } = seen;
  const data = chart.comparison ? await comparedData(call, object, chart) : await dataOver(call, object, chart);
  return `${head.slice(0, -1)},${data}}`;
}

/** `"value":…` or `"results":[…]`. */
async function dataOver(call: Call, object: ObjectDef, chart: Chart, days?: FilterGroup): Promise<string> {
  return (await aggregate(call, object, requestOf(chart, days))).text;
}

/** The values of the current period, with those of the previous one. */
async function comparedData(call: Call, object: ObjectDef, chart: Chart): Promise<string> {
  const { current, previous } = comparedBy(call, object, chart);
  const now = await dataOver(call, object, chart, current.condition);
  const then = await dataOver(call, object, chart, previous.condition);
  const change = chart.group_by === null ? `,"change_percent":${changeText(now, then)}` : '';
  const days = JSON.stringify(previous.days);
  return `${now},"period":${JSON.stringify(current.days)},"previous":${days.slice(0, -1)},${then}}${change}`;
}

/** The change from the previous number in percent; null where one is missing, or the previous is zero. */
function changeText(now: string, then: string): string {
  const [current, previous] = [valueIn(now), valueIn(then)];
  if (current === undefined || previous === undefined || previous === 0) return 'null';
  return String(Math.round(((current - previous) / Math.abs(previous)) * 10_000) / 100);
}

function valueIn(text: string): number | undefined {
  const [, digits] = /^"value":(-?\d[\d.eE+-]*)/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
