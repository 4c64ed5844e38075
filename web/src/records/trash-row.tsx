import { useState } from 'react';
import { KithError, type TrashListItem } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { nameOf } from '../api/record-name.ts';
import { written } from '../app/changes.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import styles from './trash-page.module.css';

interface TrashRowProps {
  readonly object: string;
  readonly row: TrashListItem;
  /** Asks for confirmation before it is deleted for good. */
  readonly ask: () => void;
}

/** A deleted record: by whom, when, and its actions. */
export function TrashRow({ object, row, ask }: TrashRowProps) {
  const texts = useTexts();
  const { reader } = useWorkspace();
  const formats = useFormats();
  const [isWorking, setWorking] = useState(false);
  const name = nameOf({ ...row }, 'display');
  const notice = { text: texts.records.restored(name) };
  const unmerge = () =>
    written(
      kith.records.duplicates({ action: 'unmerge', object_name: object, duplicate_ids: [row.id] }),
      notice,
      texts.shell,
    );
  const work = async (restore: () => Promise<unknown>) => {
    setWorking(true);
    try {
      await restore();
      await queries.invalidateQueries({ queryKey: keys.object(object) });
    } catch (error) {
      setWorking(false);
      const isMerged = reader.isAdmin && error instanceof KithError && error.code === 'INVALID_OPERATION';
      const action = { label: texts.records.unmerge, run: () => void work(unmerge) };
      toast(isMerged ? { text: texts.records.wasMerged(name), action } : { text: messageOf(error), isBad: true });
    }
  };
  const restore = () => work(() => written(kith.records.restore(object, row.id), notice, texts.shell));
  return (
    <tr>
      <td className="clip" title={name.slice(0, 300)}>
        <bdi>{name}</bdi>
      </td>
      <td>
        <time dateTime={row.deleted_at}>{formats.moment(row.deleted_at)}</time>
      </td>
      <td className="clip">
        <bdi>{row.deleted_by?.display}</bdi>
      </td>
      <td className={styles.actions}>
        <Button
          kind="bare"
          isWorking={isWorking}
          aria-label={`${texts.records.restore}: ${name}`}
          onClick={() => void restore()}
        >
          {texts.records.restore}
        </Button>
        {reader.isAdmin && (
          <Button kind="bare" aria-label={`${texts.records.purge}: ${name}`} onClick={ask}>
            {texts.records.purge}
          </Button>
        )}
      </td>
    </tr>
  );
}
