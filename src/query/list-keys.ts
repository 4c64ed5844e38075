/** Under which keys a list is remembered: everything that decides it except the rows. */
import { hash } from 'node:crypto';
import { join, statement } from '../postgres/sql.ts';
import type { QueryContext } from './context.ts';
import type { Position } from './cursor.ts';
import type { Order } from './order.ts';
import type { ObjectScope } from './row-scope.ts';
import type { Selection } from './selection.ts';

/** The keys; undefined where more than the versions decides a list. */
export interface ListKeys {
  /** Of its total; undefined where counting costs nothing. */
  readonly cacheKey: string | undefined;
  readonly pageKey: string | undefined;
  readonly textKey: string | undefined;
}

/** What of a request decides its page, beside the conditions. */
interface Asked {
  readonly order: Order;
  readonly position: Position | undefined;
  readonly limit: number;
  /** Identifies the request as its cursors do: the text ends with one. */
  readonly fingerprint: Uint8Array;
  /** Undefined where the list has a form of its own, which no versions decide. */
  readonly ofRecord: Selection | undefined;
  /** Whether the conditions use the time: their values differ on each request, so the page would never be found again. */
  readonly isTimed: boolean;
}

/** The keys of a list; `key` identifies its conditions, and `isAll` says that its total is that of all rows. */
export function keysOf(
  key: string,
  isAll: boolean,
  scope: ObjectScope,
  { timeZone, mostBytes }: Pick<QueryContext, 'timeZone' | 'mostBytes'>,
  asked: Asked,
): ListKeys {
  const cacheKey = isAll ? undefined : key;
  const { order, position, limit, ofRecord, fingerprint } = asked;
  if (!isDecidedByVersions(scope, asked)) return { cacheKey, pageKey: undefined, textKey: undefined };
  const { id = null, keys = [] } = position ?? {};
  const pageKey = digestOf([key, timeZone, order.identity, id, keys, limit]);
  if (!ofRecord?.reads || readsInternal(scope, ofRecord.reads)) return { cacheKey, pageKey, textKey: undefined };
  const list = Buffer.from(fingerprint).toString('base64url');
  return { cacheKey, pageKey, textKey: digestOf([pageKey, list, selectionDigest(ofRecord), mostBytes]) };
}

function digestOf(identity: unknown): string {
  return hash('sha256', JSON.stringify(identity), 'base64url');
}

/** Pages up to this size are remembered. */
const mostRememberedRows = 100;

/** Whether nothing but rows and versions decides the page: no other records or the time in its order, no internal object. */
function isDecidedByVersions(scope: ObjectScope, { order, limit, isTimed }: Asked): boolean {
  if (order.isCostly || order.moment !== undefined || isTimed || limit > mostRememberedRows) return false;
  return !readsInternal(scope, scope.reads);
}

/** Internal objects raise their version only for what changes totals: a thread gets messages without one. */
function readsInternal({ context: { model } }: ObjectScope, reads: ReadonlySet<string>): boolean {
  for (const { id, kind } of model.objects.values()) if (kind === 'internal' && reads.has(id)) return true;
  return false;
}

const digests = new WeakMap<Selection, string>();

/** Equal for selections that show the same of every row of an object, under one model. */
function selectionDigest(selection: Selection): string {
  let digest = digests.get(selection);
  if (digest === undefined) {
    const { text, values } = statement(join([...selection.columns], ', '));
    digest = digestOf([selection.keys, text, values]);
    digests.set(selection, digest);
  }
  return digest;
}
