import { Mail, MessageCircle, Phone, Send, Users, Video } from 'lucide-react';
import type { ComponentType, Ref } from 'react';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { isSame, partyOf } from './addresses.ts';
import { useNameAmong } from './contact-of.ts';
import type { Thread } from './inbox-data.ts';
import styles from './inbox.module.css';

const icons: Readonly<Record<string, ComponentType<{ size: number }>>> = {
  email: Mail,
  meeting: Video,
  linkedin: Users,
  whatsapp: Phone,
  telegram: Send,
};

interface ThreadRowProps {
  readonly thread: Thread;
  /** The reader's own addresses. */
  readonly own: readonly string[];
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly ref: Ref<HTMLButtonElement>;
  readonly open: () => void;
}

/** A thread in three lines: participants, subject, last message. */
export function ThreadRow({ thread, own, isOpen, isActive, ref, open }: ThreadRowProps) {
  const { inbox } = useTexts();
  const formats = useFormats();
  const last = thread.last_message;
  const others = (last?.participants ?? [])
    .map(partyOf)
    .filter(({ address }) => !own.some((one) => isSame(one, address)));
  const name = useNameAmong(last?.contacts ?? [], others[0]);
  const channel = inbox.channels[thread.channel] ?? thread.channel;
  const Icon = icons[thread.channel] ?? MessageCircle;
  return (
    <button
      type="button"
      ref={ref}
      tabIndex={isActive ? 0 : -1}
      className={styles.row}
      aria-current={isOpen ? 'true' : undefined}
      onClick={open}
    >
      <span className={styles.line}>
        <bdi className={`clip ${styles.who}`}>{name ?? thread.subject ?? channel}</bdi>
        {thread.last_message_date !== null && (
          <time dateTime={thread.last_message_date}>{formats.near(thread.last_message_date)}</time>
        )}
      </span>
      <span className={styles.line}>
        <Icon size={14} />
        <span className="unseen">{channel}</span>
        <bdi className={`clip ${styles.subject}`}>
          {thread.subject ?? (thread.channel === 'email' ? inbox.noSubject : channel)}
        </bdi>
        <span title={inbox.messages(thread.message_count)}>{formats.number(thread.message_count)}</span>
      </span>
      <bdi className={`clip ${styles.said}`} dir="auto">
        {last?.preview}
      </bdi>
    </button>
  );
}
