import { useRef, useState, type KeyboardEvent } from 'react';
import { kith } from '../api/kith.ts';
import { nameOf } from '../api/record-name.ts';
import type { Field, KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import styles from './field-form.module.css';

interface FieldFormProps {
  readonly fields: readonly Field[];
  /** What is filled in so far. */
  readonly record: KithRecord;
  readonly errors: Readonly<Record<string, string>>;
  readonly put: (name: string, value: unknown) => void;
  /** Enter in a line. */
  readonly send: () => void;
}

/** Fields one under the other, each with its editor open; errors of the service stand at theirs. */
export function FieldForm({ fields, record, errors, put, send }: FieldFormProps) {
  const press = ({ key, target }: KeyboardEvent) => {
    const isLine = target instanceof HTMLInputElement && target.getAttribute('role') !== 'combobox';
    // The line keeps its value first.
    if (key === 'Enter' && isLine) setTimeout(send);
  };
  return (
    <div className={styles.form} role="presentation" onKeyDown={press}>
      {fields.map((field, at) => (
        <Line key={field.name} field={field} record={record} error={errors[field.name]} put={put} isFirst={at === 0} />
      ))}
    </div>
  );
}

interface LineProps extends Pick<FieldFormProps, 'record' | 'put'> {
  readonly field: Field;
  readonly error: string | undefined;
  readonly isFirst: boolean;
}

function Line({ field, record, error, put, isFirst }: LineProps) {
  // An editor ends with its value: the next one has it from the start.
  const [round, setRound] = useState(0);
  const [display, name] = useDisplay(field);
  const shown = display === undefined ? record : { ...record, [`${field.name}_display`]: display };
  return (
    <div className={styles.line}>
      <span className={styles.label} aria-hidden="true">
        <bdi>{field.label}</bdi>
        {field.isRequired && ' *'}
      </span>
      <ValueEditor
        key={round}
        field={field}
        record={shown}
        value={record[field.name]}
        error={error}
        autoFocus={isFirst && round === 0}
        commit={(value) => {
          put(field.name, value);
          name(value, () => setRound((was) => was + 1));
        }}
        cancel={() => setRound((was) => was + 1)}
      />
    </div>
  );
}

/** What a record that was chosen is called. */
function useDisplay(field: Field): [string | undefined, (value: unknown, then: () => void) => void] {
  const { reader } = useWorkspace();
  const [display, setDisplay] = useState<string>();
  const last = useRef<unknown>(undefined);
  const target = field.type === 'USERS' ? undefined : field.relationConfig?.targetObjectName;
  const find = (value: unknown, then: () => void) => {
    last.current = value;
    if (typeof value !== 'string' || target === undefined) return then();
    const shownBy = reader.displayFields[target];
    void kith.records.get(target, value, shownBy === undefined ? {} : { fields: shownBy }).then(
      (row) => {
        if (last.current === value) setDisplay(nameOf(row as unknown as KithRecord, shownBy));
        then();
      },
      () => then(),
    );
  };
  return [display, find];
}
