/** What goes wrong with dashboards. */
import type { Mistake } from './mistake.ts';

const chart = { title: 'Amounts', object_name: 'opportunities', chart_type: 'indicator' };
const sum = { ...chart, aggregation: 'SUM', metric_field: 'amount' };
const post = (who: string, given: object): Mistake => ({
  who,
  send: 'POST /dashboards',
  body: { name: 'Sales', charts: [given] },
});

export const charting: readonly Mistake[] = [
  { who: 'gives a dashboard a title', send: 'POST /dashboards', body: { title: 'Sales' } },
  { who: 'gives a dashboard no visible name', send: 'POST /dashboards', body: { name: ' ' } },
  { who: 'puts a chart beside the name', send: 'POST /dashboards', body: { name: 'Sales', ...sum } },
  post('makes a chart of an object in the singular', { ...sum, object_name: 'opportunity' }),
  post('makes a pie', { ...chart, chart_type: 'pie', group_by: 'name' }),
  post('makes bars of nothing', { ...chart, chart_type: 'bar' }),
  post('groups an indicator', { ...sum, group_by: 'name' }),
  post('sums up names', { ...sum, metric_field: 'name' }),
  post('sums up nothing', { ...chart, aggregation: 'SUM' }),
  post('sums up in lower case', { ...sum, aggregation: 'sum' }),
  post('misspells the field of a chart', { ...sum, metric_field: 'amuont' }),
  post('compares with the week before', { ...sum, comparison: true, comparison_period: 'previous_week' }),
  post('compares by what is no date', { ...sum, comparison: true, date_field: 'name' }),
  { who: 'asks for a dashboard by its name', send: 'GET /dashboards/Sales' },
];
