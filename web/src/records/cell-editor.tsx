import { useState, type RefObject } from 'react';
import { isToBeKept, messageOf } from '../api/kith.ts';
import type { Field, KithRecord } from '../api/workspace.ts';
import { isFieldGone, leftOver } from '../app/left-over.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { ConflictChoice } from '../record/conflict-choice.tsx';
import { load, type Loaded } from '../record/record-query.ts';
import {
  Conflict,
  enteredIn,
  inLine,
  isInLine,
  isTheirs,
  nameIn,
  save,
  whoChanged,
  writeField,
} from '../record/saving.ts';
import { toast } from '../ui/toasts.tsx';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import { shownMeanwhile } from '../values/shown-meanwhile.ts';
import styles from './cell-editor.module.css';
import type { Column } from './columns.ts';
import type { Editing, TableProps } from './table-props.ts';

interface CellEditorProps {
  readonly act: RefObject<TableProps>;
  readonly record: KithRecord;
  readonly column: Column;
  readonly editing: Editing;
}

/** The editor of a cell, above it. If somebody else has changed the field since it was opened, the reader chooses. */
export function CellEditor({ act, record, column, editing }: CellEditorProps) {
  const workspace = useWorkspace();
  const { field } = column;
  const [conflict, setConflict] = useState(editing.conflict);
  const [begin] = useState(() => beginningOf(act.current.object.name, conflict?.theirs ?? record));
  const stop = () => act.current.stopEditing();
  const write = useWrite({ act, record, column });
  const commit = async (mine: unknown) => {
    const shown = shownMeanwhile(field, mine, workspace, record);
    if (begin.isOwn || !isTheirs({ field, base: begin.base, shown }, record)) return write(mine, begin);
    setConflict(await conflictOf(act.current.object.name, field, mine, record));
  };
  // A refused value is offered for correction.
  const begun =
    editing.refused === undefined
      ? record
      : { ...record, ...shownMeanwhile(field, editing.refused, workspace, record) };
  return (
    <span className={styles.over} data-editor>
      {conflict ? (
        <ConflictChoice
          field={field}
          record={record}
          standing={conflict}
          shown={shownMeanwhile(field, conflict.mine, workspace, record)}
          choose={(isMine) => (isMine ? void write(conflict.mine, { ...begin, base: conflict.theirs }) : stop())}
        />
      ) : (
        <ValueEditor
          field={field}
          record={begun}
          value={begun[nameIn(field)]}
          commit={(value) => void commit(value)}
          cancel={stop}
          error={editing.error}
          begun={editing.begun}
          autoFocus
        />
      )}
    </span>
  );
}

/** The record when editing began. */
interface Beginning {
  /** As its row showed it. */
  readonly base: KithRecord;
  /** Whether the row showed an own change that the service had not confirmed yet. */
  readonly isOwn: boolean;
  /** The record as the service has it, possibly newer than the row; undefined if it could not be fetched. */
  readonly state: Promise<Loaded | undefined>;
}

function beginningOf(object: string, base: KithRecord): Beginning {
  const isOwn = isInLine(object, base.id);
  const state = inLine(object, base.id, () => load(object, base.id)).catch(() => undefined);
  return { base, isOwn, state };
}

async function conflictOf(object: string, field: Field, mine: unknown, theirs: KithRecord) {
  return { is: 'conflict', mine, theirs, who: await whoChanged(object, theirs.id, field.name) } as const;
}

/** Shows the value at once and sends it; if it is refused, restores the old one and shows the reason. */
function useWrite({ act, record, column }: Omit<CellEditorProps, 'editing'>) {
  const texts = useTexts();
  const workspace = useWorkspace();
  const { field, path } = column;
  return async (value: unknown, { base, isOwn, state }: Beginning) => {
    const { object, rows, reopen, stopEditing } = act.current;
    const [{ name }, { id }] = [object, record];
    const shown = shownMeanwhile(field, value, workspace, record);
    const putBack = rows.show(id, shown);
    stopEditing();
    const notice = { text: texts.records.cellSaved(field.label), shell: texts.shell, isQuiet: true };
    const change = { object: name, id, field, base, value, shown, ...notice };
    try {
      await inLine(name, id, async () => {
        const now = (await state) ?? (await load(name, id));
        await writeField(isOwn ? { ...change, base: now.record } : change, now);
        await rows.refresh(id);
      });
    } catch (error) {
      if (isToBeKept(error)) {
        toast({ text: texts.record.notSavedYet });
        void save(change);
        return;
      }
      putBack();
      if (error instanceof Conflict) {
        void rows.refresh(id);
        reopen({ id, path, conflict: await conflictOf(name, field, value, error.now.record) });
      } else if (await isFieldGone(error, name, field.name))
        leftOver(field.label, enteredIn({ field, value, shown }), texts.shell);
      else reopen({ id, path, error: messageOf(error), refused: value });
    }
  };
}
