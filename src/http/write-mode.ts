/** Reads the write mode of a request: `?dry_run=true`, and `Idempotency-Key` on a POST. */
import { dryRunParameter, prettyParameter } from '../describe/places.ts';
import { errors } from '../errors.ts';
import { digestOf } from '../lib/digest.ts';
import type { Json } from '../lib/json.ts';
import type { OnceKey } from '../operations/door/idempotency.ts';
import type { WriteMode } from '../operations/door/write-mode.ts';
import { FileBody } from './body.ts';
import { canonicalPieces } from './canonical.ts';

export interface WriteRequest {
  readonly method: string;
  /** The route's path and its parameters. */
  readonly route: string;
  readonly params: unknown;
  readonly query: ReadonlyMap<string, string>;
  readonly body: unknown;
  readonly idempotencyKey: string | string[] | undefined;
  readonly changeSet: string;
}

/** The write mode; undefined for a plain write. `replayed` is called if an earlier answer is repeated. Throws VALIDATION_ERROR. */
export async function readWriteMode(
  request: WriteRequest,
  replayed: OnceKey['replayed'],
): Promise<WriteMode | undefined> {
  const dryRun = readDryRun(request.query.get(dryRunParameter));
  const key = request.method === 'POST' ? readKey(request) : undefined;
  // A dry run does not use the key.
  if (dryRun) return { dryRun };
  return key === undefined
    ? undefined
    : { dryRun, once: { key, request: await hashOf(request), changeSet: request.changeSet, replayed } };
}

function readDryRun(value: string | undefined): boolean {
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw errors.validation(`${dryRunParameter} must be true or false`, undefined, ['true', 'false']);
}

function readKey({ idempotencyKey: key }: WriteRequest): string | undefined {
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw errors.validation('Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  return key;
}

/** A hash of the request that ignores key order. */
async function hashOf({ method, route, params, query, body }: WriteRequest): Promise<string> {
  const asked = [...query]
    .filter(([name]) => name !== dryRunParameter && name !== prettyParameter)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  const pieces = requestPieces(JSON.stringify([method, route, params, asked]), body);
  return (await digestOf(pieces)).toString('base64url');
}

/** Pieces of the list `head` with the body as its last item. */
function* requestPieces(head: string, body: unknown): Generator<string, void, undefined> {
  yield head.slice(0, -1);
  if (body === undefined) yield ',null';
  else if (body instanceof FileBody) yield* body.pieces();
  else {
    yield ',[';
    yield* canonicalPieces(body as Json);
    yield ']';
  }
  yield ']';
}
