import { useRef, useState } from 'react';
import { nameOf } from '../api/record-name.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { FieldForm, focusUnread } from '../records/field-form.tsx';
import { Button } from '../ui/button.tsx';
import styles from './board.module.css';
import type { BoardColumn } from './grouping.ts';
import type { PendingMove, useMoves } from './use-moves.ts';

interface AskCardProps {
  readonly pending: PendingMove;
  readonly object: ObjectShape;
  readonly from: readonly BoardColumn[];
  readonly move: ReturnType<typeof useMoves>['move'];
  readonly putBack: () => void;
}

/** Asks for fields that a move requires, in the target column; they are sent with the move in one write. */
export function AskCard({ pending, object, move, putBack }: AskCardProps) {
  const { board } = useTexts();
  const { reader } = useWorkspace();
  const { card, to, fields, errors, reason } = pending;
  const [values, setValues] = useState<Readonly<Record<string, unknown>>>({});
  // Enter may come before the last keystroke is rendered, so values are read from a ref.
  const typed = useRef(values);
  const send = () => {
    if (!focusUnread()) void move(card, to, typed.current);
  };
  return (
    <div
      className={`${styles.card} ${styles.asking}`}
      role="group"
      data-asking
      aria-label={board.needed(fields.length, to.label)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        putBack();
      }}
    >
      <strong className="clip">
        <bdi>{nameOf(card, reader.displayFields[object.name])}</bdi>
      </strong>
      <p className="dim" title={reason}>
        {board.needed(fields.length, to.label)}
      </p>
      <FieldForm
        fields={fields}
        record={{ ...card, ...values }}
        errors={errors}
        put={(name, value) => {
          typed.current = { ...typed.current, [name]: value };
          setValues(typed.current);
        }}
        send={send}
      />
      <footer>
        <Button kind="main" hint="↵" onClick={send}>
          {board.moveIt}
        </Button>
        <Button kind="bare" hint="Esc" onClick={putBack}>
          {board.putBack}
        </Button>
      </footer>
    </div>
  );
}
