import { useState, type KeyboardEvent } from 'react';
import type { Field, KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import { shownMeanwhile } from '../values/shown-meanwhile.ts';
import styles from './field-form.module.css';

interface FieldFormProps {
  readonly fields: readonly Field[];
  /** The values so far. */
  readonly record: KithRecord;
  readonly errors: Readonly<Record<string, string>>;
  readonly put: (name: string, value: unknown) => void;
  /** Called on Enter in a single-line field. */
  readonly send: () => void;
}

/** Fields with open editors, one below the other; the service's errors are shown at their fields. */
export function FieldForm({ fields, record, errors, put, send }: FieldFormProps) {
  const press = ({ key, target }: KeyboardEvent) => {
    const isLine = target instanceof HTMLInputElement && target.getAttribute('role') !== 'combobox';
    // The editor commits its value first.
    if (key === 'Enter' && isLine) setTimeout(send);
  };
  return (
    <div className={styles.form} role="presentation" data-fields onKeyDown={press}>
      {fields.map((field, at) => (
        <Line key={field.name} field={field} record={record} error={errors[field.name]} put={put} isFirst={at === 0} />
      ))}
    </div>
  );
}

/** Focuses the first field whose text cannot be parsed; returns false if there is none. */
export function focusUnread(): boolean {
  const unread = document.querySelector<HTMLElement>('[data-fields] [data-unread] input');
  unread?.focus();
  return unread !== null;
}

interface LineProps extends Pick<FieldFormProps, 'record' | 'put'> {
  readonly field: Field;
  readonly error: string | undefined;
  readonly isFirst: boolean;
}

function Line({ field, record, error, put, isFirst }: LineProps) {
  const workspace = useWorkspace();
  // An editor is mounted anew after each commit, with the new value.
  const [round, setRound] = useState(0);
  const [shown, setShown] = useState<Readonly<Record<string, unknown>>>({});
  const next = () => setRound((was) => was + 1);
  return (
    <div className={styles.line}>
      <span className={styles.label} aria-hidden="true">
        <bdi>{field.label}</bdi>
        {field.isRequired && ' *'}
      </span>
      <ValueEditor
        key={round}
        field={field}
        record={{ ...record, ...shown }}
        value={record[field.name]}
        error={error}
        autoFocus={isFirst && round === 0}
        commit={(value) => {
          put(field.name, value);
          setShown(shownMeanwhile(field, value, workspace, { ...record, ...shown }));
          next();
        }}
        cancel={next}
      />
    </div>
  );
}
