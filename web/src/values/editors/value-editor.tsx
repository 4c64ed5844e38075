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

/** Types that LineEditor edits, and computed ones, which are read-only. A new type is listed here or gets an editor below. */
type LineType =
  | 'TEXT'
  | 'NUMBER'
  | 'INTEGER'
  | 'DECIMAL'
  | 'PERCENT'
  | 'DATE'
  | 'DATETIME'
  | 'DURATION'
  | 'ELAPSED_TIME'
  | 'EMAIL'
  | 'URL'
  | 'CALCULATED'
  | 'ROLLUP';

type Editors = Readonly<Record<Exclude<FieldType, LineType>, ComponentType<EditorProps>>>;

const editors: Editors & { readonly [Type in LineType]?: undefined } = {
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
};

/** An editor in place of the value. Enter or blur commits, Esc cancels; typed text is kept even if the field is removed meanwhile. */
export function ValueEditor(props: EditorProps) {
  const Editor = editors[props.field.type] ?? LineEditor;
  const { around, typed, commit, cancel } = useRescue(props);
  return (
    <span ref={around} className={styles.around} onInput={typed}>
      <Editor {...props} commit={commit} cancel={cancel} />
    </span>
  );
}
