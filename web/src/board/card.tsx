import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { dateOf } from '../i18n/formats.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { refsOf } from '../values/shapes.ts';
import { textOf } from '../values/text-of.ts';
import styles from './board.module.css';
import type { ColumnProps } from './column-props.ts';

/** A record on a board. */
export function Card(props: ColumnProps & { readonly card: KithRecord }) {
  const { card, list, shown, moves, mayMove, currentId, place, ask } = props;
  const { reader } = useWorkspace();
  const { board } = useTexts();
  const navigate = useNavigate();
  const name = nameOf(card, reader.displayFields[list.object.name]);
  const reason = moves.refused?.id === card.id ? moves.refused.reason : undefined;
  const open = () => void navigate({ to: '/r/$object/$id', params: { object: list.object.name, id: card.id } });
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
      tabIndex={currentId === card.id ? 0 : -1}
      onFocus={() => place(card)}
      onKeyDown={press}
      onPointerDown={(event) => mayMove && drag(event, props)}
    >
      <strong className="clip">
        <Link
          to="/r/$object/$id"
          params={{ object: list.object.name, id: card.id }}
          tabIndex={-1}
          draggable={false}
          title={name.slice(0, 300)}
        >
          <bdi>{name.slice(0, 300)}</bdi>
        </Link>
      </strong>
      {shown.relation && <Related {...props} />}
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
            icon={<ArrowRight size={14} strokeWidth={1.5} />}
            onClick={() => ask(card)}
          />
        </span>
      )}
    </article>
  );
}

function Related({ card, shown }: ColumnProps & { readonly card: KithRecord }) {
  const display = shown.relation && refsOf(shown.relation, card)[0]?.display;
  return display ? (
    <p className="clip dim">
      <bdi>{display}</bdi>
    </p>
  ) : undefined;
}

function Details({ card, shown, column }: ColumnProps & { readonly card: KithRecord }) {
  const formats = useFormats();
  const { users } = useWorkspace();
  const amount = shown.amount ? textOf(shown.amount, card, formats) : '';
  const day = shown.date ? card[shown.date.name] : undefined;
  const isLate =
    typeof day === 'string' && dateOf(day).valueOf() < Date.now() && (column.step?.kind ?? 'ongoing') === 'ongoing';
  const owner = shown.owner && refsOf(shown.owner, card)[0];
  const ownerName = owner && (owner.display ?? users.get(owner.id)?.name);
  return (
    <p className={styles.details}>
      {amount !== '' && <b>{amount}</b>}
      {typeof day === 'string' && (
        <time dateTime={day} className={isLate ? styles.late : 'dim'}>
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

/** The card follows the pointer, and goes to the column that it is let go over. */
function drag(
  event: PointerEvent<HTMLElement>,
  { card, columns, moves }: ColumnProps & { readonly card: KithRecord },
): void {
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
    // The click that ends a drag opens nothing.
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
