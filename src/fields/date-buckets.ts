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
  return {
    key: sql`(date_trunc(${literal(bucket)}, ${local})::date)::text`,
    order: (key) => sql`${key}::date`,
    shown: (key) => key,
    json: jsonString,
  };
}
