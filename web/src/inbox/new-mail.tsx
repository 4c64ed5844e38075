/** A mail that begins a conversation: written, previewed, and sent as answers are. */
import { ReplyForm } from './reply-form.tsx';
import { useReply } from './use-reply.ts';

interface NewMailProps {
  /** The record whose address it goes to: its draft is kept. */
  readonly record: string;
  readonly to: string;
  readonly close: () => void;
}

/** The form, in which the address stands already. */
export function NewMail({ record, to, close }: NewMailProps) {
  const thread = { id: `new-${record}`, channel: 'email', isNew: true };
  const reply = useReply(thread, { text: '', to, cc: '', subject: '', from: '' }, false, close);
  return <ReplyForm thread={thread} reply={reply} close={close} />;
}
