/** [spec: crm_manage_dashboards] Dashboards and charts. */
import type { Json, JsonObject } from '../lib/json.ts';
import {
  addDashboardChart,
  createDashboard,
  dashboardData,
  deleteDashboard,
  listDashboards,
} from '../operations/views/dashboards.ts';
import { countingIds } from './aggregate-records.ts';
import { cursor, filters, objectName, oneOf, text, texts, whole, yesOrNo, type ArgumentValues } from './arguments.ts';
import { defineTool, destroys, maxTokens, paged } from './define.ts';

const chart = ['title', 'object_name', 'chart_type'];
const more = ['metric_field', 'aggregation', 'group_by', 'filters', 'comparison', 'comparison_period', 'date_field'];

/** The new dashboard, with a chart if one is described. */
function made({ dashboard_name: name = null, ...described }: ArgumentValues) {
  const charts: Json[] = Object.keys(described).length === 0 ? [] : [{ ...described }];
  return { name, charts };
}

const defaultChart = {
  title: 'Contacts',
  object_name: 'contacts',
  chart_type: 'indicator',
  metric_field: 'id',
  aggregation: 'COUNT',
};

/** Completes a described chart; without groups it is a single value. */
function adjustExample(example: JsonObject): JsonObject {
  if (![...chart, ...more].some((name) => Object.hasOwn(example, name))) return example;
  const lacking = Object.entries(defaultChart).filter(([name]) => !Object.hasOwn(example, name));
  const whole: JsonObject = { ...example, ...Object.fromEntries(lacking) };
  if (!Object.hasOwn(whole, 'group_by')) whole['chart_type'] = 'indicator';
  return countingIds(whole, 'metric_field', 'aggregation');
}

/** What errors call the chart of a new dashboard. */
const errorNames = { 'charts.0.': '', name: 'dashboard_name' };

export const manageDashboards = defineTool({
  name: 'crm_manage_dashboards',
  title: 'Manage Dashboards',
  description:
    'create takes the arguments of a first chart, too. indicator is one value, bar and doughnut have group_by. data computes the charts. The owner or an admin deletes.',
  input: {
    dashboard_id: text(),
    dashboard_name: text(),
    title: text(),
    object_name: objectName,
    metric_field: text(),
    aggregation: text('as function of crm_aggregate_records'),
    chart_type: oneOf(['bar', 'doughnut', 'indicator']),
    group_by: text(),
    filters,
    comparison: yesOrNo,
    comparison_period: oneOf(['previous_month', 'previous_quarter', 'previous_year']),
    date_field: { ...text(), default: 'created_at' },
    cursor,
    limit: whole(20, 100),
    fields: texts,
    max_tokens: maxTokens,
  },
  output: paged,
  hints: destroys,
  as: { dashboard_id: 'id' },
  actions: {
    list: { operation: listDashboards, takes: ['cursor', 'limit'], rows: ['data'] },
    data: {
      operation: dashboardData,
      needs: ['dashboard_id'],
      takes: ['comparison_period'],
      rows: ['charts'],
    },
    create: {
      operation: createDashboard,
      needs: ['dashboard_name'],
      takes: [...chart, ...more],
      input: made,
      errorNames,
      adjustExample,
    },
    add_chart: {
      operation: addDashboardChart,
      needs: ['dashboard_id', ...chart],
      takes: more,
      shows: ['metric_field', 'aggregation'],
      samples: { title: defaultChart.title, metric_field: 'id', aggregation: 'COUNT' },
      adjustExample,
    },
    delete: {
      operation: deleteDashboard,
      needs: ['dashboard_id'],
      affects: ({ dashboard_id: id = null }) => ({ operation: dashboardData, input: { id } }),
    },
  },
});
