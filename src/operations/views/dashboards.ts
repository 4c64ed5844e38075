/** Dashboards: stored charts, computed when they are read. [spec: crm_manage_dashboards] */
import { Type, type Static } from 'typebox';
import type { Call } from '../../access/call.ts';
import { newId } from '../../lib/id.ts';
import type { Json } from '../../lib/json.ts';
import { chartToStore, type StoredChart } from '../../records/dashboards/chart.ts';
import {
  addChart,
  createDashboard as storeDashboard,
  deleteDashboard as dropDashboard,
  removeChart,
} from '../../records/dashboards/change-dashboard.ts';
import { dashboardData as dataOf } from '../../records/dashboards/dashboard-data.ts';
import { dashboardsPage, readDashboard } from '../../records/dashboards/dashboards-page.ts';
import {
  chartInput,
  type ChartInput,
  ComparedPeriod,
  DashboardDataOut,
  DashboardId,
  DashboardInput,
  DashboardOut,
} from './dashboard-shapes.ts';
import { neededObject } from '../door/needed-object.ts';
import { defineOperation, JsonText, pageText } from '../door/operation.ts';
import { filterGroupOf } from '../records/filter-input.ts';
import { givenName } from '../given-name.ts';
import { Cursor, recordPage } from '../inputs.ts';
import { PageOf } from '../outputs.ts';

export const listDashboards = defineOperation({
  id: 'dashboards.list',
  summary: 'Dashboards of the organization, by name',
  input: Type.Object({ limit: recordPage.input, cursor: Cursor }, { additionalProperties: false }),
  output: PageOf(DashboardOut),
  effect: 'read',
  cost: 'global',
  async run(call, { limit, cursor }) {
    return pageText(await dashboardsPage(call, { limit: recordPage.of(call, limit), cursor }));
  },
});

export const getDashboard = defineOperation({
  id: 'dashboard.get',
  summary: 'A dashboard with its charts, without their data',
  input: Type.Object({ id: DashboardId }, { additionalProperties: false }),
  output: DashboardOut,
  effect: 'read',
  cost: 'global',
  async run(call, { id }) {
    return new JsonText(await readDashboard(call, id));
  },
});

export const dashboardData = defineOperation({
  id: 'dashboard.compute',
  summary: "The current data of a dashboard's charts",
  input: Type.Object({ id: DashboardId, comparison_period: ComparedPeriod }, { additionalProperties: false }),
  output: DashboardDataOut,
  effect: 'read',
  cost: 'expensive',
  async run(call, { id, comparison_period: period }) {
    return new JsonText(await dataOf(call, id, period));
  },
});

export const createDashboard = defineOperation({
  id: 'dashboard.create',
  summary: 'Create a dashboard, optionally with charts',
  input: Type.Object(DashboardInput, { additionalProperties: false }),
  output: DashboardOut,
  effect: 'write',
  cost: 'global',
  async run(call, { name, charts = [] }) {
    const called = givenName(name);
    const stored = charts.map((chart) => chartOf(call, chart));
    return call.workspace.transaction(async (tx) => {
      const id = await storeDashboard(call, tx, called, stored);
      return new JsonText(await readDashboard(call, id, tx));
    });
  },
});

export const addDashboardChart = defineOperation({
  id: 'chart.create',
  summary: 'Add a chart to a dashboard',
  input: Type.Object({ id: DashboardId, ...chartInput }, { additionalProperties: false }),
  output: DashboardOut,
  effect: 'write',
  cost: 'global',
  async run(call, { id, ...chart }) {
    const stored = chartOf(call, chart);
    return call.workspace.transaction(async (tx) => {
      await addChart(call, tx, id, stored);
      return new JsonText(await readDashboard(call, id, tx));
    });
  },
});

export const deleteDashboard = defineOperation({
  id: 'dashboard.delete',
  summary: 'Delete a dashboard: its owner or an admin',
  input: Type.Object({ id: DashboardId }, { additionalProperties: false }),
  output: Type.Object({ deleted: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  async run(call, { id }) {
    await call.workspace.transaction((tx) => dropDashboard(call, tx, id));
    return { deleted: true };
  },
});

export const deleteDashboardChart = defineOperation({
  id: 'chart.delete',
  summary: 'Remove a chart from a dashboard: its owner or an admin',
  input: Type.Object(
    { id: DashboardId, chart_id: Type.String({ description: 'Id of the chart' }) },
    { additionalProperties: false },
  ),
  output: Type.Object({ deleted: Type.Boolean() }),
  effect: 'destructive',
  cost: 'global',
  async run(call, { id, chart_id: chartId }) {
    await call.workspace.transaction((tx) => removeChart(call, tx, id, chartId));
    return { deleted: true };
  },
});

/** The right that a chart needs on its object. */
const lookedAt = { ...dashboardData, needs: 'view', takesManaged: true } as const;

/** The chart to store. Throws what computing it would throw. */
function chartOf(call: Call, given: Static<typeof ChartInput>): StoredChart {
  const object = neededObject(call, lookedAt, given.object_name);
  return chartToStore(call, newId(), object, {
    title: givenName(given.title, 'title'),
    object_name: object.name,
    metric_field: given.metric_field || null,
    aggregation: given.aggregation ?? 'COUNT',
    chart_type: given.chart_type,
    group_by: given.group_by || null,
    bucket: given.bucket ?? null,
    filters: (given.filters ?? null) === null ? null : filterGroupOf(given.filters as Json),
    comparison: given.comparison ?? false,
    comparison_period: given.comparison_period ?? 'previous_month',
    date_field: given.date_field || 'created_at',
  });
}
