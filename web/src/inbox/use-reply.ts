import { useState } from 'react';
import { KithError, type MessagesPreviewAnswer, type MessagesPreviewBody } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import { recipientsIn } from './addresses.ts';
import { htmlOf, type Draft } from './draft.ts';
import { useDraft } from './use-draft.ts';

/** Validity of a preview here; the service decides when it really ends. */
const goodMs = 5 * 60_000;

export interface Previewed {
  readonly message: MessagesPreviewAnswer['message'];
  readonly token: string;
  readonly until: number;
}

export interface Problem {
  readonly text: string;
  readonly detail?: string | undefined;
  readonly field?: 'text' | 'to' | 'from';
  /** Whether the cause is the state of an account. */
  readonly isOfAccount?: boolean;
  readonly accounts?: readonly string[];
}

/** What a message belongs to: a thread, or something new whose draft is stored under `id`. */
export interface Conversation {
  readonly id: string;
  readonly channel: string;
  readonly isNew?: boolean;
}

/** A reply: written, previewed, sent. Further typing discards the preview. */
export function useReply(thread: Conversation, first: Draft, isToAll: boolean, close: () => void) {
  const { inbox } = useTexts();
  const { draft, change, forget } = useDraft(thread.id, first, isToAll);
  const [previewed, setPreviewed] = useState<Previewed>();
  const [problem, setProblem] = useState<Problem>();
  const [isWorking, setWorking] = useState(false);
  const endPreview = (why?: Problem) => {
    setPreviewed(undefined);
    setProblem(why);
  };
  const work = async (does: () => Promise<void>) => {
    if (isWorking) return;
    setWorking(true);
    try {
      await does();
    } catch (refusal) {
      endPreview(problemOf(refusal, inbox));
    } finally {
      setWorking(false);
    }
  };
  const leave = () => {
    forget();
    close();
  };
  const end = (text: string) => {
    toast({ text });
    leave();
    void queries.invalidateQueries({ queryKey: keys.threads });
  };
  return {
    draft,
    previewed,
    problem,
    isWorking,
    discard: leave,
    write(part: Partial<Draft>) {
      change(part);
      endPreview();
    },
    edit: (reason?: string) => endPreview(reason === undefined ? undefined : { text: reason }),
    preview: () =>
      work(async () => {
        if (draft.text.trim() === '') return setProblem({ text: inbox.needsText, field: 'text' });
        const body = bodyOf(thread, draft);
        if (body.to?.length === 0) return setProblem({ text: inbox.needsTo, field: 'to' });
        const previewedAt = Date.now();
        const { message, confirm_token: token } = await kith.messages.preview(body);
        setProblem(undefined);
        setPreviewed({ message, token, until: previewedAt + goodMs });
      }),
    send: () =>
      work(async () => {
        if (!previewed) return;
        const answer = await kith.messages.send({ ...bodyOf(thread, draft), confirm_token: previewed.token });
        end(answer.mode === 'sent' ? inbox.sent(peopleOf(answer.message)) : inbox.sentTwice);
      }),
  };
}

export type Reply = ReturnType<typeof useReply>;

/** The number of recipients; a chat has one. */
export function peopleOf({ to, cc, bcc }: Pick<Previewed['message'], 'to' | 'cc' | 'bcc'>): number {
  return Math.max(1, to.length + cc.length + bcc.length);
}

function bodyOf(thread: Conversation, { text, to, cc, subject, from }: Draft): MessagesPreviewBody {
  const sender = from === '' ? {} : { from_account_email: from };
  if (thread.channel !== 'email')
    return { channel: thread.channel as 'linkedin' | 'whatsapp', thread_id: thread.id, body: text.trim(), ...sender };
  const copies = recipientsIn(cc);
  return {
    channel: 'email',
    ...(!thread.isNew && { thread_id: thread.id }),
    to: recipientsIn(to),
    ...(copies.length > 0 && { cc: copies }),
    subject,
    body: htmlOf(text),
    ...sender,
  };
}

function problemOf(refusal: unknown, texts: ReturnType<typeof useTexts>['inbox']): Problem {
  const code = refusal instanceof KithError ? refusal.code : '';
  const known = texts.failures[code];
  return {
    text: known ?? messageOf(refusal),
    detail: known === undefined ? undefined : messageOf(refusal),
    isOfAccount: ['NO_ACCOUNT', 'SEND_NOT_ENABLED'].includes(code),
    ...(code === 'AMBIGUOUS_SENDER' && { field: 'from' as const }),
    ...(refusal instanceof KithError && code === 'AMBIGUOUS_SENDER' && { accounts: refusal.availableValues }),
  };
}
