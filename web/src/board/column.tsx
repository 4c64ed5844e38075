import { Plus } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dot } from '../ui/chip.tsx';
import styles from './board.module.css';
import { mayMakeIn } from './may-make.ts';
import { AskCard } from './ask-card.tsx';
import { Card } from './card.tsx';
import type { ColumnProps } from './column-props.ts';
import { valueAt } from './grouping.ts';
import { mostCards } from './use-board.ts';

const NewRecord = lazyPart(
  () => import('../records/new-record.tsx'),
  (file) => file.NewRecord,
);

/** One step or option: its cards, their number and sums. */
export function Column(props: ColumnProps) {
  const { column, cards, count, moves, showMore } = props;
  const { board, records } = useTexts();
  const act = useRef(props);
  useLayoutEffect(() => {
    act.current = props;
  });
  const hidden = count - cards.length;
  const pending = moves.pending?.to.key === column.key ? moves.pending : undefined;
  return (
    <section className={styles.column} aria-label={`${column.label}, ${count}`} data-column={column.key}>
      <Head {...props} />
      <ul className={styles.cards}>
        {pending && (
          <li>
            <AskCard
              key={pending.card.id}
              pending={pending}
              object={props.list.object}
              from={props.columns}
              move={moves.move}
              putBack={moves.putBack}
            />
          </li>
        )}
        {cards.map((card) => (
          <li key={card.id}>
            <Card
              act={act}
              card={card}
              object={props.list.object}
              shown={props.shown}
              isCurrent={props.currentId === card.id}
              mayMove={props.mayMove}
              isOngoing={(column.step?.kind ?? 'ongoing') === 'ongoing'}
              reason={moves.refused?.id === card.id ? moves.refused.reason : undefined}
            />
          </li>
        ))}
      </ul>
      {count === 0 && !pending && <p className={styles.nothing}>{board.nothingAt(column.label)}</p>}
      {hidden > 0 && (
        <Button
          kind="bare"
          disabled={cards.length >= mostCards}
          title={cards.length >= mostCards ? records.table : undefined}
          onClick={showMore}
        >
          {board.moreCards(hidden)}
        </Button>
      )}
    </section>
  );
}

function Head({ column, count, sums, list, grouping, mayMove, isNew, setNew }: ColumnProps) {
  const { board } = useTexts();
  const formats = useFormats();
  const { permissions } = useWorkspace();
  const { label, color, isRing } = column;
  const amounts = Object.entries(sums ?? {});
  const exact = amounts.map(([currency, amount]) => formats.money(amount, currency)).join(' · ');
  return (
    <header className={styles.head}>
      <h2>
        <Dot color={color} isRing={isRing} />
        <bdi className="clip">{label}</bdi>
        <span className={styles.count}>{formats.number(count)}</span>
      </h2>
      {mayMakeIn(column, permissions[list.object.name], mayMove) && (
        <Button
          kind="bare"
          aria-label={board.newAt(label)}
          title={board.newAt(label)}
          icon={<Plus size={14} />}
          onClick={() => setNew(true)}
        />
      )}
      {amounts.length > 0 && (
        <p className={styles.sums} title={exact}>
          {amounts.map(([currency, amount]) => (
            <span key={currency}>{formats.shortMoney(amount, currency)}</span>
          ))}
        </p>
      )}
      {isNew && (
        <NewRecord
          object={list.object}
          given={{ [grouping.name]: valueAt(grouping, column) }}
          close={() => setNew(false)}
        />
      )}
    </header>
  );
}
