import { useState, type RefObject } from 'react';
import { isToBeKept, kith, messageOf } from '../api/kith.ts';
import type { KithRecord } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { isFieldGone, leftOver } from '../app/left-over.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { ConflictChoice } from '../record/conflict-choice.tsx';
import { enteredIn, isTheirs, save, whoChanged, type Standing } from '../record/saving.ts';
import { toast } from '../ui/toasts.tsx';
import { ValueEditor } from '../values/editors/value-editor.tsx';
import { changeLinks } from '../values/links.ts';
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

type Conflict = Extract<Standing, { is: 'conflict' }>;

/** The editor of a cell, over it. Where somebody else changed the same field since it was opened, the reader chooses. */
export function CellEditor({ act, record, column, editing }: CellEditorProps) {
  const workspace = useWorkspace();
  const [base] = useState(record);
  const [conflict, setConflict] = useState<Conflict>();
  const { field } = column;
  const stop = () => act.current.stopEditing();
  const write = useWrite({ act, record, column });
  const commit = async (mine: unknown) => {
    const shown = shownMeanwhile(field, mine, workspace, record);
    if (!isTheirs({ field, base, shown }, record)) return write(mine);
    const who = await whoChanged(act.current.object.name, record.id, field.name);
    setConflict({ is: 'conflict', mine, theirs: record, who });
  };
  // What was refused is there to be mended.
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
          choose={(isMine) => (isMine ? void write(conflict.mine) : stop())}
        />
      ) : (
        <ValueEditor
          field={field}
          record={begun}
          value={begun[nameIn(column)]}
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

/** How records call the value of the column. */
function nameIn({ field }: Column): string {
  return field.type === 'PIPELINE' ? 'pipeline_step_id' : field.name;
}

/** Shows the value at once, and sends it; a refusal puts the old one back, with its reason beside it. */
function useWrite({ act, record, column }: Omit<CellEditorProps, 'editing'>) {
  const texts = useTexts();
  const workspace = useWorkspace();
  const { field, path } = column;
  const name = nameIn(column);
  return async (value: unknown) => {
    const { object, rows, refuse, stopEditing } = act.current;
    const shown = shownMeanwhile(field, value, workspace, record);
    const putBack = rows.show(record.id, shown);
    stopEditing();
    try {
      const told = { text: texts.records.cellSaved(field.label), isQuiet: true };
      const change = { object: object.name, id: record.id, field: name };
      if (field.type === 'MANY_TO_MANY')
        await changeLinks({ ...change, before: record[name], after: value, told, shell: texts.shell });
      else await written(kith.records.update(object.name, record.id, { [name]: value }), told, texts.shell);
      rows.refresh(record.id);
    } catch (error) {
      if (isToBeKept(error)) {
        toast({ text: texts.record.notSavedYet });
        const change = { object: object.name, id: record.id, field, base: record, value, shown };
        void save({ ...change, text: texts.records.cellSaved(field.label), shell: texts.shell });
        return;
      }
      putBack();
      if (await isFieldGone(error, object.name, field.name))
        leftOver(field.label, enteredIn({ field, value, shown }), texts.shell);
      else refuse(record.id, path, messageOf(error), value);
    }
  };
}
