/** A message, a task or a note in the timeline. */
import { Link } from '@tanstack/react-router';
import { CircleCheck, EyeOff, Mail, MessageSquare, Phone, StickyNote, Video, type LucideIcon } from 'lucide-react';
import { nameOf } from '../api/record-name.ts';
import type { KithRecord } from '../api/workspace.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { useNameOf } from '../inbox/contact-of.ts';
import { entriesIn } from '../values/shapes.ts';
import { addressOf, participantName, type Activity } from './timeline-items.ts';
import { inSentence } from '../ui/in-sentence.ts';
import styles from './timeline.module.css';
import { When } from './when.tsx';

const icons: Readonly<Record<string, LucideIcon>> = { email: Mail, meeting: Video, phone: Phone };

/** The service's placeholder for a text that is hidden from the reader. */
const masked = /^\[Hidden by the owner of this conversation\]$/;

/** One item. */
export function Happened({ item, record }: { item: Activity; record: KithRecord }) {
  const Icon =
    item.kind === 'task'
      ? CircleCheck
      : item.kind === 'note'
        ? StickyNote
        : (icons[item.channel ?? ''] ?? MessageSquare);
  return (
    <div className={styles.line}>
      <span className={styles.icon}>
        <Icon size={14} aria-hidden="true" />
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <span className={styles.what}>
            {item.kind === 'task' ? (
              <TaskHead item={item} />
            ) : item.kind === 'note' ? (
              <NoteHead item={item} />
            ) : (
              <MessageHead item={item} record={record} />
            )}
          </span>
          <When date={item.date} />
        </div>
        <Text item={item} />
      </div>
    </div>
  );
}

function TaskHead({ item }: { item: Activity }) {
  const { record: texts } = useTexts();
  const formats = useFormats();
  const due = item.due_date ? formats.near(item.due_date) : '';
  return (
    <>
      <b>
        <bdi>{inSentence(item.title ?? '')}</bdi>
      </b>{' '}
      <span className="dim">
        {item.status === 'done' ? texts.done : texts.dueOn(item.assignee?.display ?? '', due)}
      </span>
    </>
  );
}

function NoteHead({ item }: { item: Activity }) {
  const { record: texts } = useTexts();
  return (
    <>
      <b>
        <bdi>{item.author?.display ?? texts.somebody}</bdi>
      </b>{' '}
      <span className="dim">{texts.wroteNote}</span>
    </>
  );
}

function MessageHead({ item, record }: { item: Activity; record: KithRecord }) {
  const { userId } = useWorkspace();
  const owner = useOwner(item);
  const sender = item.participants?.[0] ?? '';
  const address = addressOf(sender);
  const isOfRecord = hasAddress(record, address);
  const isOurs = item.direction === 'outbound' && owner !== undefined;
  const other = useNameOf(isOurs || isOfRecord ? undefined : { name: participantName(sender), address });
  const from = isOurs ? owner.name : isOfRecord ? nameOf(record, 'full_name') : other;
  const subject = masked.test(item.subject ?? '') ? '' : inSentence(item.subject ?? '');
  return (
    <>
      <b>
        <bdi>{from}</bdi>
      </b>{' '}
      {owner?.id === userId && item.thread_id !== undefined ? (
        <Link className={styles.thread ?? ''} to="/inbox/$thread" params={{ thread: item.thread_id }}>
          <bdi>{subject}</bdi>
        </Link>
      ) : (
        <bdi className="dim">{subject}</bdi>
      )}
    </>
  );
}

function Text({ item }: { item: Activity }) {
  const { record: texts } = useTexts();
  const owner = useOwner(item);
  const text = item.preview ?? '';
  if (item.kind === 'task' || text === '') return null;
  if (!masked.test(text))
    return (
      <p className={styles.card}>
        <bdi>{text}</bdi>
      </p>
    );
  return (
    <p className={styles.masked}>
      <EyeOff size={14} aria-hidden="true" />
      {owner ? texts.onlyFor(owner.name) : texts.onlyForOwner}
    </p>
  );
}

/** The user among the participants, if there is exactly one. */
function useOwner({ participants = [] }: Activity) {
  const { users } = useWorkspace();
  const addresses = new Set(participants.map(addressOf));
  const found = [...users.values()].filter(({ email }) => addresses.has(email.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}

function hasAddress(record: KithRecord, address: string): boolean {
  return Object.values(record).some((value) => entriesIn(value).some(({ text }) => text.toLowerCase() === address));
}
