/** Days and times in buckets, from days to years: the key of a bucket is its first day. [spec: Aggregate] */
import { jsonString } from '../lib/json.ts';
import { literal, sql } from '../postgres/sql.ts';
import type { GroupKey } from './group-key.ts';
import type { Operand } from './operators/operator.ts';

/** From short to long; weeks begin on Mondays. */
export const bucketNames = ['day', 'week', 'month', 'quarter', 'year'] as const;

export type BucketName = (typeof bucketNames)[number];

/** The bucket of a day, or of a time as the clocks of `timeZone` show it; undefined for any other value. */
export function bucketKeyOf({ kind, value }: Operand, bucket: BucketName, timeZone: string): GroupKey | undefined {
  if (kind !== 'date' && kind !== 'datetime') return undefined;
  const local = kind === 'date' ? sql`(${value})::timestamp` : sql`((${value}) at time zone ${timeZone}::text)`;
  // A time of the first or the last year can be of another one by those clocks: then it is of the first or last day that
  // there is. Unlike `greatest` and `least`, these are null where the value is.
  const known = sql`timestamp_larger(timestamp_smaller(${local}, '9999-12-31'), '0001-01-01')`;
  return {
    key: sql`(date_trunc(${literal(bucket)}, ${known})::date)::text`,
    order: (key) => sql`${key}::date`,
    shown: (key) => key,
    json: jsonString,
  };
}
