import { useState } from 'react';
import { useWorkspace } from '../app/workspace-context.tsx';
import { draftOf, keepDraft, type Draft } from './draft.ts';

/** What somebody writes in a thread, kept with every letter; it begins with what was kept, else with `first`. */
export function useDraft(threadId: string, first: Draft, isToAll: boolean) {
  const { userId } = useWorkspace();
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = draftOf(userId, threadId);
    // Who asks to answer all, means all, whatever was written before.
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
