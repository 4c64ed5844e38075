/** Prepares a chart for drawing: labels, values of one currency, and links to the records of each group. */
import type { DashboardsComputeAnswer, FilterCondition, FilterGroup } from '../../../client/index.js';
import type { ObjectShape } from '../api/workspace.ts';
import type { Catalogue } from '../i18n/catalogue.ts';
import { dateOf, type Formats } from '../i18n/formats.ts';
import { valueText } from '../ui/value-text.ts';

export type Computed = DashboardsComputeAnswer['charts'][number];
type Result = NonNullable<Computed['results']>[number];

export interface Bar {
  readonly key: string;
  readonly label: string;
  /** In the drawn currency; undefined if the value is in others. */
  readonly value: number | undefined;
  readonly previous: number | undefined;
  /** The whole value: several currencies side by side, never added. */
  readonly text: string;
  readonly previousText: string | undefined;
  /** The records behind it, as the `filter` of a list's address. */
  readonly filter: string;
}

export interface Drawing {
  readonly bars: readonly Bar[];
  readonly currency: string | undefined;
  /** The number of currencies that are not drawn. */
  readonly otherCurrencies: number;
}

interface Known {
  readonly object: ObjectShape | undefined;
  readonly formats: Formats;
  readonly texts: Catalogue['dashboards'];
}

/** The groups of a chart, in its order; if one of several currencies is drawn, sorted by their value in it. */
export function drawingOf(chart: Computed, known: Known): Drawing {
  const results = chart.results ?? [];
  const before = new Map((chart.previous?.results ?? []).map((result) => [JSON.stringify(result.group), result]));
  const counted = new Map<string, number>();
  for (const { currencies } of results)
    for (const code of Object.keys(currencies ?? {})) counted.set(code, (counted.get(code) ?? 0) + 1);
  const [currency] = [...counted].toSorted(([, a], [, b]) => b - a).map(([code]) => code);
  const drawn = (result: Result | undefined) => {
    const value = currency === undefined ? result?.value : result?.currencies?.[currency];
    return typeof value === 'number' ? value : undefined;
  };
  const bars = results.map((result) => {
    const key = JSON.stringify(result.group);
    const previous = before.get(key);
    return {
      key,
      label: labelOf(chart, result, known),
      value: drawn(result),
      previous: drawn(previous),
      text: textOf(chart, result, known),
      previousText: previous && textOf(chart, previous, known),
      filter: JSON.stringify(filterOf(chart, known.object, result)),
    };
  });
  if (counted.size > 1 && !chart.bucket) bars.sort((a, b) => rank(b) - rank(a));
  return { bars, currency, otherCurrencies: Math.max(0, counted.size - 1) };
}

/** Groups without a value in the currency come last, after negative ones. */
function rank({ value = -Number.MAX_VALUE }: Bar): number {
  return value;
}

/** A value for people; amounts of several currencies side by side. */
export function textOf(
  chart: Computed,
  { value, currencies }: Pick<Result, 'value' | 'currencies'>,
  { object, formats, texts }: Known,
): string {
  if (currencies) return formats.list(Object.entries(currencies).map(([code, sum]) => formats.shortMoney(sum, code)));
  if (value === null || value === undefined) return texts.noValue;
  if (chart.aggregation?.startsWith('PERCENT')) return formats.percent(value as number);
  if (typeof value === 'number') return formats.number(Math.round(value * 100) / 100);
  return valueText(
    value,
    formats,
    object?.fields.find(({ name }) => name === chart.metric_field),
  );
}

/** The records of a chart, or of one of its groups, as a FilterGroup. */
export function filterOf(
  chart: Computed,
  object: ObjectShape | undefined,
  result?: Pick<Result, 'group'>,
): FilterGroup {
  const { filters, group_by: by, period, date_field: dateField = 'created_at' } = chart;
  const conditions: (FilterCondition | FilterGroup)[] = filters ? [filters] : [];
  if (period) conditions.push(...between(dateField, period.from, nextDay(period.to)));
  if (result && by) conditions.push(...groupConditions(chart, object, by, result.group));
  return { type: 'AND', conditions };
}

function groupConditions(
  { bucket }: Computed,
  object: ObjectShape | undefined,
  field: string,
  group: unknown,
): FilterCondition[] {
  if (group === null) return [{ field, operator: 'is_null' }];
  if (bucket && typeof group === 'string') return between(field, group, endOf(group, bucket));
  const type = object?.fields.find(({ name }) => name === field)?.type;
  if (type === 'PIPELINE' && typeof group === 'object')
    return [{ field, operator: 'equals', value: (group as { id?: unknown }).id }];
  return [{ field, operator: 'equals', value: group }];
}

/** Conditions: on or after `from`, and before `to`. */
function between(field: string, from: string, to: string): FilterCondition[] {
  return [
    { field, operator: 'greater_equal', value: from },
    { field, operator: 'less_than', value: to },
  ];
}

function nextDay(day: string): string {
  return endOf(day, 'day');
}

/** The first day after the bucket that begins on this day. */
function endOf(day: string, bucket: NonNullable<Computed['bucket']>): string {
  const end = new Date(`${day}T00:00Z`);
  if (bucket === 'day') end.setUTCDate(end.getUTCDate() + 1);
  if (bucket === 'week') end.setUTCDate(end.getUTCDate() + 7);
  if (bucket === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  if (bucket === 'quarter') end.setUTCMonth(end.getUTCMonth() + 3);
  if (bucket === 'year') end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end.toISOString().slice(0, 10);
}

function labelOf(chart: Computed, { group, display }: Result, { object, formats, texts }: Known): string {
  if (group === null || group === undefined) return texts.noValue;
  if (typeof display === 'string') return display;
  if (chart.bucket && typeof group === 'string') return bucketLabel(group, chart.bucket, formats, texts);
  const field = object?.fields.find(({ name }) => name === chart.group_by);
  return valueText(group, formats, field);
}

function bucketLabel(
  day: string,
  bucket: NonNullable<Computed['bucket']>,
  formats: Formats,
  texts: Catalogue['dashboards'],
): string {
  const date = dateOf(day);
  if (bucket === 'year') return String(date.getFullYear());
  if (bucket === 'quarter') return texts.quarter(Math.floor(date.getMonth() / 3) + 1, date.getFullYear());
  if (bucket === 'month') return formats.month(day);
  return bucket === 'week' ? texts.week(formats.day(day)) : formats.day(day);
}
