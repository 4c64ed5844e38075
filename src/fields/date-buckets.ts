/** Groups days and times into buckets, from days to years: a bucket's key is its first day. [spec: Aggregate] */
import { jsonString } from '../lib/json.ts';
import { literal, sql } from '../postgres/sql.ts';
import type { GroupKey } from './group-key.ts';
import type { Operand } from './operators/operator.ts';

/** From short to long; weeks begin on Mondays. */
export const bucketNames = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type BucketName = (typeof bucketNames)[number];

/** The bucket of a day, or of a time in `timeZone`; undefined for other kinds. */
export function bucketKeyOf({ kind, value }: Operand, bucket: BucketName, timeZone: string): GroupKey | undefined {
  if (kind !== 'date' && kind !== 'datetime') return undefined;
  const local = kind === 'date' ? sql`(${value})::timestamp` : sql`((${value}) at time zone ${timeZone}::text)`;
  // In a time zone, a time can fall outside the years 1 to 9999: then it is clamped. Unlike `greatest` and `least`,
  // these functions return null for null.
  const known = sql`timestamp_larger(timestamp_smaller(${local}, '9999-12-31'), '0001-01-01')`;
  return {
    key: sql`(date_trunc(${literal(bucket)}, ${known})::date)::text`,
    order: (key) => sql`${key}::date`,
    shown: (key) => key,
    json: jsonString,
  };
}
