/** Reads history in the order of commits, by the conditions that the change feed and the webhooks use. */
import type { Database } from '../../src/postgres/database.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { oldestAtWork, positionsBehind, untilIn, type Position } from '../../src/records/past/commit-order.ts';

export interface Change {
  readonly position: Position;
  readonly recordId: string;
  readonly action: string;
}

/** At most `limit` entries behind `after` that no open transaction can still precede, in order. */
export async function changesAfter(
  database: Database,
  { id, schema }: { readonly id: string; readonly schema: string },
  after: Position,
  limit: number,
): Promise<readonly Change[]> {
  const [oldest] = await database.read(id, [oldestAtWork(schema)]);
  const [found] = await database.read(id, [
    statement(sql`select h.epoch::text, h.tx::text, h.id::text, h.record_id, h.action
      from ${identifier(schema, '_history')} h
      where ${positionsBehind(sql`h`, after, untilIn(oldest), schema)}
      order by h.epoch, h.tx, h.id limit ${limit}::int`),
  ]);
  return (found?.rows ?? []).map(([epoch, tx, entry, recordId, action]) => ({
    position: { epoch: epoch ?? '', tx: tx ?? '', id: entry ?? '' },
    recordId: recordId ?? '',
    action: action ?? '',
  }));
}
