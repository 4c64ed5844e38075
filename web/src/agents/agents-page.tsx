import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import { useEffect, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { useKeys } from '../app/keys.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import type { Catalogue } from '../i18n/catalogue.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import form from '../ui/form.module.css';
import { RunCard } from './run-card.tsx';
import { useRun, useRuns, type By } from './runs.ts';
import { useSeen } from './use-seen.ts';
import styles from './agents.module.css';

const Assistant = lazyPart(
  () => import('./assistant.tsx'),
  (file) => file.Assistant,
);

/** Runs of agents and people; each can be opened and undone, except for what somebody has changed since. */
export function AgentsPage() {
  const { shell, agents } = useTexts();
  const { set } = useParams({ strict: false });
  const { by: wanted, who } = useSearch({ strict: false });
  const by: By = wanted === 'people' ? 'people' : 'agents';
  const [isTalking, setTalking] = useState(false);
  useTitle(shell.agents);
  useKeys([{ keys: 'a', label: agents.assistant, run: () => setTalking(true) }]);
  return (
    <>
      <TopBar title={shell.agents}>
        <Tabs
          label={shell.agents}
          tabs={(['agents', 'people'] as const).map((id) => ({
            id,
            label: agents.tabs[id],
            to: '/agents',
            search: { by: id },
          }))}
          chosen={by}
        />
        <span className={styles.elsewhere}>
          <Link to="/settings/apps">{agents.connected}</Link>
          <Link to="/settings/tokens">{agents.tokens}</Link>
        </span>
        <span className={styles.space} />
        <Whose by={by} who={who} />
        <Button icon={<Bot size={14} />} aria-label={agents.assistant} onClick={() => setTalking(!isTalking)}>
          <span className={styles.assistant}>{agents.assistant}</span>
        </Button>
      </TopBar>
      <div className={isTalking ? styles.split : styles.whole}>
        <div className={styles.page}>
          {set !== undefined && <Alone key={set} id={set} />}
          <Runs key={`${by} ${who ?? ''}`} by={by} who={who} except={set} />
        </div>
        {isTalking && <Assistant close={() => setTalking(false)} />}
      </div>
    </>
  );
}

/** Whose runs are shown: admins choose everybody's or one person's. */
function Whose({ by, who }: { by: By; who: string | undefined }) {
  const { agents } = useTexts();
  const { reader, users } = useWorkspace();
  const navigate = useNavigate();
  if (!reader.isAdmin) return undefined;
  return (
    <select
      className={`${form.select} ${styles.whose}`}
      aria-label={agents.whose}
      value={who ?? ''}
      onChange={({ target }) => void navigate({ to: '/agents', search: { by, who: target.value } })}
    >
      <option value="">{agents.everybody}</option>
      {[...users.values()].map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The run named in the address, open above the others. */
function Alone({ id }: { id: string }) {
  const run = useRun(id);
  if (run.error) return <Failure error={run.error} again={() => void run.refetch()} />;
  return run.data && <RunCard run={run.data} isOpen />;
}

/** The text shown when there are no runs, or none among the latest. */
function nothingOf(by: By, isMore: boolean, { none, noneLately, nonePeople }: Catalogue['agents']): string {
  if (by === 'people') return nonePeople;
  return isMore ? noneLately : none;
}

/** Pages that are loaded automatically before the reader has to ask for more. */
const mostAlone = 10;

/** Loads further runs while their end, the element of the ref, is in view. */
function useMoreWhereRoom(runs: ReturnType<typeof useRuns>) {
  const [ref, isSeen] = useSeen();
  const { data, error, hasNextPage, isFetching, fetchNextPage } = runs;
  const pages = data?.pages.length ?? 0;
  const isWanted = isSeen && hasNextPage && !isFetching && !error && pages % mostAlone !== 0;
  useEffect(() => {
    if (isWanted) void fetchNextPage();
  }, [isWanted, pages, fetchNextPage]);
  return ref;
}

function Runs({ by, who, except }: { by: By; who: string | undefined; except: string | undefined }) {
  const { agents } = useTexts();
  const runs = useRuns(by, who);
  const ref = useMoreWhereRoom(runs);
  if (runs.error) return <Failure error={runs.error} again={() => void runs.refetch()} />;
  if (!runs.data) return undefined;
  const shown = runs.data.pages.flatMap(({ data }) => data);
  const more = runs.hasNextPage && (
    <p ref={ref}>
      <Button isWorking={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
        {agents.more}
      </Button>
    </p>
  );
  if (shown.length === 0) return <Empty action={more}>{nothingOf(by, runs.hasNextPage, agents)}</Empty>;
  return (
    <>
      {shown
        .filter(({ id }) => id !== except)
        .map((run) => (
          <RunCard key={run.id} run={run} isOpen={false} />
        ))}
      {more}
    </>
  );
}
