/** One object's list: its bars, and the table or the board between them. */
import { lazy, Suspense } from 'react';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import styles from './list-page.module.css';
import { ListTop } from './list-top.tsx';
import { Tools } from './tools.tsx';
import { TableOf } from './table-of.tsx';
import { useList } from './use-list.ts';
import { useTotal } from './use-total.ts';
import { SaveView } from './views/save-view.tsx';

// A table does not wait for what boards need, nor for the form of a new record.
const Board = lazy(async () => ({ default: (await import('../board/board.tsx')).Board }));

/** The list of an object that there is. */
export function ListOf({ object }: { object: ObjectShape }) {
  const list = useList(object);
  const workspace = useWorkspace();
  const total = useTotal(list);
  const isBoard = list.state.layout === 'board';
  return (
    <>
      <ListTop list={list} total={total} />
      <div className={styles.tools}>
        <FilterBar
          object={object}
          filter={list.state.filter}
          search={list.state.search}
          put={(filter) => list.change({ filter })}
        />
        <Tools list={list} />
        <SaveView list={list} />
      </div>
      {isBoard ? (
        <Suspense fallback={<div className={styles.empty} aria-busy="true" />}>
          <Board list={list} />
        </Suspense>
      ) : (
        <TableOf list={list} permission={workspace.permissions[object.name]} />
      )}
    </>
  );
}
