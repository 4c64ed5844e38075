/**
 * For addresses that would be too long: a draft view stores the list's state, and its id is in the address. Drafts are immutable,
 * so that an address shows the same when it is reloaded, gone back to, or opened elsewhere.
 */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { KithError } from '../../../../client/index.js';
import { kith } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import type { ObjectShape } from '../../api/workspace.ts';
import { wholeOf } from '../filter/tree.ts';
import { addressOf, overView, type Address, type ListState } from '../list-state.ts';
import { keptOf, savedState, type View } from './use-views.ts';

/** In characters; mail and chat programs may cut longer addresses. */
const longest = 2_000;
/** A filter is stored after this pause in typing. */
const restMs = 400;

/** The parts of an address that can be long. */
const folded = ['q', 'f', 'sort', 'cols'] as const;

export interface Draft {
  /** The address with the parts that its draft stores. */
  readonly address: Address;
  /** Undefined if the address names none, or it is still loading. */
  readonly draft: View | undefined;
  readonly isPending: boolean;
  /** Why it could not be loaded. */
  readonly error: unknown;
  /** Whether the draft no longer exists. */
  readonly isGone: boolean;
  again(): void;
}

/** The full address, once its draft is loaded. */
export function useDraft(object: string, address: Address): Draft {
  const id = address['draft'] ?? '';
  const { data, error, refetch } = useQuery({ ...draftQuery(id), enabled: id !== '' });
  const isOther = data !== undefined && data.object_name !== object;
  const draft = id === '' || isOther ? undefined : data;
  return {
    address: unfolded(address),
    draft,
    isPending: id !== '' && data === undefined && error === null,
    error: id === '' || data ? undefined : error,
    isGone: id !== '' && (isOther || (error instanceof KithError && error.code === 'RECORD_NOT_FOUND')),
    again: () => void refetch(),
  };
}

/** The address with the parts of its draft; unchanged if it names none that is loaded. */
export function unfolded(address: Address): Address {
  const { draft: id, ...rest } = address;
  const draft = id === undefined ? undefined : queries.getQueryData<View>(draftQuery(id).queryKey);
  if (!draft) return address;
  const { search = '', filter, sort = [], columns } = savedState(draft);
  return { ...overView(addressOf({ search, filter, sort, columns }), rest['view'] !== undefined), ...rest };
}

/** Whether some of these parts are stored in drafts. */
export function isFolded(parts: Address): boolean {
  return folded.some((name) => name in parts);
}

/** Stores the state in a draft while its address is too long, and passes the short address to `put`. */
export function useFolding(
  object: ObjectShape,
  state: ListState,
  put: (parts: (was: Address) => Address) => void,
): void {
  const text = useLocation({ select: ({ href }) => href });
  const latest = useRef({ state, put });
  useEffect(() => {
    latest.current = { state, put };
  });
  useEffect(() => {
    if (location.origin.length + text.length <= longest) return undefined;
    const end = new AbortController();
    const timer = setTimeout(() => {
      // If it cannot be stored, the long address stays, which works in this tab.
      fold().catch(() => undefined);
    }, restMs);
    const fold = async () => {
      const { filter, ...shown } = latest.current.state;
      // An incomplete condition cannot be stored.
      if (filter && JSON.stringify(wholeOf(filter)) !== JSON.stringify(filter)) return;
      const { filters, sort, search, columns } = keptOf({ filter, ...shown });
      const given = { object_name: object.name, name: object.label.slice(0, 200), filters, sort, search, columns };
      const draft = await kith.views.create({ ...given, is_draft: true }, { signal: end.signal });
      queries.setQueryData(draftQuery(draft.id).queryKey, draft);
      if (!end.signal.aborted) latest.current.put((was) => ({ ...without(was, folded), draft: draft.id }));
    };
    end.signal.addEventListener('abort', () => clearTimeout(timer));
    return () => end.abort();
  }, [text, object.name, object.label]);
}

function without(address: Address, names: readonly string[]): Address {
  return Object.fromEntries(Object.entries(address).filter(([name]) => !names.includes(name)));
}

function draftQuery(id: string) {
  return queryOptions({
    queryKey: keys.draft(id),
    queryFn: ({ signal }): Promise<View> => kith.views.get(id, { signal }),
    staleTime: Infinity,
  });
}
