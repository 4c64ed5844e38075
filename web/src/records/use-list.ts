/** What the page of a list shows: its address, over the view that it names. */
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
  /** The names of fields to ask for. */
  readonly fields: string;
  readonly views: readonly View[];
  readonly view: View | undefined;
  /** What keeps the rest of the address, where that is too long. */
  readonly draft: Draft;
  /** Whether the address has a filter that cannot be read: then nothing is shown. */
  readonly isBroken: boolean;
  /** Whether the view of the address is not known yet, or there is none, or none for this reader. */
  readonly lacksView: 'yet' | 'for good' | undefined;
  /** Whether it shows something else than its view. */
  readonly isChanged: boolean;
  change(change: Partial<ListState>, isNew?: boolean): void;
  /** Back to what the view shows, or to all. */
  reset(): void;
  /** Another view, or all. */
  show(view: string | undefined): void;
}

/** The list of the object. */
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

/** What is asked for of the list. */
function queryOf({ filter, search, sort }: ListState): RowsQuery {
  const filters = filter && wholeOf(filter);
  const words = search.trim();
  return { ...(filters && { filters }), ...(words && { search: words }), ...(sort.length > 0 && { sort }) };
}

/** Has what a table is about to show on its way before anything is drawn. */
function askAhead(object: string, next: ListState, fields: string): void {
  if (next.layout === 'table') void queries.prefetchInfiniteQuery(pagesOfRows(listedOf(object, queryOf(next), fields)));
}

/** Where somebody deletes the view that is looked at, what it showed stays, as changes that are not saved. */
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
