/** One object's list: its bars, and the table or the board between them. */
import { lazy, Suspense } from 'react';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { FilterBar } from './filter/filter-bar.tsx';
import styles from './list-page.module.css';
import { ListTop } from './list-top.tsx';
import { Tools } from './tools.tsx';
import { TableOf } from './table-of.tsx';
import { useList, type List } from './use-list.ts';
import { useTotal } from './use-total.ts';
import { SaveView } from './views/save-view.tsx';
import type { View } from './views/use-views.ts';

// A table does not wait for what boards need, nor for the form of a new record.
const Board = lazy(async () => ({ default: (await import('../board/board.tsx')).Board }));

/** The list of an object that there is. */
export function ListOf({ object }: { object: ObjectShape }) {
  const list = useList(object);
  const { isGone, isPending, error } = list.draft;
  if (isPending) return <div className={styles.empty} aria-busy="true" />;
  if (!isGone && error) return <Failure error={error} again={list.draft.again} />;
  if (isGone) return <Gone list={list} />;
  return list.isBroken ? <Broken list={list} /> : <Shown list={list} />;
}

/** Nobody knows any more what the address showed: that is said, rather than shown as something else. */
function Gone({ list }: { list: List }) {
  const { records } = useTexts();
  return (
    <>
      <ListTop list={list} total={undefined} />
      <div role="alert">
        <Empty action={<Button onClick={() => list.show(list.view?.id)}>{records.showAll}</Button>}>
          {records.draftGone}
        </Empty>
      </div>
    </>
  );
}

/** Of a filter that cannot be read nobody knows what it leaves: nothing is shown until it is mended or removed. */
function Broken({ list }: { list: List }) {
  const { records } = useTexts();
  return (
    <>
      <ListTop list={list} total={undefined} />
      <div role="alert">
        <Empty action={<Button onClick={() => list.change({ filter: undefined })}>{records.removeFilter}</Button>}>
          {records.brokenFilter}
        </Empty>
      </div>
    </>
  );
}

function Shown({ list }: { list: List }) {
  const { object } = list;
  const workspace = useWorkspace();
  const total = useTotal(list);
  const shown = list.draft.draft ?? list.view;
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
      {shown?.is_partial && <Partial view={shown} object={object} />}
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

/** A view of which something is left out finds more, or fewer, than was meant. */
function Partial({ view, object }: { view: View; object: ObjectShape }) {
  const { records } = useTexts();
  const formats = useFormats();
  const names = view.unavailable.map((name) => object.fields.find((field) => field.name === name)?.label ?? name);
  return (
    <p className={styles.partial} role="note">
      {names.length > 0 ? records.partialView(formats.list(names)) : records.partialViewOfRole}
    </p>
  );
}
