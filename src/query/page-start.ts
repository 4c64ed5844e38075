/** The start of a page in a sorted list of records, and the cursor of the next page. */
import type { FilterGroup } from '../model/model.ts';
import { Budget } from './budget.ts';
import type { CursorSigner } from './cursor.ts';
import { orderOf, type Order, type SortKey } from './order.ts';
import { openPage, type PageStart } from './paging.ts';
import type { ObjectScope } from './row-scope.ts';

interface Listed {
  readonly where: readonly FilterGroup[];
  readonly search?: string | undefined;
  readonly timed?: { readonly name: string } | undefined;
  readonly beside?: { readonly name: string } | undefined;
  readonly sort: readonly SortKey[];
  readonly cursor?: string | undefined;
}

interface SortedStart extends PageStart {
  readonly order: Order;
}

/**
 * Reads the cursor and the sort. Throws VALIDATION_ERROR for a cursor of another object, sort, filter or search, and
 * for a sort beyond the budget.
 */
export function pageStart(scope: ObjectScope, request: Listed, signer: CursorSigner, budget: Budget): SortedStart {
  const opening = orderOf(request.sort, scope, budget);
  const timed = request.timed ? [request.timed.name] : [];
  const beside = request.beside ? [{ beside: request.beside.name }] : [];
  const identity = [scope.object.id, opening.identity, request.where, request.search ?? '', ...timed, ...beside];
  const cells = opening.keys.length + (opening.moment === undefined ? 0 : 1);
  const { position, fingerprint, cursorAt } = openPage(signer, identity, cells, request.cursor);
  const moment = position?.keys[opening.keys.length] ?? null;
  const order = moment === null ? opening : orderOf(request.sort, scope, new Budget(), Number(moment));
  const written = order.moment === undefined ? [] : [String(order.moment)];
  return { order, position, fingerprint, cursorAt: ({ id, keys }) => cursorAt({ id, keys: [...keys, ...written] }) };
}
