/**
 * A small rich text editor: bold, italic, lists and links. Pasted content is inserted as plain text; the service sanitises what
 * is saved.
 */
import { Bold, Italic, Link2, List, ListOrdered, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../i18n/language.tsx';
import { hrefOf, plainOf, textIn } from '../shapes.ts';
import { Frame, useEnding, type EditorProps } from './editing.tsx';
import styles from './editors.module.css';

type Command = 'bold' | 'italic' | 'insertUnorderedList' | 'insertOrderedList' | 'createLink';

const icons: Readonly<Record<Command, LucideIcon>> = {
  bold: Bold,
  italic: Italic,
  insertUnorderedList: List,
  insertOrderedList: ListOrdered,
  createLink: Link2,
};

/** Text with formatting. A button turns a selected web address into a link. */
export function RichEditor(props: EditorProps) {
  const { field, value, error, autoFocus = false, begun } = props;
  const { values } = useTexts();
  const ending = useEnding(props);
  const box = useRef<HTMLDivElement>(null);
  const first = useRef({ html: textIn(value) ?? '', begun, autoFocus });
  useEffect(() => {
    const { current } = box;
    if (!current) return;
    // Sanitised by the service when it was written.
    if (first.current.begun === undefined) current.innerHTML = first.current.html;
    else current.textContent = first.current.begun;
    first.current.html = current.innerHTML;
    if (first.current.autoFocus) current.focus();
  }, []);
  const keep = () => {
    const html = box.current?.innerHTML ?? '';
    if (html === first.current.html && begun === undefined) ending.stop();
    else ending.keep(plainOf(html) === '' ? null : html);
  };
  return (
    <Frame label={field.label} error={error} keep={keep} stop={ending.stop}>
      {(described) => (
        <>
          <span className={styles.marks}>
            {(Object.keys(icons) as Command[]).map((command) => (
              <Mark key={command} command={command} label={values.marks[command]} />
            ))}
          </span>
          <div
            {...described}
            ref={box}
            className={styles.rich}
            role="textbox"
            aria-multiline="true"
            aria-label={field.label}
            dir="auto"
            contentEditable
            suppressContentEditableWarning
            onPaste={(event) => {
              event.preventDefault();
              document.execCommand('insertText', false, event.clipboardData.getData('text/plain'));
            }}
          />
        </>
      )}
    </Frame>
  );
}

function Mark({ command, label }: { command: Command; label: string }) {
  const Icon = icons[command];
  const run = () => {
    if (command !== 'createLink') return document.execCommand(command);
    const href = hrefOf(String(getSelection() ?? '').trim());
    return href !== undefined && document.execCommand('createLink', false, href);
  };
  return (
    <button
      type="button"
      className={styles.icon}
      aria-label={label}
      title={label}
      // Keeps the selection of the text.
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      <Icon size={14} />
    </button>
  );
}
