import { Link } from '@tanstack/react-router';
import { Eye } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { keyText } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { activeIn, useAccountStatus } from './inbox-data.ts';
import styles from './inbox.module.css';
import { ReplyPreview } from './reply-preview.tsx';
import type { Conversation, Problem, Reply } from './use-reply.ts';

interface ReplyFormProps {
  readonly thread: Conversation;
  readonly reply: Reply;
  readonly close: () => void;
}

/** A reply is written and then previewed. `⌘↵` opens the preview, and there it sends. */
export function ReplyForm({ thread, reply, close }: ReplyFormProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.scrollIntoView({ block: 'nearest' });
  }, [reply.previewed, reply.problem]);
  return (
    <div
      ref={container}
      className={styles.reply}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          if (reply.previewed) reply.edit();
          else close();
        }
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        void (reply.previewed ? reply.send() : reply.preview());
      }}
    >
      {reply.previewed ? (
        <ReplyPreview previewed={reply.previewed} reply={reply} />
      ) : (
        <Editor thread={thread} reply={reply} />
      )}
    </div>
  );
}

function Editor({ thread, reply }: Omit<ReplyFormProps, 'close'>) {
  const { inbox } = useTexts();
  const { draft, problem, isWorking, write } = reply;
  return (
    <form
      className={styles.editor}
      aria-label={thread.isNew ? inbox.newMail : inbox.reply}
      onSubmit={(event) => {
        event.preventDefault();
        void reply.preview();
      }}
    >
      <Sender thread={thread} reply={reply} />
      {thread.channel === 'email' && <Addressing reply={reply} />}
      <Field label={inbox.text} error={errorAt(problem, 'text')}>
        {(control) => (
          <textarea
            {...control}
            autoFocus
            rows={6}
            dir="auto"
            placeholder={inbox.textHint}
            value={draft.text}
            onChange={({ target }) => write({ text: target.value })}
          />
        )}
      </Field>
      {problem && problem.field === undefined && <GeneralProblem problem={problem} />}
      <div className={styles.actions}>
        <Button kind="main" type="submit" icon={<Eye size={14} />} hint={keyText('mod+Enter')} isWorking={isWorking}>
          {inbox.preview}
        </Button>
        <Button onClick={reply.discard}>{inbox.discard}</Button>
        {draft.text !== '' && <span className="hint">{inbox.draftKept}</span>}
      </div>
    </form>
  );
}

/** Recipients and subject. */
function Addressing({ reply: { draft, problem, write } }: { reply: Reply }) {
  const { inbox } = useTexts();
  return (
    <>
      <Field label={inbox.toField} error={errorAt(problem, 'to')}>
        {(control) => <input {...control} value={draft.to} onChange={({ target }) => write({ to: target.value })} />}
      </Field>
      <Field label={inbox.cc}>
        {(control) => <input {...control} value={draft.cc} onChange={({ target }) => write({ cc: target.value })} />}
      </Field>
      <Field label={inbox.subject}>
        {(control) => (
          <input {...control} value={draft.subject} onChange={({ target }) => write({ subject: target.value })} />
        )}
      </Field>
    </>
  );
}

/** An error that belongs to no field. */
function GeneralProblem({ problem: { text, detail, isOfAccount } }: { problem: Problem }) {
  const { inbox } = useTexts();
  return (
    <div className={styles.problem} role="alert">
      <p>
        {text} {inbox.kept}
      </p>
      {detail !== undefined && <p className="dim">{detail}</p>}
      {isOfAccount && <Link to="/settings/accounts">{inbox.settingsLink}</Link>}
    </div>
  );
}

function errorAt(problem: Problem | undefined, field: NonNullable<Problem['field']>): string | undefined {
  return problem?.field === field ? problem.text : undefined;
}

/** The sending account; a choice if there are several. */
function Sender({ thread, reply }: Omit<ReplyFormProps, 'close'>) {
  const { inbox } = useTexts();
  const { data } = useAccountStatus();
  const { draft, problem, write } = reply;
  const accounts = problem?.accounts ?? activeIn(data?.integrations ?? []);
  if (accounts.length < 2) return undefined;
  return (
    <Field label={inbox.from} error={errorAt(problem, 'from')}>
      {(control) => (
        <select {...control} value={draft.from} onChange={({ target }) => write({ from: target.value })}>
          <option value="">{inbox.channels[thread.channel]}</option>
          {accounts.map((email) => (
            <option key={email}>{email}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
