/** The editor of a field, by its type. */
import type { ComponentType } from 'react';
import type { FieldType } from '../../api/workspace.ts';
import { AreaEditor } from './area-editor.tsx';
import type { EditorProps } from './editing.tsx';
import { EntriesEditor } from './entries-editor.tsx';
import { LineEditor } from './line-editor.tsx';
import { OptionsEditor } from './options-editor.tsx';
import { AddressEditor, MoneyEditor, RangeEditor } from './parts-editors.tsx';
import { RecordEditor, UserEditor } from './refs-editor.tsx';
import { RichEditor } from './rich-editor.tsx';
import { BooleanEditor, RatingEditor } from './small-editors.tsx';
import { StepEditor } from './step-editor.tsx';
import styles from './editors.module.css';
import { useRescue } from './use-rescue.ts';

const editors: Readonly<Record<FieldType, ComponentType<EditorProps>>> = {
  TEXT: LineEditor,
  NUMBER: LineEditor,
  INTEGER: LineEditor,
  DECIMAL: LineEditor,
  PERCENT: LineEditor,
  DATE: LineEditor,
  DATETIME: LineEditor,
  DURATION: LineEditor,
  ELAPSED_TIME: LineEditor,
  EMAIL: LineEditor,
  URL: LineEditor,
  LONG_TEXT: AreaEditor,
  RICH_TEXT: RichEditor,
  CURRENCY: MoneyEditor,
  ADDRESS: AddressEditor,
  DATE_RANGE: RangeEditor,
  EMAILS: EntriesEditor,
  PHONES: EntriesEditor,
  SELECT: OptionsEditor,
  MULTI_SELECT: OptionsEditor,
  USERS: UserEditor,
  RELATION: RecordEditor,
  DEPENDENT_RELATION: RecordEditor,
  MORPH_RELATION: RecordEditor,
  MANY_TO_MANY: RecordEditor,
  BOOLEAN: BooleanEditor,
  RATING: RatingEditor,
  PIPELINE: StepEditor,
  // Computed fields are read-only and never get here.
  CALCULATED: LineEditor,
  ROLLUP: LineEditor,
};

/** An editor in place of the value. Enter or blur commits, Esc cancels; typed text is kept even if the field is removed meanwhile. */
export function ValueEditor(props: EditorProps) {
  const Editor = editors[props.field.type];
  const { around, typed, commit, cancel } = useRescue(props);
  return (
    <span ref={around} className={styles.around} onInput={typed}>
      <Editor {...props} commit={commit} cancel={cancel} />
    </span>
  );
}
