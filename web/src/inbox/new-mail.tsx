/** A new mail: written, previewed, and sent like a reply. */
import { ReplyForm } from './reply-form.tsx';
import { useReply } from './use-reply.ts';

interface NewMailProps {
  /** The record that it is written to; its draft is kept under this id. */
  readonly record: string;
  readonly to: string;
  readonly close: () => void;
}

/** The form, with the address filled in. */
export function NewMail({ record, to, close }: NewMailProps) {
  const thread = { id: `new-${record}`, channel: 'email', isNew: true };
  const reply = useReply(thread, { text: '', to, cc: '', subject: '', from: '' }, false, close);
  return <ReplyForm thread={thread} reply={reply} close={close} />;
}
