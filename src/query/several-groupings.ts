/** Groups by several fields: their keys combined into one. [spec: Aggregate] */
import { parseTextArray } from '../fields/array-literal.ts';
import { parseJson } from '../lib/json.ts';
import { join, sql, trusted, type Sql } from '../postgres/sql.ts';
import type { Grouping } from './grouping.ts';

/** Returns a single grouping as it is; combines several into one whose keys are lists in field order. */
export function oneGrouping(groupings: readonly Grouping[]): Grouping | undefined {
  const [only] = groupings;
  return groupings.length > 1 ? severalGroupings(groupings) : only;
}

function severalGroupings(groupings: readonly Grouping[]): Grouping {
  const part = (key: Sql, at: number) => sql`((${key})::text[])[${trusted(String(at + 1))}]`;
  const ordered = (by: 'sequence' | 'byLabel') => (key: Sql) =>
    join(
      groupings.map((grouping, at) => sql`${part(key, at)} is null, ${grouping[by](part(key, at))}`),
      ', ',
    );
  const sequence = ordered('sequence');
  const partsOf = (key: string) => parseTextArray(key);
  return {
    key: sql`array[${join(
      groupings.map(({ key }) => sql`${key} collate "C"`),
      ', ',
    )}]::text[]::text`,
    ...(groupings.some(({ isBucket }) => isBucket) && { isBucket: true }),
    order: sequence,
    sequence,
    byLabel: ordered('byLabel'),
    shown: (key) => key,
    json: (key) => listOf(partsOf(key), (item, at) => groupings[at]!.json(item)),
    ...(groupings.some(({ display }) => display) && {
      display: {
        selected: (key) => {
          const displays = groupings.map(({ display }, at) => display?.selected(part(key, at)) ?? sql`null::text`);
          return sql`json_build_array(${join(displays, ', ')})::text`;
        },
        json: (key, selected) => {
          const displays = parseJson(selected ?? '[]') as readonly (string | null)[];
          return listOf(partsOf(key), (item, at) => groupings[at]!.display?.json(item, displays[at] ?? null) ?? 'null');
        },
      },
    }),
  };
}

function listOf(items: readonly (string | null)[], json: (item: string, at: number) => string): string {
  return `[${items.map((item, at) => (item === null ? 'null' : json(item, at))).join(',')}]`;
}
