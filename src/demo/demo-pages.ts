/** The views and the dashboard of the demo, shared with everybody: what people open first. */
import type { JsonObject } from '../lib/json.ts';
import { createDashboard, listDashboards } from '../operations/views/dashboards.ts';
import { listPipelines } from '../operations/workspace/pipelines.ts';
import { createView, listViews } from '../operations/views/views.ts';
import type { DemoDesks } from './demo-desks.ts';
import { everyRow } from './demo-follow-up-errands.ts';

const where = (...conditions: readonly JsonObject[]) => ({ type: 'AND', conditions });
const mine = { field: 'owner', operator: 'equals', value: '$me' };

/** Makes those that are not there yet. */
export async function bringPages(desks: DemoDesks, at: number, stop: AbortSignal): Promise<void> {
  const steps = await stepsOfDeals(desks, at);
  const views = await everyRow((cursor) => desks.perform(null, at, listViews, { limit: 100, cursor }));
  const kept = new Set(views.map(({ object_name: object, name }) => `${String(object)} ${String(name)}`));
  for (const view of viewsOf(steps)) {
    stop.throwIfAborted();
    if (kept.has(`${view.object_name} ${view.name}`)) continue;
    await desks.perform(null, at, createView, { ...view, is_shared: true });
  }
  const dashboards = await everyRow((cursor) => desks.perform(null, at, listDashboards, { limit: 100, cursor }));
  if (dashboards.some(({ name }) => name === salesName)) return;
  await desks.perform(null, at, createDashboard, { name: salesName, charts: chartsOf(steps) });
}

interface Steps {
  readonly won: string[];
  /** Won and lost ones. */
  readonly ended: string[];
}

async function stepsOfDeals(desks: DemoDesks, at: number): Promise<Steps> {
  const { pipelines } = await desks.perform(null, at, listPipelines, {});
  const steps = pipelines.filter(({ objectName }) => objectName === 'opportunities').flatMap((one) => one.steps);
  const named = (...names: readonly string[]) => steps.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  return { won: named('Won'), ended: named('Won', 'Lost') };
}

const openOnes = ({ ended }: Steps) => ({ field: 'pipeline_step_id', operator: 'not_in', value: ended });

function viewsOf(steps: Steps) {
  const tagged = (tag: string) => where({ field: 'tags', operator: 'equals', value: tag });
  return [
    { object_name: 'contacts', name: 'Customers', filters: tagged('customer') },
    { object_name: 'contacts', name: 'Decision makers', filters: tagged('decision_maker') },
    { object_name: 'companies', name: 'My companies', filters: where(mine) },
    {
      object_name: 'companies',
      name: 'Large companies',
      filters: where({ field: 'employees', operator: 'greater_equal', value: 200 }),
      sort: [{ field: 'employees', direction: 'desc' }],
    },
    { object_name: 'opportunities', name: 'My open deals', filters: where(mine, openOnes(steps)) },
    {
      object_name: 'opportunities',
      name: 'Closing this month',
      filters: where({ field: 'close_date', operator: 'date_this_month' }, openOnes(steps)),
      sort: [{ field: 'close_date', direction: 'asc' }],
    },
  ];
}

const salesName = 'Sales';

function chartsOf(steps: Steps) {
  const deals = { object_name: 'opportunities', filters: where(openOnes(steps)) };
  const won = { ...deals, filters: where({ field: 'pipeline_step_id', operator: 'in', value: steps.won }) };
  const sum = { metric_field: 'amount', aggregation: 'SUM' };
  return [
    { ...deals, title: 'Open deals', chart_type: 'indicator' },
    { ...won, title: 'Deals won', chart_type: 'indicator', comparison: true, date_field: 'close_date' },
    { ...deals, title: 'Open deals by source', chart_type: 'doughnut', group_by: 'source' },
    { ...deals, ...sum, title: 'Open amount by owner', chart_type: 'bar', group_by: 'owner' },
    {
      ...won,
      ...sum,
      title: 'Won amount by month',
      chart_type: 'bar',
      group_by: 'close_date',
      bucket: 'month',
    },
  ];
}
