/** An object's list: its bars, and the table or the board. */
import { lazyPart } from '../app/lazy-part.ts';
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

// Loaded on demand, so that a table does not wait for the code of boards and forms.
const Board = lazyPart(
  () => import('../board/board.tsx'),
  (file) => file.Board,
  <div className={styles.empty} aria-busy="true" />,
);

const BoardTools = lazyPart(
  () => import('../board/board.tsx'),
  (file) => file.BoardTools,
);

/** The list of an existing object. */
export function ListOf({ object }: { object: ObjectShape }) {
  const list = useList(object);
  const { records } = useTexts();
  const { isGone, isPending, error, again } = list.draft;
  if (isGone)
    return (
      <Instead list={list} reason={records.draftGone} label={records.showAll} run={() => list.show(list.view?.id)} />
    );
  if (error) return <Failure error={error} again={again} />;
  if (isPending || list.lacksView === 'yet') return <Waiting list={list} />;
  if (list.lacksView === 'for good')
    return <Instead list={list} reason={records.noSuchView} label={records.showAll} run={() => list.show(undefined)} />;
  if (list.isBroken)
    return (
      <Instead
        list={list}
        reason={records.brokenFilter}
        label={records.removeFilter}
        run={() => list.change({ filter: undefined })}
      />
    );
  return <Shown list={list} />;
}

function Waiting({ list }: { list: List }) {
  return (
    <>
      <ListTop list={list} total={undefined} />
      <div className={styles.empty} aria-busy="true" />
    </>
  );
}

interface InsteadProps {
  readonly list: List;
  readonly reason: string;
  readonly label: string;
  readonly run: () => void;
}

/** Shown instead of the list if the address cannot be interpreted, so that no wrong records appear: the reason, and a way on. */
function Instead({ list, reason, label, run }: InsteadProps) {
  return (
    <>
      <ListTop list={list} total={undefined} />
      <div role="alert">
        <Empty action={<Button onClick={run}>{label}</Button>}>{reason}</Empty>
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
        {isBoard && <BoardTools list={list} />}
        <Tools list={list} />
        <SaveView list={list} />
      </div>
      {shown?.is_partial && <Partial view={shown} object={object} />}
      {isBoard ? <Board list={list} /> : <TableOf list={list} permission={workspace.permissions[object.name]} />}
    </>
  );
}

/** Warns that parts of the view no longer exist, so the list finds more or fewer records than intended. */
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
