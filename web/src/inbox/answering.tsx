/** Below the messages of a thread: the reply form, or the buttons that open it. */
import { Reply as ReplyIcon, ReplyAll } from 'lucide-react';
import { keyText } from '../app/keys.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { answerTo, senderAmong } from './addresses.ts';
import type { Draft } from './draft.ts';
import { activeIn, useAccountStatus, type Message, type Thread } from './inbox-data.ts';
import styles from './inbox.module.css';
import { ReplyForm } from './reply-form.tsx';
import { useReply } from './use-reply.ts';
import type { ThreadActions } from './use-thread-actions.ts';

interface AnsweringProps {
  readonly thread: Thread;
  readonly messages: readonly Message[];
  /** The reader's addresses, which a reply leaves out. */
  readonly own: readonly string[];
  readonly actions: ThreadActions;
}

/** The form, a new one for a reply to all; its buttons while it is closed. */
export function Answering({ thread, messages, own, actions }: AnsweringProps) {
  const { answering, answer } = actions;
  const { data: accounts } = useAccountStatus();
  if (!answering) return <Begin thread={thread} actions={actions} />;
  const isToAll = answering === 'all';
  const from = senderAmong(activeIn(accounts?.integrations ?? []), messages);
  return (
    <Answer
      key={answering}
      thread={thread}
      first={{ ...firstDraft(thread, messages, own, isToAll), from }}
      isToAll={isToAll}
      close={() => answer(undefined)}
    />
  );
}

function Begin({ thread, actions }: Pick<AnsweringProps, 'thread' | 'actions'>) {
  const { inbox } = useTexts();
  const { maySend, isMail, answer } = actions;
  return (
    <div className={styles.actions}>
      <Button
        kind="main"
        icon={<ReplyIcon size={14} />}
        hint={keyText('r')}
        disabled={!maySend}
        title={maySend ? undefined : inbox.noReply(inbox.channels[thread.channel] ?? thread.channel)}
        onClick={() => answer('one')}
      >
        {inbox.reply}
      </Button>
      {isMail && (
        <Button icon={<ReplyAll size={14} />} hint={keyText('shift+r')} onClick={() => answer('all')}>
          {inbox.replyAll}
        </Button>
      )}
    </div>
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

/** The initial draft of a reply. */
function firstDraft(
  thread: Thread,
  messages: readonly Message[],
  own: readonly string[],
  isToAll: boolean,
): Omit<Draft, 'from'> {
  const last = messages.findLast(({ direction }) => direction === 'inbound') ?? messages.at(-1);
  const { to, cc } = last ? answerTo(last, own, isToAll) : { to: [], cc: [] };
  const subject = last?.subject ?? thread.subject ?? '';
  return {
    text: '',
    to: to.join(', '),
    cc: cc.join(', '),
    subject: /^(re|aw):/i.test(subject) ? subject : `Re: ${subject}`,
  };
}
