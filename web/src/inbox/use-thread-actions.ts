import { useState } from 'react';
import { useKeys } from '../app/keys.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { draftOf } from './draft.ts';
import type { Thread } from './inbox-data.ts';

const sendable = new Set(['email', 'linkedin', 'whatsapp']);

export interface ThreadActions {
  /** Who the open reply goes to; undefined if none is open. */
  readonly answering: 'one' | 'all' | undefined;
  readonly maySend: boolean;
  readonly isMail: boolean;
  /** Whether a task about the thread is being created. */
  readonly isTask: boolean;
  readonly mayTask: boolean;
  answer(whom: ThreadActions['answering']): void;
  setTask(isTask: boolean): void;
}

/** Actions on a thread, with their keys. A stored draft is continued. */
export function useThreadActions({ id, channel }: Thread): ThreadActions {
  const { inbox } = useTexts();
  const { permissions, userId } = useWorkspace();
  const [answering, answer] = useState<ThreadActions['answering']>(() => (draftOf(userId, id) ? 'one' : undefined));
  const [isTask, setTask] = useState(false);
  const maySend = sendable.has(channel);
  const isMail = channel === 'email';
  const mayTask = permissions['tasks']?.create === true;
  useKeys([
    ...(maySend ? [{ keys: 'r', label: inbox.reply, run: () => answer('one') }] : []),
    ...(isMail ? [{ keys: 'shift+r', label: inbox.replyAll, run: () => answer('all') }] : []),
    ...(mayTask ? [{ keys: 't', label: inbox.task, run: () => setTask(true) }] : []),
  ]);
  return { answering, maySend, isMail, isTask, mayTask, answer, setTask };
}
