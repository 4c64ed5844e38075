/** What was deleted: it can come back for 30 days, or go for good. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TrashListItem } from '../../../client/index.js';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { written } from '../app/changes.ts';
import { useTitle } from '../app/use-title.ts';
import { NoAccess } from '../app/no-access.tsx';
import { useObject } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { toast } from '../ui/toasts.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import styles from './trash-page.module.css';

/** The trash of an object. */
export function TrashPage() {
  const { object: name = '' } = useParams({ strict: false });
  const object = useObject(name);
  const { shell, records } = useTexts();
  const title = object ? `${object.label}: ${records.trash}` : records.trash;
  useTitle(title);
  if (!object) return <NoAccess title={shell.records} what={name} />;
  return (
    <>
      <TopBar title={title} />
      <Trash object={name} />
    </>
  );
}

function Trash({ object }: { object: string }) {
  const { shell, records } = useTexts();
  const [asked, setAsked] = useState<TrashListItem>();
  const found = useInfiniteQuery({
    queryKey: [...keys.object(object), 'trash'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      kith.trash.list(object, { limit: 100, ...(pageParam !== undefined && { cursor: pageParam }) }, { signal }),
    getNextPageParam: (page) => page.nextCursor,
  });
  if (found.error) return <Failure error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <div className={styles.list} aria-busy="true" />;
  const rows = found.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0) return <Empty>{records.trashEmpty}</Empty>;
  return (
    <div className={styles.list} tabIndex={0} role="region" aria-label={records.trash}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{records.name}</th>
            <th>{records.deletedAt}</th>
            <th>{records.deletedBy}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TrashRow key={row.id} object={object} row={row} ask={() => setAsked(row)} />
          ))}
        </tbody>
      </table>
      {found.hasNextPage && (
        <Button isWorking={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {shell.showMore}
        </Button>
      )}
      {asked && <Purge object={object} row={asked} close={() => setAsked(undefined)} />}
    </div>
  );
}

function TrashRow({ object, row, ask }: { object: string; row: TrashListItem; ask: () => void }) {
  const texts = useTexts();
  const formats = useFormats();
  const [isWorking, setWorking] = useState(false);
  const name = row.display ?? row.id;
  const restore = async () => {
    setWorking(true);
    try {
      await written(kith.records.restore(object, row.id), { text: texts.records.restored(name) }, texts.shell);
      await queries.invalidateQueries({ queryKey: keys.object(object) });
    } catch (error) {
      setWorking(false);
      toast({ text: messageOf(error), isBad: true });
    }
  };
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
        <Button kind="bare" aria-label={`${texts.records.purge}: ${name}`} onClick={ask}>
          {texts.records.purge}
        </Button>
      </td>
    </tr>
  );
}

function Purge({ object, row, close }: { object: string; row: TrashListItem; close: () => void }) {
  const { shell, records } = useTexts();
  const [wrong, setWrong] = useState<string>();
  const name = row.display ?? row.id;
  const purge = async () => {
    try {
      await kith.trash.purge(object, row.id);
      toast({ text: records.purged(name) });
      await queries.invalidateQueries({ queryKey: keys.object(object) });
      close();
    } catch (error) {
      setWrong(messageOf(error));
    }
  };
  return (
    <Dialog
      title={records.purge}
      role="alertdialog"
      isOpen
      close={close}
      actions={
        <>
          <Button autoFocus onClick={close}>
            {shell.cancel}
          </Button>
          <Button kind="danger" onClick={() => void purge()}>
            {records.purge}
          </Button>
        </>
      }
    >
      <p>{records.purgeAsk(name)}</p>
      {wrong !== undefined && <p role="alert">{wrong}</p>}
    </Dialog>
  );
}
