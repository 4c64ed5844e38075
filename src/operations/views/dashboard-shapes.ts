/** Inputs and outputs of the operations on dashboards. [spec: crm_manage_dashboards] */
import { Type } from 'typebox';
import { Component, Lenient } from '../../describe/annotations.ts';
import { bucketNames } from '../../fields/date-buckets.ts';
import { caps } from '../../model/caps.ts';
import { chartTypes } from '../../records/dashboards/chart.ts';
import { comparisonPeriods } from '../../records/dashboards/periods.ts';
import { Choice } from '../inputs.ts';
import { Id, Nullable, Time, Truncated } from '../outputs.ts';

export const DashboardId = Type.String({ description: 'Id of the dashboard' });

const name = Type.String({ minLength: 1, maxLength: 200 });

/** A chart as sent; `chartOf` reads it. */
export const chartInput = {
  title: name,
  object_name: Type.String({ description: 'Plural name of the object' }),
  chart_type: Choice(chartTypes),
  metric_field: Type.Optional(
    Type.String({ maxLength: 500, description: 'What the function is of; COUNT without it counts records' }),
  ),
  aggregation: Type.Optional(Type.String({ description: 'A function as aggregates have them; COUNT when absent' })),
  group_by: Type.Optional(
    Type.String({ maxLength: 500, description: 'A field; needed for bar and doughnut, and not for indicator' }),
  ),
  bucket: Type.Optional(Choice(bucketNames)),
  filters: Type.Optional(Lenient(Component('FilterGroup'), 'A FilterGroup, also as JSON text')),
  comparison: Type.Optional(
    Type.Boolean({ description: 'Whether it shows the current period beside the one before; false when absent' }),
  ),
  comparison_period: Type.Optional(Choice(comparisonPeriods, 'previous_month')),
  date_field: Type.Optional(
    Type.String({ maxLength: 200, description: 'By which records fall into periods; created_at when absent' }),
  ),
};

/** The period to show, for charts that compare periods. */
export const ComparedPeriod = Type.Optional(Choice(comparisonPeriods));

export const ChartInput = Type.Object(chartInput, { additionalProperties: false });

export const DashboardInput = {
  name,
  charts: Type.Optional(Type.Array(ChartInput, { maxItems: caps.chartsOfDashboard })),
};

const Refusal = Type.Optional(
  Type.Object(
    { code: Type.String(), message: Type.String() },
    { description: 'Why the chart shows nothing to the caller; what it computes is hidden then' },
  ),
);

const chart = {
  id: Id,
  title: Type.String(),
  object_name: Type.Optional(Type.String()),
  metric_field: Type.Optional(Nullable(Type.String())),
  aggregation: Type.Optional(Type.String()),
  chart_type: Choice(chartTypes),
  group_by: Type.Optional(Nullable(Type.String())),
  bucket: Type.Optional(Nullable(Choice(bucketNames))),
  filters: Type.Optional(Nullable(Component('FilterGroup'))),
  comparison: Type.Optional(Type.Boolean()),
  comparison_period: Type.Optional(Choice(comparisonPeriods)),
  date_field: Type.Optional(Type.String()),
  position: Type.Integer({ minimum: 0 }),
  error: Refusal,
};

export const DashboardOut = Type.Object({
  id: Id,
  name: Type.String(),
  owner: Id,
  owner_display: Nullable(Type.String()),
  charts: Type.Array(Type.Object(chart)),
  created_at: Time,
  updated_at: Time,
});

const Day = Type.String({ format: 'date' });

const data = {
  value: Type.Optional(Type.Unknown({ description: 'Of an indicator: a number, a day or a time, or null' })),
  currencies: Type.Optional(Type.Record(Type.String(), Type.Number())),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        group: Type.Unknown(),
        display: Type.Optional(Type.Unknown()),
        value: Type.Unknown(),
        currencies: Type.Optional(Type.Record(Type.String(), Type.Number())),
      }),
      { description: 'Of bar and doughnut, as aggregates have them' },
    ),
  ),
  truncated: Truncated,
};

const period = { from: Day, to: Day };

export const DashboardDataOut = Type.Object({
  id: Id,
  name: Type.String(),
  charts: Type.Array(
    Type.Object({
      ...chart,
      ...data,
      period: Type.Optional(Type.Object(period, { description: 'Of a comparison: the days that are shown' })),
      previous: Type.Optional(
        Type.Object({ ...period, ...data }, { description: 'Of a comparison: the same of the period before' }),
      ),
      change_percent: Type.Optional(Nullable(Type.Number())),
    }),
  ),
});
