/**
 * Charts, as stored and as a caller sees them. [spec: crm_manage_dashboards; decisions: Shapes the specification does
 * not show]
 */
import type { Call } from '../../access/call.ts';
import { errors, KithError } from '../../errors.ts';
import { aggregateNames } from '../../fields/aggregates.ts';
import type { BucketName } from '../../fields/date-buckets.ts';
import { addDays, startOfDay } from '../../fields/local-time.ts';
import { parseJson } from '../../lib/json.ts';
import { objectWithId, type FilterGroup, type ObjectDef } from '../../model/model.ts';
import { attributeFor, visibleAttributes } from '../../query/attributes.ts';
import { planAggregate, type AggregateRequest } from '../../query/plan-aggregate.ts';
import { periodsAt, type ComparisonPeriod, type Days } from './periods.ts';
import { renamedFilter, shownPath, storedPath } from '../reading/stored-paths.ts';

export const chartTypes = ['bar', 'doughnut', 'indicator'] as const;

/** Characters of a stored chart: reading a dashboard reads all its charts. */
const longestChart = 20_000;

/** The parts of a chart, whether fields are given by name or by id. */
interface ChartParts {
  readonly title: string;
  readonly metric_field: string | null;
  readonly aggregation: string;
  readonly chart_type: (typeof chartTypes)[number];
  readonly group_by: string | null;
  readonly bucket: BucketName | null;
  readonly filters: FilterGroup | null;
  readonly comparison: boolean;
  readonly comparison_period: ComparisonPeriod;
  readonly date_field: string;
}

/** With fields by name. */
export interface Chart extends ChartParts {
  readonly object_name: string;
}

/** With fields by id, as `storedPath` paths. */
export interface StoredChart extends ChartParts {
  readonly id: string;
  readonly object_id: string;
}

/** A chart as the caller sees it, or why it cannot be shown. */
export type SeenChart =
  | { readonly chart: Chart; readonly object: ObjectDef; readonly refusal?: undefined }
  | { readonly refusal: KithError };

/** Parses the charts column of a dashboard. */
export function storedCharts(text: string): readonly StoredChart[] {
  return parseJson(text) as unknown as readonly StoredChart[]; // nothing else is ever stored there
}

/**
 * The chart in stored form. Throws whatever computing it would throw, and VALIDATION_ERROR where its parts do not fit
 * together.
 */
export function chartToStore(call: Call, id: string, object: ObjectDef, chart: Chart): StoredChart {
  requireGroups(chart);
  requireMetric(chart);
  requireDates(call, object, chart);
  planAggregate(call, object, requestOf(chart), () => undefined);
  const { object_name: _, ...parts } = chart;
  // COUNT ignores an unknown field, so the field is dropped: keeping it would tell hidden fields from missing ones.
  const metric_field =
    chart.metric_field !== null && isShown(call, object, chart.metric_field) ? chart.metric_field : null;
  const byIds = renamedParts({ ...chart, metric_field }, (path) => storedPath(call.model, object, path));
  const stored = { ...parts, id, object_id: object.id, ...byIds };
  if (JSON.stringify(stored).length > longestChart)
    throw errors.validation(`A chart has at most ${longestChart} characters, its filters among them`);
  return stored;
}

function isShown(call: Call, object: ObjectDef, path: string): boolean {
  const [first = ''] = path.split('.');
  const isNamed = object.attributes.has(first) || object.fields.some(({ name }) => name === first);
  return isNamed && shownPath(call, object, storedPath(call.model, object, path)) !== undefined;
}

/** The chart by current names. Missing objects and fields are refused like hidden ones, without naming any. */
export function seenChart(call: Call, stored: StoredChart): SeenChart {
  const object = objectWithId(call.model, stored.object_id);
  if (!object || call.visibility.rows(object.name) === 'none')
    return { refusal: errors.permissionDenied('Your role may not view the records of this chart, or they are gone') };
  const parts = renamedParts(stored, (path) => shownPath(call, object, path));
  if (!parts) return { refusal: errors.noFieldName('A field of this chart is gone, or hidden from your role') };
  const { id: _, object_id: __, ...rest } = stored;
  const chart = { ...rest, ...parts, object_name: object.name };
  try {
    requireDates(call, object, chart);
    planAggregate(call, object, requestOf(chart), () => undefined);
    return { chart, object };
  } catch (error) {
    // For example, a field whose type has changed. Everything it names is visible to the caller.
    if (error instanceof KithError) return { refusal: error };
    throw error;
  }
}

/** The aggregate that computes the chart, over all records or those of the days. */
export function requestOf(chart: Chart, days?: FilterGroup): AggregateRequest {
  const { metric_field: field, aggregation, group_by: groupBy, bucket, filters } = chart;
  return {
    where: [filters ?? [], days ?? []].flat(),
    search: undefined,
    field: field ?? undefined,
    function: aggregation,
    groupBy: groupBy === null ? [] : [groupBy],
    bucket: bucket ?? undefined,
  };
}

/** The two periods that a chart compares, with the conditions on their records. Days are the organization's. */
export function comparedBy(
  { model, now }: Call,
  object: ObjectDef,
  { comparison_period: period, date_field: name }: Chart,
): Readonly<Record<'current' | 'previous', { readonly days: Days; readonly condition: FilterGroup }>> {
  const { current, previous } = periodsAt(period, now, model.timeZone);
  const isDay = dateTypeOf(object, name) === 'DATE';
  const within = (days: Days) => ({
    days,
    condition: isDay ? onDays(name, days) : atTimes(name, days, model.timeZone),
  });
  return { current: within(current), previous: within(previous) };
}

function onDays(field: string, { from, to }: Days): FilterGroup {
  return {
    type: 'AND',
    conditions: [
      { field, operator: 'greater_equal', value: from },
      { field, operator: 'less_equal', value: to },
    ],
  };
}

function atTimes(field: string, { from, to }: Days, timeZone: string): FilterGroup {
  return {
    type: 'AND',
    conditions: [
      { field, operator: 'greater_equal', value: startOfDay(from, timeZone) },
      { field, operator: 'less_than', value: startOfDay(addDays(to, 1) ?? to, timeZone) },
    ],
  };
}

function requireGroups({ chart_type: type, group_by: groupBy }: Chart): void {
  if (type === 'indicator' && groupBy !== null) {
    const message = 'group_by is for bar and doughnut: an indicator shows a single value';
    throw errors.validation(message, [{ field: 'group_by', message }]);
  }
  if (type !== 'indicator' && groupBy === null)
    throw errors.missingField('group_by', `a ${type} chart shows a value for each group`);
}

/** Requires the field under the name used here; the aggregate reports unknown functions. */
function requireMetric({ aggregation, metric_field: field }: Chart): void {
  if (field === null && aggregation !== 'COUNT' && aggregateNames.some((name) => name === aggregation))
    throw errors.missingField('metric_field', `${aggregation} is a function of one`);
}

/** Also for a chart that compares nothing: a reader may request a comparison. */
function requireDates(call: Call, object: ObjectDef, { date_field: name }: Chart): void {
  const { type } = attributeFor(object, name, call.visibility);
  if (dateTypeOf(object, name) !== undefined) return;
  const dates = visibleAttributes(object, call.visibility).filter((field) => dateTypeOf(object, field.name));
  throw errors.invalidOperation(
    `date_field takes days or times, and ${name} is of type ${type}`,
    dates.map((field) => field.name),
  );
}

function dateTypeOf(object: ObjectDef, name: string): 'DATE' | 'DATETIME' | undefined {
  const field = object.attributes.get(name);
  const type = field?.calculation?.outputType ?? field?.type;
  return type === 'DATE' || type === 'DATETIME' ? type : undefined;
}

type Paths = Pick<ChartParts, 'metric_field' | 'group_by' | 'filters' | 'date_field'>;

/** The parts that name fields, with paths converted by `rename`; undefined where one has no result. */
function renamedParts(chart: Paths, rename: (path: string) => string | undefined): Paths | undefined {
  const optional = (path: string | null) => (path === null ? null : rename(path));
  const metric_field = optional(chart.metric_field);
  const group_by = optional(chart.group_by);
  const date_field = rename(chart.date_field);
  const filters = chart.filters && renamedFilter(chart.filters, rename);
  if (metric_field === undefined || group_by === undefined || date_field === undefined || filters === undefined)
    return undefined;
  return { metric_field, group_by, date_field, filters };
}
