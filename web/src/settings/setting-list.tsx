import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';

interface SettingListProps<Row> {
  readonly found: UseInfiniteQueryResult<{ readonly pages: readonly { readonly data: readonly Row[] }[] }>;
  /** Shown if the list is empty; left out for lists that never are. */
  readonly empty?: ReactNode;
  /** Renders the rows loaded so far. */
  readonly children: (rows: readonly Row[]) => ReactNode;
}

/** A paged list in each of its states: loading, failed, empty, loaded. */
export function SettingList<Row>({ found, empty, children }: SettingListProps<Row>) {
  const { shell } = useTexts();
  const failure = found.error && <Failure error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return failure ?? <RowLines count={4} />;
  const rows = found.data.pages.flatMap(({ data }) => data);
  return (
    <>
      {failure}
      {rows.length === 0 ? empty : children(rows)}
      {found.hasNextPage && (
        <p>
          <Button isWorking={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
            {shell.showMore}
          </Button>
        </p>
      )}
    </>
  );
}
