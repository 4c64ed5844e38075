/** The state of a list's page: its address merged with its view. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { queries } from '../api/queries.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import { columnsOf, namesOf, type Column } from './columns.ts';
import { wholeOf } from './filter/tree.ts';
import {
  addressOf,
  changeable,
  isBrokenFilter,
  overView,
  stateIn,
  type Address,
  type ListState,
} from './list-state.ts';
import { listedOf, pagesOfRows, type RowsQuery } from './rows-cache.ts';
import { useAheadOfAddress } from './use-ahead-of-address.ts';
import { isFolded, unfolded, useDraft, useFolding, type Draft } from './views/use-draft.ts';
import { savedState, useViews, type View } from './views/use-views.ts';

export interface List {
  readonly object: ObjectShape;
  readonly state: ListState;
  readonly query: RowsQuery;
  readonly columns: readonly Column[];
  /** The requested fields. */
  readonly fields: string;
  readonly views: readonly View[];
  readonly view: View | undefined;
  /** The draft view that stores an address that is too long. */
  readonly draft: Draft;
  /** Whether the address's filter cannot be parsed; then nothing is shown. */
  readonly isBroken: boolean;
  /** Whether the address's view is still loading, or does not exist for this reader. */
  readonly lacksView: 'yet' | 'for good' | undefined;
  /** Whether it differs from its view. */
  readonly isChanged: boolean;
  change(change: Partial<ListState>, isNew?: boolean): void;
  /** Returns to the view's state, or to all records. */
  reset(): void;
  /** Shows another view, or all records. */
  show(view: string | undefined): void;
}

/** The list of an object. */
export function useList(object: ObjectShape): List {
  const workspace = useWorkspace();
  const typed: Address = useSearch({ strict: false });
  const draft = useDraft(object.name, typed);
  const navigate = useNavigate();
  const goTo = useCallback(
    (search: (was: Address) => Address, replace: boolean) => navigate({ to: '.', search, replace, resetScroll: false }),
    [navigate],
  );
  const { address, put, go } = useAheadOfAddress(draft.address, goTo);
  const { views, isKnown } = useViews(object.name);
  const view = views.find(({ id }) => id === address['view']);
  const state = useMemo(() => stateIn(address, view && savedState(view)), [address, view]);
  const columns = useMemo(() => columnsOf(workspace, object, state.columns), [workspace, object, state.columns]);
  const display = workspace.reader.displayFields[object.name];
  const query = useMemo(() => queryOf(state), [state.filter, state.search, state.sort]);
  const fields = useMemo(() => namesOf(columns, display), [columns, display]);
  const isLacking = address['view'] !== undefined && !view;
  const keep = useCallback((last: ListState) => go(() => addressOf({ ...last, view: undefined }), true), [go]);
  useWithoutView(view, state, isLacking && isKnown ? address['view'] : undefined, keep);
  useFolding(
    object,
    state,
    useCallback((parts) => go(parts, true), [go]),
  );
  return {
    object,
    state,
    query,
    columns,
    fields,
    views,
    view,
    draft,
    isBroken: isBrokenFilter(address['f']),
    lacksView: isLacking ? (isKnown ? 'for good' : 'yet') : undefined,
    isChanged: changeable.some((name) => address[name] !== undefined),
    change: useCallback(
      (change: Partial<ListState>, isNew = false) => {
        const parts = overView(addressOf(change), view !== undefined);
        if ('search' in change || 'filter' in change || 'sort' in change)
          askAhead(object.name, { ...state, ...change }, fields);
        put(parts, (was) => ({ ...(isFolded(parts) ? unfolded(was) : was), ...parts }), !isNew);
      },
      [put, view, object, state, fields],
    ),
    reset: useCallback(() => go((was) => ({ view: was['view'] }), false), [go]),
    show: useCallback((id: string | undefined) => go(() => ({ view: id }), false), [go]),
  };
}

/** The query of a state. */
function queryOf({ filter, search, sort }: ListState): RowsQuery {
  const filters = filter && wholeOf(filter);
  const words = search.trim();
  return { ...(filters && { filters }), ...(words && { search: words }), ...(sort.length > 0 && { sort }) };
}

/** Starts fetching what the table is about to show, before it renders. */
function askAhead(object: string, next: ListState, fields: string): void {
  if (next.layout === 'table') void queries.prefetchInfiniteQuery(pagesOfRows(listedOf(object, queryOf(next), fields)));
}

/** When the shown view is deleted by somebody else, its state stays as unsaved changes. */
function useWithoutView(
  view: View | undefined,
  state: ListState,
  missing: string | undefined,
  keep: (last: ListState) => void,
): void {
  const { records } = useTexts();
  const last = useRef<{ readonly view: View; readonly state: ListState }>(undefined);
  useEffect(() => {
    if (view) last.current = { view, state };
    else if (missing !== undefined && last.current?.view.id === missing) {
      keep(last.current.state);
      toast({ text: records.viewWentAway(last.current.view.name) });
    }
  }, [view, state, missing, keep, records]);
}
