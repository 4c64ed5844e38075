/** Actions on a record as a whole. */
import { useNavigate, useRouter } from '@tanstack/react-router';
import { isUnreachable, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { toast } from '../ui/toasts.tsx';
import type { Neighbours } from './neighbours.ts';

export interface Actions {
  readonly showHistory: () => void;
  readonly addToList: () => void;
  /** Undefined if it has no address. */
  readonly email: (() => void) | undefined;
  /** Undefined if the role does not allow it. */
  readonly merge: (() => void) | undefined;
  readonly remove: (() => void) | undefined;
  readonly go: (id: string | undefined) => void;
  readonly copyLink: () => void;
  /** Goes back to where the reader came from, else to the list. */
  readonly back: () => void;
}

interface Given {
  readonly object: string;
  readonly id: string;
  readonly name: string;
  readonly from: string | undefined;
  readonly neighbours: Neighbours | undefined;
  readonly showHistory: () => void;
  readonly addToList: () => void;
  readonly email: (() => void) | undefined;
}

/** The actions that the role allows. */
export function useActions({ object, id, name, from, neighbours, ...opening }: Given): Actions {
  const { permissions } = useWorkspace();
  const { record: texts, shell } = useTexts();
  const navigate = useNavigate();
  const router = useRouter();
  const may = permissions[object];
  const go = (next: string | undefined) => {
    if (next !== undefined)
      void navigate({ to: '/r/$object/$id', params: { object, id: next }, search: from === undefined ? {} : { from } });
  };
  const remove = async () => {
    try {
      await written(kith.records.delete(object, id), { text: texts.movedToTrash(name.slice(0, 80)) }, shell);
      const after = neighbours?.next ?? neighbours?.previous;
      if (after === undefined) await navigate({ to: '/r/$object', params: { object } });
      else go(after);
      void queries.invalidateQueries({ queryKey: keys.object(object) });
      void queries.invalidateQueries({ queryKey: keys.counts });
    } catch (error) {
      toast({ text: isUnreachable(error) ? shell.offline : messageOf(error), isBad: true });
    }
  };
  const merge = () => void navigate({ to: '/duplicates/$object', params: { object }, search: { at: id } });
  return {
    ...opening,
    back() {
      // Esc closes an open popover first; the browser does that after this handler.
      if (document.querySelector(':popover-open')) return;
      if (router.history.canGoBack()) router.history.back();
      else void navigate({ to: '/r/$object', params: { object } });
    },
    merge: may?.update !== 'none' && may?.delete !== 'none' ? merge : undefined,
    remove: may?.delete === 'none' || may === undefined ? undefined : () => void remove(),
    go,
    copyLink() {
      navigator.clipboard.writeText(location.origin + location.pathname).then(
        () => toast({ text: shell.copied }),
        (error: unknown) => toast({ text: messageOf(error), isBad: true }),
      );
    },
  };
}
