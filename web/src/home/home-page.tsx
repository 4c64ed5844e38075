/** Home: what is due today, and what was used last. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { dayText } from '../values/whole-days.ts';
import { MeetingsToday } from './meetings-today.tsx';
import { News } from './news.tsx';
import { OwnRecords } from './own-records.tsx';
import { Part } from './part.tsx';
import { TasksDue } from './tasks-due.tsx';
import styles from './home.module.css';

/** The page. */
export function HomePage() {
  const { shell } = useTexts();
  const formats = useFormats();
  useTitle(shell.home);
  const counts = useCounts();
  const isEmpty = counts !== undefined && counts.every(({ total }) => total === 0);
  return (
    <>
      <TopBar title={shell.home}>
        <span className="dim">{formats.longDay(dayText(new Date()))}</span>
        <Link to="/settings" className={styles.settings} aria-label={shell.settings}>
          <Settings size={16} aria-hidden="true" />
        </Link>
      </TopBar>
      <div className={styles.scroll}>
        {isEmpty ? (
          <First />
        ) : (
          <div className={styles.page}>
            <div className={styles.column}>
              <TasksDue />
              <OwnRecords />
            </div>
            <div className={styles.column}>
              <MeetingsToday />
              <News />
              <Counts counts={counts ?? []} />
            </div>
          </div>
        )}
      </div>
    </>
  );
}

/** First steps in an empty workspace. */
function First() {
  const { home } = useTexts();
  const { objects, permissions, reader } = useWorkspace();
  if (objects.size === 0) return <Empty>{home.nothingForRole}</Empty>;
  const [first] = [...objects.values()].filter(
    ({ name }) => permissions[name]?.create && !['tasks', 'notes'].includes(name),
  );
  return (
    <Empty
      action={
        <p className={styles.first}>
          {reader.isAdmin && <Link to="/import">{home.importFirst}</Link>}
          {first && (
            <Link to="/r/$object" params={{ object: first.name }}>
              {home.createFirst(first.labelSingular)}
            </Link>
          )}
        </p>
      }
    >
      {reader.isAdmin ? home.empty : home.nothingForRole}
    </Empty>
  );
}

interface Counted {
  readonly name: string;
  readonly label: string;
  readonly total: number;
}

function Counts({ counts }: { counts: readonly Counted[] }) {
  const { home } = useTexts();
  const formats = useFormats();
  if (counts.length === 0) return undefined;
  return (
    <Part title={home.counts}>
      <ul className={styles.counts}>
        {counts.map(({ name, label, total }) => (
          <li key={name}>
            <Link to="/r/$object" params={{ object: name }}>
              <span className="numeric">{formats.number(total)}</span> <bdi>{label}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The number of records of each object that the reader may see. */
function useCounts(): readonly Counted[] | undefined {
  const { objects } = useWorkspace();
  const shown = [...objects.values()].filter(({ name }) => !['tasks', 'notes'].includes(name)).slice(0, 12);
  return useQuery({
    queryKey: [...keys.counts, 'home', shown.map(({ name }) => name)],
    queryFn: ({ signal }) =>
      Promise.all(
        shown.map(async ({ name, label }) => {
          const { total } = await kith.records.list(name, { limit: 1, fields: 'id' }, { signal });
          return { name, label, total };
        }),
      ),
  }).data;
}
