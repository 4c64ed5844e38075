/** A field of the record: its value, its editor, the state of its change, and why it is read-only. */
import { Lock, Pencil, TriangleAlert } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { Field, KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { lockOf, type Lock as Reason } from '../values/editable.ts';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import { FullValue } from '../values/full-value.tsx';
import { isEmpty } from '../values/shapes.ts';
import { shownMeanwhile } from '../values/shown-meanwhile.ts';
import { ConflictChoice } from './conflict-choice.tsx';
import styles from './field-row.module.css';
import { forget, save, settle, standingKey, useStandings, type Change, type Standing } from './saving.ts';

export interface FieldRowProps {
  readonly object: string;
  readonly record: KithRecord;
  readonly field: Field;
  /** Whether a past state of the record is shown, in which nothing can be changed. */
  readonly isPast: boolean;
  readonly isEditing: boolean;
  readonly edit: (field: string | undefined) => void;
}

/** One field. */
export function FieldRow(props: FieldRowProps) {
  const { object, record, field, isPast, isEditing, edit } = props;
  const { permissions } = useWorkspace();
  const standing = useStandings().get(standingKey(object, record.id, field.name));
  const lock = isPast ? undefined : lockOf(field, permissions[object]);
  const makeChange = useChange(props);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    edit(undefined);
    // After Enter or Esc the focus returns to the field; after a click elsewhere it stays there.
    setTimeout(() => document.activeElement === document.body && opener.current?.focus());
  };
  const conflicted = standing?.is === 'conflict' ? standing : undefined;
  return (
    <div className={isEditing || conflicted ? `${styles.fact} ${styles.on}` : styles.fact} data-field={field.name}>
      <dt>
        <bdi className="clip" title={field.label}>
          {field.label}
        </bdi>
        {lock !== undefined && <LockReason field={field} reason={lock} />}
      </dt>
      <dd>
        {conflicted ? (
          <ConflictChoice
            field={field}
            record={record}
            standing={conflicted}
            shown={makeChange(conflicted.mine).shown}
            choose={(isMine) => settle(makeChange(conflicted.mine), isMine)}
          />
        ) : isEditing && lock === undefined ? (
          <Editing {...props} standing={standing} makeChange={makeChange} close={close} />
        ) : (
          <Still {...props} opener={opener} isLocked={isPast || lock !== undefined} />
        )}
        {!isEditing && standing && (
          <StandingLine standing={standing} discard={() => forget({ object, id: record.id, field })} />
        )}
      </dd>
    </div>
  );
}

/** Makes changes relative to the record as it was when editing began. */
function useChange({ object, record, field, isEditing }: FieldRowProps) {
  const { shell, record: texts } = useTexts();
  const workspace = useWorkspace();
  const base = useRef(record);
  useEffect(() => {
    if (!isEditing) base.current = record;
  });
  return (value: unknown): Change => ({
    object,
    id: record.id,
    field,
    base: base.current,
    value,
    shown: shownMeanwhile(field, value, workspace, record),
    text: texts.changed(field.label),
    shell,
  });
}

interface EditingProps extends FieldRowProps {
  readonly standing: Standing | undefined;
  readonly makeChange: (value: unknown) => Change;
  readonly close: () => void;
}

function Editing({ field, record, standing, makeChange, close }: EditingProps) {
  // A value that was refused or waits to be sent is offered for editing again.
  const [mine] = useState(() => (standing && standing.is !== 'conflict' ? makeChange(standing.mine).shown : undefined));
  const shown = mine ? { ...record, ...mine } : record;
  return (
    <ValueEditor
      field={field}
      record={shown}
      value={shown[field.name] ?? null}
      autoFocus
      cancel={close}
      commit={(next) => {
        void save(makeChange(next));
        close();
      }}
    />
  );
}

interface StillProps extends FieldRowProps {
  readonly opener: { readonly current: HTMLButtonElement | null };
  readonly isLocked: boolean;
}

function Still({ field, record, isLocked, edit, opener }: StillProps) {
  const { record: texts } = useTexts();
  const isNothing = isEmpty(field, record);
  if (isLocked) return <FullValue field={field} record={record} />;
  const open = () => {
    // Selecting text and following a link do not open the editor.
    if (getSelection()?.isCollapsed !== false) edit(field.name);
  };
  return (
    <div
      className={styles.value}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('a, button')) open();
      }}
    >
      <FullValue field={field} record={record} />
      <button
        ref={opener}
        type="button"
        className={isNothing ? styles.add : styles.open}
        aria-label={isNothing ? texts.addTo(field.label) : texts.editField(field.label)}
        onClick={() => edit(field.name)}
      >
        {isNothing ? texts.add : <Pencil size={12} aria-hidden="true" />}
      </button>
    </div>
  );
}

function StandingLine({ standing, discard }: { standing: Standing; discard: () => void }) {
  const { record: texts } = useTexts();
  if (standing.is === 'conflict' || standing.is === 'saving') return null;
  return (
    <span
      className={standing.is === 'refused' ? styles.refused : styles.kept}
      role={standing.is === 'refused' ? 'alert' : 'status'}
    >
      <TriangleAlert size={14} aria-hidden="true" />
      <span>{standing.is === 'refused' ? standing.reason : texts.notSavedYet}</span>
      <button type="button" className={styles.plain} onClick={discard}>
        {texts.discard}
      </button>
    </span>
  );
}

function LockReason({ field, reason }: { field: Field; reason: Reason }) {
  const { record: texts, values } = useTexts();
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={styles.lock}
        aria-label={texts.why(field.label)}
        title={values[reason]}
        popoverTarget={id}
      >
        <Lock size={12} aria-hidden="true" />
      </button>
      <span id={id} popover="auto" className={styles.reason} role="note">
        <strong>{field.label}</strong>
        <br />
        {values[reason]}
      </span>
    </>
  );
}
