/** Drafts of replies, kept in this browser by user and thread until they are sent. */
import { remember, remembered } from '../app/remembered.ts';

export interface Draft {
  readonly text: string;
  readonly to: string;
  readonly cc: string;
  readonly subject: string;
  /** The account that sends; empty if the service chooses. */
  readonly from: string;
}

const keyOf = (userId: string, threadId: string) => `kith-draft-${userId}-${threadId}`;

/** The draft of a thread, if there is one. */
export function draftOf(userId: string, threadId: string): Draft | undefined {
  const kept = remembered(keyOf(userId, threadId));
  if (kept === undefined) return undefined;
  try {
    const { text, to, cc, subject, from } = JSON.parse(kept) as Partial<Draft>;
    return { text: text ?? '', to: to ?? '', cc: cc ?? '', subject: subject ?? '', from: from ?? '' };
  } catch {
    return undefined; // written by another version
  }
}

/** Stores the draft of a thread; undefined removes it. */
export function keepDraft(userId: string, threadId: string, draft: Draft | undefined): void {
  remember(keyOf(userId, threadId), draft && JSON.stringify(draft));
}

/** A mail's HTML body: empty lines separate paragraphs. */
export function htmlOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .replaceAll('\r\n', '\n')
    .trim()
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>')}</p>`)
    .join('');
}
