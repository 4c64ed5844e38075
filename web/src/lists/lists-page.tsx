import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { usePages } from '../api/use-pages.ts';
import { written } from '../app/changes.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Dot, colorAt } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { NewByName } from '../ui/new-by-name.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import form from '../ui/form.module.css';
import overview from '../ui/overview.module.css';
import styles from './lists.module.css';

/** All lists with their sizes, and a form for a new one. */
export function ListsPage() {
  const { shell, lists } = useTexts();
  const { reader } = useWorkspace();
  useTitle(shell.lists);
  const found = usePages([...keys.lists, 'all'], (at) => kith.lists.list({ limit: 100, ...at }));
  const all = found.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <TopBar title={shell.lists} />
      <div className={overview.page}>
        {reader.isAdmin && <NewList />}
        {found.error && <Failure error={found.error} again={() => void found.refetch()} />}
        {found.isPending && <RowLines count={4} />}
        {found.data && all.length === 0 && <Empty>{reader.isAdmin ? lists.none : lists.noneForRole}</Empty>}
        <ul className={styles.list}>
          {all.map((list, at) => (
            <li key={list.id}>
              <ListRow list={list} color={colorAt(at, list.color)} />
            </li>
          ))}
        </ul>
        {found.hasNextPage && <Button onClick={() => void found.fetchNextPage()}>{shell.showMore}</Button>}
      </div>
    </>
  );
}

type List = Awaited<ReturnType<typeof kith.lists.list>>['data'][number];

function ListRow({
  list: { id, name, description, object_types: takes, entry_count: n },
  color,
}: {
  list: List;
  color: string;
}) {
  const { lists } = useTexts();
  const formats = useFormats();
  const { objects } = useWorkspace();
  return (
    <Link to="/lists/$id" params={{ id }} className={`${overview.row} ${styles.row}`}>
      <Dot color={color} />
      <b className="clip">
        <bdi>{name}</bdi>
      </b>
      <bdi className="dim clip">{description}</bdi>
      <span className="dim clip">{formats.list(takes.map((object) => objects.get(object)?.label ?? object))}</span>
      <span className="numeric">{lists.entries(n)}</span>
    </Link>
  );
}

function NewList() {
  const { lists, shell } = useTexts();
  const { objects } = useWorkspace();
  const navigate = useNavigate();
  const able = [...objects.values()].filter(({ name }) => name !== 'tasks' && name !== 'notes');
  const [object, setObject] = useState(able[0]?.name ?? '');
  const create = async (name: string) => {
    const answer = kith.lists.create({ name, object_types: [object] });
    const { id } = await written(answer, { text: lists.create, isQuiet: true }, shell);
    await queries.invalidateQueries({ queryKey: keys.lists });
    await navigate({ to: '/lists/$id', params: { id } });
  };
  return (
    <NewByName action={lists.create} label={lists.name} create={create}>
      <select
        className={form.select}
        aria-label={lists.takes}
        value={object}
        onChange={({ target }) => setObject(target.value)}
      >
        {able.map((one) => (
          <option key={one.name} value={one.name}>
            {one.label}
          </option>
        ))}
      </select>
    </NewByName>
  );
}
