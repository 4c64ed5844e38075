import { isToBeKept, kith, messageOf } from '../api/kith.ts';
import type { RefObject } from 'react';
import type { KithRecord } from '../api/workspace.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { save } from '../record/saving.ts';
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

/** The editor of a cell, over it. What was typed shows at once; a refusal puts the old value back, with its reason beside it. */
export function CellEditor({ act, record, column, editing }: CellEditorProps) {
  const texts = useTexts();
  const workspace = useWorkspace();
  const { field, path } = column;
  const name = field.type === 'PIPELINE' ? 'pipeline_step_id' : field.name;
  const stop = () => act.current.stopEditing();
  const commit = async (value: unknown) => {
    const { object, rows, refuse } = act.current;
    const shown = shownMeanwhile(field, value, workspace, record);
    const putBack = rows.show(record.id, shown);
    stop();
    try {
      const told = { text: texts.records.cellSaved(field.label), isQuiet: true };
      if (field.type === 'MANY_TO_MANY')
        await changeLinks({
          object: object.name,
          id: record.id,
          field: name,
          before: record[name],
          after: value,
          told,
          shell: texts.shell,
        });
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
      refuse(record.id, path, messageOf(error));
    }
  };
  return (
    <span className={styles.over} data-editor>
      <ValueEditor
        field={field}
        record={record}
        value={record[name]}
        commit={(value) => void commit(value)}
        cancel={stop}
        error={editing.error}
        begun={editing.begun}
        autoFocus
      />
    </span>
  );
}
