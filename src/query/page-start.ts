/** Where a page of a sorted list begins, and how the cursor of the next one is written. */
import type { FilterGroup } from '../model/model.ts';
import { Budget } from './budget.ts';
import { fingerprint, readCursor, writeCursor, type CursorSeal, type Position } from './cursor.ts';
import { orderOf, type Order, type SortKey } from './order.ts';
import type { ObjectScope } from './row-scope.ts';

interface Listed {
  readonly where: readonly FilterGroup[];
  readonly search?: string | undefined;
  readonly sort: readonly SortKey[];
  readonly cursor?: string | undefined;
}

export interface PageStart {
  readonly order: Order;
  /** Undefined on the first page. */
  readonly position: Position | undefined;
  /** The cursor of the page that follows the row with this id and these sort keys. */
  cursorAt(last: Position): string;
}

/** Throws VALIDATION_ERROR for a cursor of another object, sort, filter or search, and for a sort beyond the budget. */
export function pageStart(scope: ObjectScope, request: Listed, seal: CursorSeal, budget: Budget): PageStart {
  const opening = orderOf(request.sort, scope, budget);
  const query = fingerprint([scope.object.id, opening.identity, request.where, request.search ?? '']);
  const cells = opening.keys.length + (opening.moment === undefined ? 0 : 1);
  const position = request.cursor === undefined ? undefined : readCursor(seal, query, cells, request.cursor);
  const moment = position?.keys[opening.keys.length] ?? null;
  const order = moment === null ? opening : orderOf(request.sort, scope, new Budget(), Number(moment));
  const written = order.moment === undefined ? [] : [String(order.moment)];
  return {
    order,
    position,
    cursorAt: ({ id, keys }) => writeCursor(seal, query, { id, keys: [...keys, ...written] }),
  };
}
