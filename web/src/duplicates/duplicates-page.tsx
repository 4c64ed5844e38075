import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { nameOf } from '../api/record-name.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useKeys } from '../app/keys.ts';
import { NotThere } from '../app/not-there.tsx';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { Chosen } from './chosen.tsx';
import { Comparison } from './comparison.tsx';
import { useDifferent, useGroups, type Group } from './find.ts';
import styles from './duplicates.module.css';

/** Objects without a search for duplicates. */
const without = new Set(['tasks', 'notes']);

/** Possible duplicates, side by side. */
export function DuplicatesPage() {
  const { shell, duplicates } = useTexts();
  const { objects, reader } = useWorkspace();
  const { object: named } = useParams({ strict: false });
  const { ids } = useSearch({ strict: false });
  const chosen = ids?.split(',').filter((id) => id !== '') ?? [];
  useTitle(shell.duplicates);
  const able = [...objects.values()].filter(({ name }) => !without.has(name));
  const object = named === undefined ? able[0] : able.find(({ name }) => name === named);
  return (
    <>
      <TopBar title={shell.duplicates}>
        {reader.isAdmin && (
          <Tabs
            label={shell.duplicates}
            tabs={able.map(({ name, label }) => ({ id: name, label, to: `/duplicates/${name}` }))}
            chosen={object?.name ?? ''}
          />
        )}
      </TopBar>
      {!reader.isAdmin && <Empty>{duplicates.adminsOnly}</Empty>}
      {reader.isAdmin &&
        object &&
        (chosen.length > 1 ? <Chosen object={object} ids={chosen} /> : <Groups key={object.name} object={object} />)}
      {reader.isAdmin && !object && <NotThere />}
    </>
  );
}

function Groups({ object }: { object: ObjectShape }) {
  const { duplicates } = useTexts();
  const found = useGroups(object.name, true);
  const different = useDifferent(object.name);
  const groups = (found.data?.groups ?? []).filter(({ key }) => !different.has(key));
  const { at, go } = useChosen(object.name, groups);
  useKeys([
    { keys: 'ArrowDown', label: duplicates.nextGroup, run: () => go(at + 1) },
    { keys: 'ArrowUp', label: duplicates.previousGroup, run: () => go(at - 1) },
  ]);
  const group = groups[at];
  if (found.error) return <Failure error={found.error} again={() => void found.refetch()} />;
  if (!found.data) return <p className={styles.waiting} role="status" aria-busy="true" />;
  const hidden = different.count > 0 && (
    <p className={styles.hidden}>
      <span className="dim">{duplicates.hidden(different.count)}</span>
      <Button kind="bare" onClick={different.clear}>
        {duplicates.showHidden}
      </Button>
    </p>
  );
  if (!group) return <Empty action={hidden}>{duplicates.none}</Empty>;
  return (
    <div className={styles.split}>
      <nav className={styles.groups} aria-label={duplicates.groups}>
        <ul>
          {groups.map((one, index) => (
            <li key={one.key}>
              <GroupLink group={one} object={object} isOpen={index === at} />
            </li>
          ))}
        </ul>
        {found.data.isSome && <p className="hint">{duplicates.some}</p>}
        {hidden}
      </nav>
      <Comparison
        key={group.key}
        group={group}
        object={object}
        position={duplicates.of(at + 1, groups.length)}
        markDifferent={(isDifferent) => different.mark(group.key, isDifferent)}
      />
    </div>
  );
}

/** The open group, by the address. */
function useChosen(object: string, groups: readonly Group[]) {
  const navigate = useNavigate();
  const { at: wanted } = useSearch({ strict: false });
  const at = Math.max(
    0,
    groups.findIndex(({ records }) => records.some(({ id }) => id === wanted)),
  );
  const go = (index: number) => {
    const id = groups[Math.min(Math.max(0, index), groups.length - 1)]?.records[0]?.id;
    if (id !== undefined)
      void navigate({ to: '/duplicates/$object', params: { object }, search: { at: id }, replace: true });
  };
  return { at, go };
}

function GroupLink({ group, object, isOpen }: { group: Group; object: ObjectShape; isOpen: boolean }) {
  const { duplicates } = useTexts();
  const formats = useFormats();
  const { reader } = useWorkspace();
  const [first] = group.records;
  const fields = [...group.reason.matchAll(/(?:^|; |, )(\w+): '/g)].map(([, name = '']) => name);
  const labels = fields.map((name) => object.fields.find((field) => field.name === name)?.label.toLowerCase() ?? name);
  return (
    <Link
      to="/duplicates/$object"
      params={{ object: object.name }}
      search={{ at: first?.id }}
      className={styles.group}
      aria-current={isOpen ? 'true' : undefined}
      ref={(element) => {
        if (isOpen) element?.scrollIntoView({ block: 'nearest' });
      }}
    >
      <b className="clip">
        <bdi>{first && nameOf(first, reader.displayFields[object.name])}</bdi>
      </b>
      <span className="faint numeric">{formats.number(group.records.length)}</span>
      <span className="dim clip" title={group.reason}>
        {labels.length > 0 ? duplicates.same(formats.list([...new Set(labels)])) : group.reason}
      </span>
    </Link>
  );
}
