/** What a request says of how a write is to be done: `?dry_run=true`, and the header `Idempotency-Key` of a POST. */
import { createHash } from 'node:crypto';
import { dryRunParameter } from '../describe/places.ts';
import { errors } from '../errors.ts';
import { isObject, type Json } from '../lib/json.ts';
import type { OnceKey } from '../operations/idempotency.ts';
import type { Manner } from '../operations/manner.ts';

export interface WriteRequest {
  readonly method: string;
  /** The route's path, with what stands for its parameters. */
  readonly route: string;
  readonly params: unknown;
  readonly query: ReadonlyMap<string, string>;
  readonly body: unknown;
  readonly idempotencyKey: string | string[] | undefined;
}

/** Undefined for a write that is done plainly. Throws VALIDATION_ERROR. `replayed` is called for an answer that is an earlier one's. */
export function readManner(request: WriteRequest, replayed: () => void): Manner | undefined {
  const dryRun = readDryRun(request.query.get(dryRunParameter));
  const once = request.method === 'POST' ? readKey(request, replayed) : undefined;
  // A dry run neither uses a key nor looks at it.
  if (dryRun) return { dryRun };
  return once && { dryRun, once };
}

function readDryRun(value: string | undefined): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw errors.validation(`${dryRunParameter} must be true or false`, undefined, ['true', 'false']);
}

function readKey(request: WriteRequest, replayed: () => void): OnceKey | undefined {
  const { idempotencyKey: key } = request;
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw errors.validation('Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return { key, request: hashOf(request), replayed };
}

/** Equal for requests that mean the same, whatever the order of their keys. */
function hashOf({ method, route, params, query, body }: WriteRequest): string {
  const asked = [...query].filter(([name]) => name !== dryRunParameter).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([method, route, params, asked, body === undefined ? null : [canonical(body as Json)]]);
  return createHash('sha256').update(text).digest('base64url');
}

function canonical(value: Json): Json {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, canonical(item)]));
}
