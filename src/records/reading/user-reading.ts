/** A user in a list, as `{ id, display }`. */
import type { Reading } from '../../fields/field-type.ts';
import { jsonString } from '../../lib/json.ts';
import { sql } from '../../postgres/sql.ts';

/** The user `u` of the statement under this key; null without one. */
export function userReading(key: string): Reading {
  return {
    columns: [sql`u.id`, sql`u.name`],
    members: [
      {
        key,
        json: (row, at) => (row[at] ? `{"id":"${row[at]}","display":${jsonString(row[at + 1] ?? '')}}` : 'null'),
        cell: (row, at) => row[at + 1] ?? '',
      },
    ],
  };
}
