import { useIsFetching } from '@tanstack/react-query';
import { KithError } from '../../../client/index.js';
import { messageOf } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { fieldAt } from './columns.ts';
import type { List } from './use-list.ts';

const refusals = ['INVALID_FIELD', 'INVALID_OPERATION', 'VALIDATION_ERROR'];

/** Whether the service refuses the list's query: a field or option of its filter or sort is gone or hidden from the role. */
export function useIsRefused(error: unknown): boolean {
  // A removed column is refused until the workspace is reloaded, after which it is no longer requested.
  const isStale = useIsFetching({ queryKey: keys.workspace }) > 0;
  return !isStale && error instanceof KithError && refusals.includes(error.code);
}

/** Gives the reason and removes the refused part; rows of an earlier query are not shown meanwhile. */
export function RefusedList({ list, error }: { list: List; error: unknown }) {
  const { records } = useTexts();
  const workspace = useWorkspace();
  const { object, state, change } = list;
  const isSort = state.sort.some(({ field }) => !fieldAt(workspace, object, field));
  const [label, mend] = isSort
    ? [records.dropSort, () => change({ sort: [] })]
    : state.filter
      ? [records.removeFilter, () => change({ filter: undefined })]
      : [records.showAll, () => list.show(undefined)];
  return (
    <div role="alert">
      <Empty action={<Button onClick={mend}>{label}</Button>}>{records.refusedList(messageOf(error))}</Empty>
    </div>
  );
}
