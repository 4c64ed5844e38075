import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { written } from '../app/changes.ts';
import { NotThere } from '../app/not-there.tsx';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { toast } from '../ui/toasts.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { KithError } from '../../../client/index.js';
import { AddRecord } from './add-record.tsx';
import { AddField } from './add-field.tsx';
import { EntryRow } from './entry-row.tsx';
import { fieldOf, type List } from './list.ts';
import overview from '../ui/overview.module.css';
import styles from './lists.module.css';

/** The records of a list, with their entry fields. */
export function ListEntriesPage() {
  const { shell } = useTexts();
  const { id = '' } = useParams({ strict: false });
  const list = useQuery({ queryKey: [...keys.lists, id], queryFn: () => kith.lists.get(id) });
  const name = list.data?.name ?? shell.lists;
  useTitle(name);
  if (list.data) return <Entries list={list.data} />;
  const isGone = list.error instanceof KithError && list.error.code === 'NOT_FOUND';
  return (
    <>
      <TopBar title={name} />
      {isGone && <NotThere />}
      {list.error && !isGone && <Failure error={list.error} again={() => void list.refetch()} />}
    </>
  );
}

function Entries({ list }: { list: List }) {
  const { lists, shell } = useTexts();
  const { reader, permissions } = useWorkspace();
  const entries = usePages([...keys.lists, list.id, 'entries'], (at) =>
    kith.listEntries.list(list.id, { limit: 100, ...at }),
  );
  const mayWrite = list.object_types.some(
    (object) => permissions[object]?.create || (permissions[object]?.update ?? 'none') !== 'none',
  );
  const all = entries.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <TopBar title={list.name}>
        <span className="dim">{lists.entries(entries.data?.pages[0]?.total ?? list.entry_count)}</span>
        <span className={styles.space} />
        {mayWrite && <AddRecord list={list} />}
        {reader.isAdmin && <DeleteList list={list} />}
      </TopBar>
      <div className={overview.page}>
        {list.description !== null && <p className={`${styles.about} dim`}>{list.description}</p>}
        {reader.isAdmin && <AddField list={list} />}
        {entries.error && <Failure error={entries.error} again={() => void entries.refetch()} />}
        {entries.data && all.length === 0 && <Empty>{lists.empty}</Empty>}
        {all.length > 0 && <Table list={list} entries={all} mayWrite={mayWrite} />}
        {entries.hasNextPage && (
          <Button isWorking={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
            {shell.showMore}
          </Button>
        )}
      </div>
    </>
  );
}

interface TableProps {
  readonly list: List;
  readonly entries: Awaited<ReturnType<typeof kith.listEntries.list>>['data'];
  readonly mayWrite: boolean;
}

function Table({ list, entries, mayWrite }: TableProps) {
  const { lists } = useTexts();
  const fields = list.fields.map(fieldOf);
  return (
    <div className={styles.wide} role="region" aria-label={list.name} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{lists.record}</th>
            {list.object_types.length > 1 && <th>{lists.kind}</th>}
            {fields.map(({ name, label }) => (
              <th key={name}>{label}</th>
            ))}
            <th>{lists.since}</th>
            {mayWrite && (
              <th className={styles.last}>
                <span className="unseen">{lists.takeOff('')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <EntryRow key={entry.entry_id} list={list} fields={fields} entry={entry} mayWrite={mayWrite} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Deletes the list; undo restores it with its entries. */
function DeleteList({ list }: { list: List }) {
  const { lists, shell } = useTexts();
  const navigate = useNavigate();
  const remove = async () => {
    try {
      await written(kith.lists.delete(list.id), { text: lists.deleted(list.name) }, shell);
      await navigate({ to: '/lists' });
      await queries.invalidateQueries({ queryKey: [...keys.lists, 'all'] });
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    }
  };
  return <Button kind="bare" aria-label={lists.deleteList} icon={<Trash2 size={14} />} onClick={() => void remove()} />;
}
