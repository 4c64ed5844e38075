/** The records as cards in the columns of their step or option. */
import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { KithRecord } from '../api/workspace.ts';
import { useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { RefusedList, useIsRefused } from '../records/refused-list.tsx';
import { NothingThere } from '../records/table-of.tsx';
import type { List } from '../records/use-list.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { lockOf } from '../values/editable.ts';
import { BoardBar } from './board-bar.tsx';
import styles from './board.module.css';
import { Column } from './column.tsx';
import { mayMakeIn } from './may-make.ts';
import { MoveMenu } from './move-menu.tsx';
import { useBoardCursor } from './use-board-cursor.ts';
import { columnsOf, drawnColumns, isNarrowed, type BoardColumn, type Grouping, type Groups } from './grouping.ts';
import { useColumnSums, useGrouping, useGroups } from './use-board.ts';
import { useMoves } from './use-moves.ts';
import { cardFields, type CardFields } from './card-fields.ts';

/** The board of a list. */
export function Board({ list }: { list: List }) {
  const { board } = useTexts();
  const grouping = useGrouping(list);
  if (!grouping) return <Empty>{board.noBoard}</Empty>;
  return <BoardOf key={`${grouping.name} ${grouping.pipeline?.id}`} list={list} grouping={grouping} />;
}

/** Chooses what the columns are; shown in the bar above the board. */
export function BoardTools({ list }: { list: List }) {
  const grouping = useGrouping(list);
  return grouping && <BoardBar list={list} grouping={grouping} />;
}

function BoardOf({ list, grouping }: { list: List; grouping: Grouping }) {
  const workspace = useWorkspace();
  const shown = useMemo(
    () => cardFields(list.object, workspace.reader.displayFields[list.object.name]),
    [list.object, workspace],
  );
  const groups = useGroups(list, grouping, [...shown.names, grouping.name].join(','));
  const sums = useColumnSums(list, grouping, shown.amount?.name);
  const isRefused = useIsRefused(groups.error);
  if (isRefused) return <RefusedList list={list} error={groups.error} />;
  if (groups.error && !groups.data) return <Failure error={groups.error} again={() => void groups.refetch()} />;
  if (!groups.data) return <div className={styles.board} aria-busy="true" />;
  return <Columns list={list} grouping={grouping} groups={groups} sums={sums} shown={shown} />;
}

interface ColumnsProps {
  readonly list: List;
  readonly grouping: Grouping;
  readonly groups: ReturnType<typeof useGroups>;
  readonly sums: ReturnType<typeof useColumnSums>;
  readonly shown: CardFields;
}

function Columns({ list, grouping, groups, sums, shown }: ColumnsProps) {
  const { board, records } = useTexts();
  const { permissions } = useWorkspace();
  const ask = useRef<(card: KithRecord) => void>(undefined);
  const all = useColumns(grouping, groups.data);
  const columns = useMemo(() => drawnColumns(all, groups.data?.counts ?? {}), [all, groups.data]);
  const moves = useMoves(list, grouping, groups);
  const cards = groups.data?.groups ?? {};
  const counts = groups.data?.counts ?? {};
  const cursor = useBoardCursor(columns.map(({ key }) => cards[key] ?? []));
  const mayMove = lockOf(grouping.field, permissions[list.object.name]) === undefined;
  const able = columns.filter((column) => mayMakeIn(column, permissions[list.object.name], mayMove));
  const [newAt, setNewAt] = useNewAt(able, cards, cursor.current()?.id);
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0 && (isNarrowed(list.state.filter) || list.state.search)) return <NothingThere list={list} />;
  return (
    <>
      <div className={styles.board} role="group" aria-label={records.board}>
        {columns.map((column) => (
          <Column
            key={column.key}
            list={list}
            grouping={grouping}
            column={column}
            columns={columns}
            cards={cards[column.key] ?? []}
            count={counts[column.key] ?? 0}
            sums={sums?.get(column.key)}
            shown={shown}
            moves={moves}
            mayMove={mayMove}
            currentId={cursor.current()?.id}
            place={cursor.place}
            ask={(card) => ask.current?.(card)}
            showMore={groups.showMore}
            isNew={newAt === column.key}
            setNew={(isNew) => setNewAt(isNew ? column.key : undefined)}
          />
        ))}
        {all.length > columns.length && (
          <p className={styles.nothing}>{board.moreColumns(all.length - columns.length)}</p>
        )}
      </div>
      {mayMove && <Moving ask={ask} current={cursor.current} columns={all} moves={moves} />}
    </>
  );
}

interface MovingProps {
  /** Set to a function that asks for the target column of a card. */
  readonly ask: RefObject<((card: KithRecord) => void) | undefined>;
  readonly current: () => KithRecord | undefined;
  readonly columns: readonly BoardColumn[];
  readonly moves: ReturnType<typeof useMoves>;
}

/** Asks for the target column and moves the card. Its state is local, so that no column is rendered again. */
function Moving({ ask, current, columns, moves }: MovingProps) {
  const { board, records } = useTexts();
  const [card, setCard] = useState<KithRecord>();
  const close = () => setCard(undefined);
  useLayoutEffect(() => {
    ask.current = setCard;
  }, [ask]);
  useKeys([{ keys: 'm', label: records.move, run: () => setCard(current()) }]);
  if (!card) return undefined;
  return (
    <MoveMenu
      card={card}
      columns={columns}
      label={board.moveIt}
      close={close}
      pick={(to) => {
        close();
        void moves.move(card, to);
        focusLater(card.id);
      }}
    />
  );
}

/** The column in which a new record is created: by key the one of the active card, otherwise the first. */
function useNewAt(able: readonly BoardColumn[], cards: Groups['groups'], currentId: string | undefined) {
  const { board } = useTexts();
  const at = useState<string>();
  const column = able.find(({ key }) => cards[key]?.some(({ id }) => id === currentId)) ?? able[0];
  useKeys(column ? [{ keys: 'c', label: board.newAt(column.label), run: () => at[1](column.key) }] : []);
  return at;
}

function useColumns(grouping: Grouping, groups: Groups | undefined): readonly BoardColumn[] {
  const workspace = useWorkspace();
  const { board, values } = useTexts();
  return useMemo(() => {
    const words = {
      without: board.without(grouping.field.label),
      unseen: values.notSeen,
      yes: values.yes,
      no: values.no,
    };
    return columnsOf(grouping, groups ?? { groups: {}, counts: {} }, workspace, words);
  }, [grouping, groups, workspace, board, values]);
}

/** Closing a menu returns the focus within this time. */
const closedMs = 60;

/** Moves the focus to the card once it is rendered in its new column, or to the question that is asked there. */
function focusLater(id: string): void {
  setTimeout(() => {
    const asked = document.querySelector<HTMLElement>('[data-asking] :is(input, textarea, select)');
    (asked ?? document.getElementById(`card-${id}`))?.focus();
  }, closedMs);
}
