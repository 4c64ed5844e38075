/** Deleted records: they can be restored for 30 days, or deleted for good. */
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { TrashListItem } from '../../../client/index.js';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { useTitle } from '../app/use-title.ts';
import { NoObject } from '../app/no-object.tsx';
import { useObject, useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { Purge } from './purge.tsx';
import styles from './trash-page.module.css';
import { TrashRow } from './trash-row.tsx';

/** The trash of an object. */
export function TrashPage() {
  const { object: name = '' } = useParams({ strict: false });
  const object = useObject(name);
  const { records } = useTexts();
  const { permissions } = useWorkspace();
  const title = object ? `${object.label}: ${records.trash}` : records.trash;
  useTitle(title);
  if (!object) return <NoObject name={name} />;
  return (
    <>
      <TopBar title={title}>
        <Link to="/r/$object" params={{ object: name }} className={styles.back}>
          {object.label}
        </Link>
      </TopBar>
      {(permissions[name]?.delete ?? 'none') === 'none' ? (
        <Empty>{records.trashNotForRole(object.label)}</Empty>
      ) : (
        <Trash object={name} />
      )}
    </>
  );
}

function Trash({ object }: { object: string }) {
  const { shell, records } = useTexts();
  const [toPurge, setToPurge] = useState<TrashListItem>();
  const found = usePages([...keys.object(object), 'trash'], (at, { signal }) =>
    kith.trash.list(object, { limit: 100, ...at }, { signal }),
  );
  if (found.error) return <Failure error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <div className={styles.list} aria-busy="true" />;
  const rows = found.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0) return <Empty>{records.trashEmpty}</Empty>;
  return (
    <div className={styles.list} tabIndex={0} role="region" aria-label={records.trash}>
      <p className={styles.lead}>{records.trashLead}</p>
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
            <TrashRow key={row.id} object={object} row={row} ask={() => setToPurge(row)} />
          ))}
        </tbody>
      </table>
      {found.hasNextPage && (
        <Button isWorking={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {shell.showMore}
        </Button>
      )}
      {toPurge && <Purge object={object} row={toPurge} close={() => setToPurge(undefined)} />}
    </div>
  );
}
