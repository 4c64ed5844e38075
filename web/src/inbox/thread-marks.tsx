import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';

/** Marks a thread in its mailbox; Kith stores no marks of its own. */
export function ThreadMarks({ threadId }: { threadId: string }) {
  const { inbox } = useTexts();
  const [at, setAt] = useState<HTMLElement>();
  const choices = [
    ['read', inbox.markRead],
    ['unread', inbox.markUnread],
    ['favorite', inbox.favorite],
    ['unfavorite', inbox.unfavorite],
  ] as const;
  const mark = async (action: (typeof choices)[number][0]) => {
    try {
      await kith.inbox.mark(threadId, { action });
      toast({ text: inbox.marked[action] ?? '' });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return (
    <>
      <Button
        kind="bare"
        aria-label={inbox.moreActions}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        icon={<Ellipsis size={16} />}
        onClick={({ currentTarget }) => setAt(currentTarget)}
      />
      {at && (
        <Menu
          at={at}
          label={inbox.moreActions}
          actions={choices.map(([id, label]) => ({ id, label, run: () => void mark(id) }))}
          close={() => setAt(undefined)}
        />
      )}
    </>
  );
}
