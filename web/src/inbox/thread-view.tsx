import { ArrowLeft, EyeOff, Reply as ReplyIcon, ReplyAll, Plus } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { KithError } from '../../../client/index.js';
import { keyText, useKeys } from '../app/keys.ts';
import { NotThere } from '../app/not-there.tsx';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { TaskComposer } from '../tasks/task-composer.tsx';
import { useTaskWrites } from '../tasks/use-task-writes.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { answerTo, isSame, partyOf } from './addresses.ts';
import { ContactCard, useContactOf } from './contact-card.tsx';
import { draftOf, type Draft } from './draft.ts';
import { useAccountStatus, useThread, type Message, type Thread } from './inbox-data.ts';
import styles from './inbox.module.css';
import { MessageView } from './message-view.tsx';
import { ReplyForm } from './reply-form.tsx';
import { useReply } from './use-reply.ts';

const ThreadMarks = lazyPart(async () => (await import('./thread-marks.tsx')).ThreadMarks);

const sendable = new Set(['email', 'linkedin', 'whatsapp']);

/** One thread, its latest message last, and the answer below it. */
export function ThreadView({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage } = useThread(id);
  const messages = useMemo(() => (data?.pages ?? []).flatMap((page) => page.messages).toReversed(), [data]);
  const thread = data?.pages[0]?.thread;
  if (!thread) {
    if (error instanceof KithError && error.code === 'RECORD_NOT_FOUND') return <NotThere />;
    return error ? <Failure error={error} again={() => void refetch()} /> : <RowLines />;
  }
  return <Known thread={thread} messages={messages} earlier={hasNextPage ? () => void fetchNextPage() : undefined} />;
}

interface KnownProps {
  readonly thread: Thread;
  readonly messages: readonly Message[];
  readonly earlier: (() => void) | undefined;
}

function Known({ thread, messages, earlier }: KnownProps) {
  const { inbox } = useTexts();
  const { reader, permissions, userId } = useWorkspace();
  const { data: accounts } = useAccountStatus();
  const own = [reader.email, ...(accounts?.integrations ?? []).map(({ account_email: email }) => email ?? '')];
  const [answer, setAnswer] = useState<'one' | 'all' | undefined>(() =>
    draftOf(userId, thread.id) ? 'one' : undefined,
  );
  const [isTask, setTask] = useState(false);
  const writes = useTaskWrites();
  const other = messages
    .toReversed()
    .flatMap(({ participants }) => participants.map(partyOf))
    .find(({ address }) => !own.some((one) => isSame(one, address)));
  const contact = useContactOf(other?.address);
  const maySend = sendable.has(thread.channel);
  const mayTask = permissions['tasks']?.create === true;
  const isMail = thread.channel === 'email';
  useKeys([
    ...(maySend ? [{ keys: 'r', label: inbox.reply, run: () => setAnswer('one') }] : []),
    ...(isMail ? [{ keys: 'shift+r', label: inbox.replyAll, run: () => setAnswer('all') }] : []),
    ...(mayTask ? [{ keys: 't', label: inbox.task, run: () => setTask(true) }] : []),
  ]);
  const linked = contact ? [{ type: 'contacts', id: contact.id }] : [];
  return (
    <>
      <section className={styles.thread} aria-label={thread.subject ?? inbox.noSubject}>
        <Head thread={thread} />
        <Messages thread={thread} messages={messages} own={own} earlier={earlier}>
          {answer && (
            <Answer
              key={answer}
              thread={thread}
              first={firstDraft(thread, messages, own, answer === 'all')}
              isToAll={answer === 'all'}
              close={() => setAnswer(undefined)}
            />
          )}
          {!answer && (
            <div className={styles.actions}>
              <Button
                kind="main"
                icon={<ReplyIcon size={14} strokeWidth={1.5} />}
                hint={keyText('r')}
                disabled={!maySend}
                title={maySend ? undefined : inbox.noReply(inbox.channels[thread.channel] ?? thread.channel)}
                onClick={() => setAnswer('one')}
              >
                {inbox.reply}
              </Button>
              {isMail && (
                <Button
                  icon={<ReplyAll size={14} strokeWidth={1.5} />}
                  hint={keyText('shift+r')}
                  onClick={() => setAnswer('all')}
                >
                  {inbox.replyAll}
                </Button>
              )}
            </div>
          )}
        </Messages>
      </section>
      {other && (
        <ContactCard party={other} contact={contact}>
          {mayTask && !isTask && (
            <Button
              kind="bare"
              icon={<Plus size={14} strokeWidth={1.5} />}
              hint={keyText('t')}
              onClick={() => setTask(true)}
            >
              {inbox.task}
            </Button>
          )}
          {isTask && (
            <TaskComposer
              writes={writes}
              isNarrow
              title={inbox.taskTitle(thread.subject ?? other.name)}
              linked={linked}
              close={() => setTask(false)}
            />
          )}
        </ContactCard>
      )}
    </>
  );
}

interface AnswerProps {
  readonly thread: Thread;
  readonly first: Draft;
  readonly isToAll: boolean;
  readonly close: () => void;
}

function Answer({ thread, first, isToAll, close }: AnswerProps) {
  const reply = useReply(thread, first, isToAll, close);
  return <ReplyForm thread={thread} reply={reply} close={close} />;
}

function Head({ thread }: { thread: Thread }) {
  const { inbox, shell } = useTexts();
  return (
    <header className={styles.threadHead}>
      <Link to="/inbox" className={styles.back} aria-label={shell.back}>
        <ArrowLeft size={16} strokeWidth={1.5} />
      </Link>
      <h2 className="clip">
        <bdi>{thread.subject ?? inbox.channels[thread.channel] ?? inbox.noSubject}</bdi>
      </h2>
      <span className={styles.seen} title={inbox.visibility[thread.content_visibility]}>
        <EyeOff size={12} strokeWidth={1.5} aria-hidden="true" />
        {inbox.visibilityShort[thread.content_visibility]}
      </span>
      {thread.channel === 'email' && (
        <Suspense>
          <ThreadMarks threadId={thread.id} />
        </Suspense>
      )}
    </header>
  );
}

interface MessagesProps extends KnownProps {
  readonly own: readonly string[];
  readonly children: React.ReactNode;
}

function Messages({ thread, messages, own, earlier, children }: MessagesProps) {
  const { inbox } = useTexts();
  const [place, setPlace] = useState<HTMLDivElement | null>(null);
  const lastId = messages.at(-1)?.id;
  // One begins to read where the conversation stands.
  useEffect(() => {
    place?.scrollTo({ top: place.scrollHeight });
  }, [place, lastId]);
  return (
    <div
      ref={setPlace}
      className={styles.messages}
      tabIndex={0}
      role="group"
      aria-label={inbox.messages(thread.message_count)}
    >
      {earlier && (
        <div className={styles.actions}>
          <Button onClick={earlier}>{inbox.earlier}</Button>
        </div>
      )}
      {messages.map((message) => (
        <MessageView key={message.id} message={message} own={own} ownerId={thread.managed_by_workspace_user_id} />
      ))}
      {children}
    </div>
  );
}

/** What an answer begins with. */
function firstDraft(thread: Thread, messages: readonly Message[], own: readonly string[], isToAll: boolean): Draft {
  const last = messages.findLast(({ direction }) => direction === 'inbound') ?? messages.at(-1);
  const { to, cc } = last ? answerTo(last, own, isToAll) : { to: [], cc: [] };
  const subject = last?.subject ?? thread.subject ?? '';
  return {
    text: '',
    to: to.join(', '),
    cc: cc.join(', '),
    subject: /^(re|aw):/i.test(subject) ? subject : `Re: ${subject}`,
    from: '',
  };
}
