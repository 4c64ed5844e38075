/** The reader's background work, at the foot of the side bar on every page: its progress, a way to stop it, and its outcome. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Square } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { KithError, type JobsListItem } from '../../../client/index.js';
import { isToBeKept, kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts.tsx';
import styles from './going.module.css';
import { useIsLater } from './later.ts';
import { onChange } from './live.ts';
import { followWork, hearOf, over, stopWork, workOf, type LongWork } from './long-work.ts';
import { useWorkspace } from './workspace-context.tsx';

const lookMs = 1_000;
const mostShown = 5;

/** Shows all of it; nothing if no work is running. */
export function Going() {
  const { jobs } = useTexts();
  const announceEnd = useEffectEvent(useAnnounceEnd());
  const { data, dataUpdatedAt } = useQuery({
    queryKey: keys.jobs,
    enabled: useIsLater(),
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) => kith.jobs.list({ limit: 100 }, { signal }),
    refetchInterval: ({ state }) => (state.data?.data.length ? lookMs : false),
  });
  useHearing();
  const going = data?.data ?? [];
  useEffect(() => {
    if (data) for (const work of over(data.data.map(workOf))) void announceEnd(work);
  }, [data, dataUpdatedAt]);
  if (going.length === 0) return undefined;
  return (
    <section className={styles.going} aria-label={jobs.going}>
      {going.slice(0, mostShown).map((job) => (
        <Line key={job.id} job={job} />
      ))}
    </section>
  );
}

/** Work that was started in another browser is noticed by its changes. */
function useHearing(): void {
  const { userId } = useWorkspace();
  useEffect(() => {
    let last: string | undefined;
    return onChange(({ means, actor, change_set: set }) => {
      if (means !== 'job' || actor?.id !== userId || !set || set === last) return;
      last = set;
      hearOf(set);
    });
  }, [userId]);
}

function Line({ job }: { job: JobsListItem }) {
  const { jobs } = useTexts();
  const formats = useFormats();
  const { objects } = useWorkspace();
  const [isStopping, setStopping] = useState(false);
  const { done, total, action, object_name: object, error } = job;
  const what = (object !== null && objects.get(object)?.label) || jobs.records;
  const label = jobs.doing(action ?? 'import', what);
  const stop = async () => {
    setStopping(true);
    try {
      await stopWork(workOf(job));
      await queries.invalidateQueries({ queryKey: keys.jobs });
    } catch (wrong) {
      setStopping(false);
      toast({ text: messageOf(wrong), isBad: true });
    }
  };
  return (
    <div className={styles.line} title={error ?? `${label}: ${formats.number(done)} / ${formats.number(total)}`}>
      <bdi className={styles.label}>{label}</bdi>
      <span className={styles.percent}>{formats.percent(percentOf(job))}</span>
      <Button
        kind="bare"
        isWorking={isStopping}
        aria-label={`${jobs.stop}: ${label}`}
        title={jobs.stop}
        icon={<Square size={14} />}
        onClick={() => void stop()}
      />
      <progress max={total} value={done} aria-label={label} />
    </div>
  );
}

function percentOf({ done, total }: JobsListItem): number {
  return total === 0 ? 0 : Math.min(100, Math.floor((100 * done) / total));
}

/** Announces the outcome of finished work, with a link to it. */
function useAnnounceEnd(): (work: LongWork) => Promise<void> {
  const { jobs } = useTexts();
  const { objects, userId } = useWorkspace();
  const navigate = useNavigate();
  const leadingTo = (run: () => void) => ({ label: jobs.show, run });
  const announceBulk = async (id: string) => {
    const { status, error, outcome } = await kith.jobs.get(id);
    const { updated, processed, removed, deleted, restored, failed } = outcome;
    const changed = updated ?? processed ?? removed ?? deleted ?? restored ?? 0;
    const text = status === 'failed' ? `${jobs.failed} ${error}` : jobs.changed(status, changed, failed);
    const action = leadingTo(() => void navigate({ to: '/agents/$set', params: { set: id } }));
    toast({ text, isBad: status === 'failed', action });
  };
  const announceImport = async (id: string) => {
    const { status, error, outcome, object_name: object } = await kith.imports.get(id);
    const { created = 0, updated = 0, failed = 0 } = outcome ?? {};
    const label = objects.get(object)?.label ?? object;
    const text =
      status === 'failed' ? `${jobs.failed} ${error}` : jobs.imported(status, label, created + updated, failed);
    const action = leadingTo(() => void navigate({ to: '/import/$job', params: { job: id } }));
    toast({ text, isBad: status === 'failed', action });
  };
  return async (work) => {
    try {
      await (work.kind === 'bulk' ? announceBulk(work.id) : announceImport(work.id));
    } catch (error) {
      if (isToBeKept(error)) return followWork(work);
      if (work.isHeard) return undefined;
      // The service forgets finished work after a day, but keeps its changes.
      const action = leadingTo(() => void navigate({ to: '/agents', search: { by: 'people', who: userId } }));
      if (error instanceof KithError && error.code === 'RECORD_NOT_FOUND') toast({ text: jobs.over, action });
    }
    await queries.invalidateQueries();
  };
}
