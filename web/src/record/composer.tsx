/** The input for a note or a task. Typed text stays there until it is saved. */
import { CircleCheck, StickyNote } from 'lucide-react';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { isToBeKept, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { keyText, useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { dayIn } from '../values/days.ts';
import styles from './composer.module.css';
import { mentioned, noteHtml } from './note-text.ts';
import { MentionList, useMentioning } from './mentions.tsx';

type Mode = 'note' | 'task';

const linkable = new Set(['contacts', 'companies', 'opportunities']);

/** Which of the two the reader may create for records of an object. */
function useWritable(object: string): { readonly note: boolean; readonly task: boolean } {
  const { permissions } = useWorkspace();
  const may = (what: string) => linkable.has(object) && permissions[what]?.create === true;
  return { note: may('notes'), task: may('tasks') };
}

/** `N` starts a note, `T` a task; Ctrl+Enter or ⌘Enter saves it. */
export function Composer({ object, id }: { object: string; id: string }) {
  const { record: texts } = useTexts();
  const may = useWritable(object);
  const [mode, setMode] = useState<Mode>(may.note ? 'note' : 'task');
  const area = useRef<HTMLTextAreaElement>(null);
  const begin = (next: Mode) => {
    setMode(next);
    area.current?.focus();
  };
  useKeys([
    ...(may.note ? [{ keys: 'n', label: texts.note, run: () => begin('note') }] : []),
    ...(may.task ? [{ keys: 't', label: texts.task, run: () => begin('task') }] : []),
  ]);
  if (!may.note && !may.task) return null;
  return (
    <div className={styles.composer}>
      {may.note && may.task && (
        <div className={styles.modes} role="group" aria-label={texts.parts}>
          <ModeButton mode="note" isOn={mode === 'note'} begin={begin} />
          <ModeButton mode="task" isOn={mode === 'task'} begin={begin} />
        </div>
      )}
      <Writing key={id} object={object} id={id} mode={mode} area={area} />
    </div>
  );
}

function ModeButton({ mode, isOn, begin }: { mode: Mode; isOn: boolean; begin: (mode: Mode) => void }) {
  const { record: texts } = useTexts();
  const Icon = mode === 'note' ? StickyNote : CircleCheck;
  return (
    <button
      type="button"
      className={styles.mode}
      aria-pressed={isOn}
      aria-label={texts[mode]}
      title={texts[mode]}
      onClick={() => begin(mode)}
    >
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}

interface WritingProps {
  readonly object: string;
  readonly id: string;
  readonly mode: Mode;
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

function Writing({ object, id, mode, area }: WritingProps) {
  const { record: texts } = useTexts();
  const draft = useDraft(`${object}/${id}`);
  const [due, setDue] = useState('');
  const { isWorking, problem, keep } = useKeeping({
    object,
    id,
    mode,
    text: draft.text,
    due,
    done: () => (draft.set(''), setDue(''), area.current?.blur()),
  });
  const mentioning = useMentioning(area, draft.text, draft.set, mode === 'note');
  return (
    <>
      <div className={styles.typing}>
        <textarea
          ref={area}
          rows={1}
          className={styles.area}
          dir="auto"
          aria-label={mode === 'note' ? texts.writeNote : texts.newTask}
          placeholder={mode === 'note' ? texts.writeNote : texts.newTask}
          value={draft.text}
          onChange={(event) => draft.set(event.target.value)}
          onSelect={mentioning.look}
          onKeyDown={(event) => {
            if (mentioning.press(event) || event.nativeEvent.isComposing) return;
            if (event.key === 'Escape') area.current?.blur();
            else if (event.key === 'Enter' && (mode === 'task' || event.ctrlKey || event.metaKey)) keep();
            else return;
            event.preventDefault();
          }}
        />
        <MentionList mentioning={mentioning} />
      </div>
      {draft.text.trim() !== '' && (
        <div className={styles.foot}>
          {mode === 'task' && <DueInput due={due} setDue={setDue} keep={keep} />}
          <Button
            kind="main"
            hint={keyText(mode === 'task' ? 'Enter' : 'mod+Enter')}
            isWorking={isWorking}
            onClick={keep}
          >
            {mode === 'note' ? texts.saveNote : texts.saveTask}
          </Button>
        </div>
      )}
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

function DueInput({ due, setDue, keep }: { due: string; setDue: (due: string) => void; keep: () => void }) {
  const { record: texts, values } = useTexts();
  const formats = useFormats();
  const day = dayIn(due, new Date());
  return (
    <>
      <input
        className={styles.due}
        aria-label={texts.due}
        placeholder={texts.due}
        value={due}
        aria-invalid={due !== '' && day === undefined}
        onChange={(event) => setDue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          keep();
        }}
      />
      <span className="faint" role="status">
        {day === undefined ? due !== '' && values.problems.date : formats.near(day)}
      </span>
    </>
  );
}

const drafts = new Map<string, string>();

/** The unsaved text, kept while the reader visits other pages. */
function useDraft(key: string) {
  const [text, setText] = useState(() => drafts.get(key) ?? '');
  useEffect(() => {
    if (text === '') drafts.delete(key);
    else drafts.set(key, text);
  }, [key, text]);
  return { text, set: setText };
}

interface Keeping {
  readonly object: string;
  readonly id: string;
  readonly mode: Mode;
  readonly text: string;
  readonly due: string;
  readonly done: () => void;
}

/** Saves the note or the task; text that is refused stays, with the reason. */
function useKeeping({ object, id, mode, text, due, done }: Keeping) {
  const { record: texts, shell, values } = useTexts();
  const { users, userId } = useWorkspace();
  const [isWorking, setIsWorking] = useState(false);
  const [problem, setProblem] = useState<string>();
  const keep = async () => {
    const day = dayIn(due, new Date());
    if (text.trim() === '' || isWorking) return;
    if (mode === 'task' && due.trim() !== '' && day === undefined) return setProblem(values.problems.date);
    setIsWorking(true);
    setProblem(undefined);
    try {
      const linked = [{ id, type: object }];
      if (mode === 'task') {
        const task = {
          title: text.trim(),
          linked_entities: linked,
          assigned_to_id: userId,
          ...(day !== undefined && { due_date: day }),
        };
        await written(kith.tasks.create(task), { text: texts.taskAdded }, shell);
      } else {
        const mentionedIds = mentioned(text, [...users.values()]);
        const note = {
          content: noteHtml(text),
          linked_entities: linked,
          ...(mentionedIds.length > 0 && { mentioned_user_ids: mentionedIds }),
        };
        await written(kith.notes.create(note), { text: texts.noteWritten }, shell);
      }
      done();
      await Promise.all(
        [keys.activity(object, id), keys.tasks, keys.notes].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
    } catch (error) {
      setProblem(isToBeKept(error) ? texts.notSavedYet : messageOf(error));
    } finally {
      setIsWorking(false);
    }
  };
  return { isWorking, problem, keep: () => void keep() };
}
