/** An editor for several lines of text. Enter inserts a line break; blur, Ctrl+Enter or ⌘Enter saves. */
import { useState } from 'react';
import { textIn } from '../shapes.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';

/** A text of any length, unparsed. */
export function AreaEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false, begun } = props;
  const ending = useEnding(props);
  const [text, setText] = useState(begun ?? textIn(value) ?? '');
  return (
    <Frame label={field.label} error={error} keep={() => ending.keep(text === '' ? null : text)} stop={ending.stop}>
      {(described) => (
        <textarea
          {...described}
          className={styles.area}
          aria-label={field.label}
          autoFocus={autoFocus}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Frame>
  );
}
