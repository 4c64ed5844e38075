import { useState } from 'react';
import { useWorkspace } from '../app/workspace-context.tsx';
import { draftOf, keepDraft, type Draft } from './draft.ts';

/** The draft of a thread, stored on every keystroke; starts with the stored one, else with `first`. */
export function useDraft(threadId: string, first: Draft, isToAll: boolean) {
  const { userId } = useWorkspace();
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = draftOf(userId, threadId);
    // A reply to all sets the recipients of a stored draft.
    return kept && isToAll ? { ...kept, to: first.to, cc: first.cc } : (kept ?? first);
  });
  return {
    draft,
    change(change: Partial<Draft>) {
      const next = { ...draft, ...change };
      setDraft(next);
      keepDraft(userId, threadId, next);
    },
    forget: () => keepDraft(userId, threadId, undefined),
  };
}
