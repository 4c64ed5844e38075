import { useNavigate } from '@tanstack/react-router';
import { ArrowRight, Clock } from 'lucide-react';
import { memo, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord, ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { dateOf } from '../i18n/formats.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { refsOf } from '../values/shapes.ts';
import { textOf } from '../values/text-of.ts';
import styles from './board.module.css';
import type { CardFields } from './card-fields.ts';
import type { ColumnProps } from './column-props.ts';

interface CardProps {
  /** The column's current props, in a ref, so that their changes do not render cards again. */
  readonly act: RefObject<ColumnProps>;
  readonly card: KithRecord;
  readonly object: ObjectShape;
  readonly shown: CardFields;
  /** Whether it is the card that keys act on. */
  readonly isCurrent: boolean;
  readonly mayMove: boolean;
  /** Whether it is in an ongoing step, so its date can be overdue. */
  readonly isOngoing: boolean;
  /** Why its move was refused. */
  readonly reason: string | undefined;
}

/** A record on a board. */
export const Card = memo(function Card(props: CardProps) {
  const { act, card, object, shown, isCurrent, mayMove, reason } = props;
  const { reader } = useWorkspace();
  const { board } = useTexts();
  const navigate = useNavigate();
  const name = nameOf(card, reader.displayFields[object.name]);
  const open = () => void navigate({ to: '/r/$object/$id', params: { object: object.name, id: card.id } });
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
    event.preventDefault();
    open();
  };
  return (
    <article
      id={`card-${card.id}`}
      className={reason === undefined ? styles.card : `${styles.card} ${styles.refused}`}
      aria-label={name}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => act.current.place(card)}
      onKeyDown={press}
      onPointerDown={(event) => mayMove && drag(event, card, act.current)}
    >
      <strong className="clip">
        <a
          href={`/r/${object.name}/${card.id}`}
          tabIndex={-1}
          draggable={false}
          title={name.slice(0, 300)}
          onClick={(event) => {
            // With a modifier key, the browser opens the link its own way.
            if (event.defaultPrevented || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
            event.preventDefault();
            open();
          }}
        >
          <bdi>{name.slice(0, 300)}</bdi>
        </a>
      </strong>
      {shown.relation && <Related card={card} shown={shown} />}
      <Details {...props} />
      {reason !== undefined && (
        <p className={styles.reason} role="alert">
          {reason}
        </p>
      )}
      {mayMove && (
        <span className={styles.moveButton}>
          <Button
            kind="bare"
            tabIndex={-1}
            aria-label={board.moveCard(name)}
            icon={<ArrowRight size={14} />}
            onClick={() => act.current.ask(card)}
          />
        </span>
      )}
    </article>
  );
});

function Related({ card, shown }: Pick<CardProps, 'card' | 'shown'>) {
  const display = shown.relation && refsOf(shown.relation, card)[0]?.display;
  return display ? (
    <p className="clip dim">
      <bdi>{display}</bdi>
    </p>
  ) : undefined;
}

function Details({ card, shown, isOngoing }: Pick<CardProps, 'card' | 'shown' | 'isOngoing'>) {
  const formats = useFormats();
  const { board } = useTexts();
  const { users } = useWorkspace();
  const amount = shown.amount ? textOf(shown.amount, card, formats) : '';
  const day = shown.date ? card[shown.date.name] : undefined;
  const isLate = typeof day === 'string' && dateOf(day).valueOf() < Date.now() && isOngoing;
  const owner = shown.owner && refsOf(shown.owner, card)[0];
  const ownerName = owner && (owner.display ?? users.get(owner.id)?.name);
  return (
    <p className={styles.details}>
      {amount !== '' && <b>{amount}</b>}
      {typeof day === 'string' && (
        <time dateTime={day} className={isLate ? styles.late : 'dim'}>
          {isLate && <Clock size={12} aria-label={board.late} />}
          {formats.near(day)}
        </time>
      )}
      {ownerName && (
        <span className={styles.owner} title={ownerName}>
          <Avatar name={ownerName} />
        </span>
      )}
    </p>
  );
}

const dragBegins = 6;

/** Drags the card with the pointer and drops it into the column below. */
function drag(event: PointerEvent<HTMLElement>, card: KithRecord, { columns, moves }: ColumnProps): void {
  if (event.button !== 0 || event.pointerType === 'touch' || (event.target as HTMLElement).closest('button, input'))
    return;
  const element = event.currentTarget;
  const from = { x: event.clientX, y: event.clientY };
  let isDragged = false;
  let over: HTMLElement | undefined;
  const follow = ({ clientX, clientY }: globalThis.PointerEvent) => {
    const [x, y] = [clientX - from.x, clientY - from.y];
    if (!isDragged && Math.hypot(x, y) < dragBegins) return;
    isDragged = true;
    element.dataset['dragged'] = '';
    element.style.transform = `translate(${x}px, ${y}px)`;
    const found = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('[data-column]') ?? undefined;
    if (found === over) return;
    delete over?.dataset['over'];
    over = found;
    if (over) over.dataset['over'] = '';
  };
  const end = () => {
    removeEventListener('pointermove', follow);
    removeEventListener('keydown', stop, true);
    delete element.dataset['dragged'];
    element.style.transform = '';
    delete over?.dataset['over'];
    if (!isDragged) return;
    // Suppresses the click that ends a drag.
    addEventListener('click', (click) => (click.preventDefault(), click.stopPropagation()), {
      once: true,
      capture: true,
    });
    const to = columns.find(({ key }) => key === over?.dataset['column']);
    if (to) void moves.move(card, to);
  };
  const stop = (key: globalThis.KeyboardEvent) => {
    if (key.key !== 'Escape') return;
    key.preventDefault();
    over = undefined;
    removeEventListener('pointerup', end);
    end();
  };
  addEventListener('pointermove', follow);
  addEventListener('pointerup', end, { once: true });
  addEventListener('keydown', stop, true);
}
