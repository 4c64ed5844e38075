/** One record with its ETag; values from cached lists are shown until it is loaded. */
import { queryOptions } from '@tanstack/react-query';
import { KithError } from '../../../client/index.js';
import type { RecordsGetAnswer } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import type { KithRecord } from '../api/workspace.ts';

type List = NonNullable<RecordsGetAnswer<{ record: object; create: object; update: object }>['lists']>[number];

export interface Loaded {
  readonly record: KithRecord;
  readonly lists: readonly List[];
  /** Undefined if the record comes from a list or is shown as of a time. */
  readonly etag: string | undefined;
}

/** The query for a record, optionally as of a time. */
export function recordQuery(object: string, id: string, asOf?: string) {
  return queryOptions({
    queryKey: asOf === undefined ? keys.record(object, id) : [...keys.record(object, id), asOf],
    queryFn: () => load(object, id, asOf),
    placeholderData: () => (asOf === undefined ? known(object, id) : undefined),
  });
}

/** Fetches the record. */
export async function load(object: string, id: string, asOf?: string): Promise<Loaded> {
  const { data, etag } = await kith.records.get(object, id, asOf === undefined ? {} : { as_of: asOf }).withResponse();
  return { record: data.record, lists: data.lists ?? [], etag };
}

/** Whether the record does not exist or is hidden from the reader. */
export function isGone(error: unknown): boolean {
  return error instanceof KithError && ['RECORD_NOT_FOUND', 'NOT_FOUND', 'INVALID_OBJECT'].includes(error.code);
}

/** Updates the record in every cached query. */
export function show(object: string, id: string, change: (loaded: Loaded) => Loaded): void {
  queries.setQueryData<Loaded>(keys.record(object, id), (loaded) => loaded && change(loaded));
}

/** The rows of a cached list. */
export function rowsOf(data: unknown): readonly KithRecord[] {
  if (typeof data !== 'object' || data === null) return [];
  if ('pages' in data && Array.isArray(data.pages)) return data.pages.flatMap((page: unknown) => rowsOf(page));
  return 'data' in data && Array.isArray(data.data) ? (data.data as KithRecord[]) : [];
}

/** The cached lists that contain the record, the latest first. */
export function listsWith(object: string, id: string): readonly unknown[] {
  const [tables, others] = [
    ['rows', object],
    ['records', object, 'list'],
  ].map((queryKey) =>
    queries
      .getQueryCache()
      .findAll({ queryKey })
      .filter(({ state }) => rowsOf(state.data).some((row) => row.id === id))
      .toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)
      .map(({ state }) => state.data),
  );
  return [...(tables ?? []), ...(others ?? [])];
}

function known(object: string, id: string): Loaded | undefined {
  const record = listsWith(object, id)
    .flatMap((data) => rowsOf(data).filter((row) => row.id === id))
    .toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)[0];
  return record && { record, lists: [], etag: undefined };
}
