/** What the page of a list shows: its address, over the view that it names. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
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
import type { RowsQuery } from './use-rows.ts';
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
  const { address } = draft;
  const navigate = useNavigate();
  const views = useViews(object.name);
  const view = views.find(({ id }) => id === address['view']);
  const state = useMemo(() => stateIn(address, view && savedState(view)), [address, view]);
  const columns = useMemo(() => columnsOf(workspace, object, state.columns), [workspace, object, state.columns]);
  const display = workspace.reader.displayFields[object.name];
  const query = useMemo<RowsQuery>(() => {
    const filters = state.filter && wholeOf(state.filter);
    return {
      ...(filters && { filters }),
      ...(state.search.trim() && { search: state.search.trim() }),
      ...(state.sort.length > 0 && { sort: state.sort }),
    };
  }, [state.filter, state.search, state.sort]);
  const go = useCallback(
    (parts: (was: Address) => Address, replace: boolean) =>
      void navigate({ to: '.', search: parts, replace, resetScroll: false }),
    [navigate],
  );
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
    fields: useMemo(() => namesOf(columns, display), [columns, display]),
    views,
    view,
    draft,
    isBroken: isBrokenFilter(address['f']),
    isChanged: changeable.some((name) => address[name] !== undefined),
    change: useCallback(
      (change: Partial<ListState>, isNew = false) => {
        const parts = overView(addressOf(change), view !== undefined);
        go((was) => ({ ...(isFolded(parts) ? unfolded(was) : was), ...parts }), !isNew);
      },
      [go, view],
    ),
    reset: useCallback(() => go((was) => ({ view: was['view'] }), false), [go]),
    show: useCallback((id: string | undefined) => go(() => ({ view: id }), false), [go]),
  };
}
