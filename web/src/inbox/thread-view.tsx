import { ArrowLeft, EyeOff, Plus } from 'lucide-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { KithError } from '../../../client/index.js';
import { keyText } from '../app/keys.ts';
import { NotThere } from '../app/not-there.tsx';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { TaskComposer } from '../tasks/task-composer.tsx';
import { useTaskWrites } from '../tasks/use-task-writes.ts';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { isSame, partyOf, type Party } from './addresses.ts';
import { Answering } from './answering.tsx';
import { ContactCard } from './contact-card.tsx';
import { useContactOf } from './contact-of.ts';
import { useAccountStatus, useThread, type Message, type Thread } from './inbox-data.ts';
import styles from './inbox.module.css';
import { MessageView } from './message-view.tsx';
import { useThreadActions, type ThreadActions } from './use-thread-actions.ts';

const ThreadMarks = lazyPart(
  () => import('./thread-marks.tsx'),
  (file) => file.ThreadMarks,
);

/** One thread, its latest message last, with the reply form below. */
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
  const { reader } = useWorkspace();
  const { data: accounts } = useAccountStatus();
  const own = [reader.email, ...(accounts?.integrations ?? []).map(({ account_email: email }) => email ?? '')];
  const actions = useThreadActions(thread);
  const other = messages
    .toReversed()
    .flatMap(({ participants }) => participants.map(partyOf))
    .find(({ address }) => !own.some((one) => isSame(one, address)));
  return (
    <>
      <section className={styles.thread} aria-label={thread.subject ?? inbox.noSubject}>
        <Head thread={thread} />
        <Messages thread={thread} messages={messages} own={own} earlier={earlier}>
          <Answering thread={thread} messages={messages} own={own} actions={actions} />
        </Messages>
      </section>
      {other && <Contact party={other} subject={thread.subject} actions={actions} />}
    </>
  );
}

interface ContactProps {
  readonly party: Party;
  readonly subject: Thread['subject'];
  readonly actions: ThreadActions;
}

/** The contact that the thread is with, and a task about it. */
function Contact({ party, subject, actions: { mayTask, isTask, setTask } }: ContactProps) {
  const { inbox } = useTexts();
  const contact = useContactOf(party.address);
  const writes = useTaskWrites();
  return (
    <ContactCard party={party} contact={contact}>
      {mayTask && !isTask && (
        <Button kind="bare" icon={<Plus size={14} />} hint={keyText('t')} onClick={() => setTask(true)}>
          {inbox.task}
        </Button>
      )}
      {isTask && (
        <TaskComposer
          writes={writes}
          isNarrow
          title={inbox.taskTitle(subject ?? party.name)}
          linked={contact ? [{ type: 'contacts', id: contact.id }] : []}
          close={() => setTask(false)}
        />
      )}
    </ContactCard>
  );
}

function Head({ thread }: { thread: Thread }) {
  const { inbox, shell } = useTexts();
  return (
    <header className={styles.threadHead}>
      <Link to="/inbox" className={styles.back} aria-label={shell.back}>
        <ArrowLeft size={16} />
      </Link>
      <h2 className="clip">
        <bdi>{thread.subject ?? inbox.channels[thread.channel] ?? inbox.noSubject}</bdi>
      </h2>
      <span className={styles.seen} title={inbox.visibility[thread.content_visibility]}>
        <EyeOff size={12} aria-hidden="true" />
        {inbox.visibilityShort[thread.content_visibility]}
      </span>
      {thread.channel === 'email' && <ThreadMarks threadId={thread.id} />}
    </header>
  );
}

interface MessagesProps extends KnownProps {
  readonly own: readonly string[];
  readonly children: React.ReactNode;
}

function Messages({ thread, messages, own, earlier, children }: MessagesProps) {
  const { inbox } = useTexts();
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null);
  const lastId = messages.at(-1)?.id;
  // Scrolls to the latest message.
  useEffect(() => {
    scroller?.scrollTo({ top: scroller.scrollHeight });
  }, [scroller, lastId]);
  return (
    <div
      ref={setScroller}
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
