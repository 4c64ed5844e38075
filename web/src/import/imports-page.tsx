import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import form from '../ui/form.module.css';
import { DropZone } from './drop-zone.tsx';
import { EarlierImports } from './earlier-imports.tsx';
import { analyzeFile } from './read-file.ts';
import styles from './import.module.css';

/** Starts an import, and lists earlier ones. `?object=` preselects the object. */
export function ImportsPage() {
  const { shell, imports } = useTexts();
  const { reader } = useWorkspace();
  useTitle(shell.imports);
  return (
    <>
      <TopBar title={shell.imports} />
      <div className={styles.scroll}>{reader.isAdmin ? <Imports /> : <Empty>{imports.adminsOnly}</Empty>}</div>
    </>
  );
}

function Imports() {
  const { imports } = useTexts();
  const { wanted, choices, choose } = useWanted();
  const { read, reading, error } = useReading(wanted);
  const list = useQuery({
    queryKey: [...keys.imports, 'list'],
    queryFn: () => kith.imports.list({ limit: 50 }),
    // Polls while imports are running.
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'queued' || status === 'running') ? 1_000 : false,
  });
  return (
    <div className={styles.start}>
      <label className={`${form.field} ${styles.into}`}>
        <span className={form.name}>{imports.into}</span>
        <select className={form.select} value={wanted} onChange={({ target }) => choose(target.value)}>
          {choices.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <DropZone read={read} reading={reading} problem={error === undefined ? undefined : messageOf(error)} />
      <h2>{imports.earlier}</h2>
      {list.error ? (
        <Failure error={list.error} again={() => void list.refetch()} />
      ) : (
        list.data && <EarlierImports items={list.data.data} />
      )}
    </div>
  );
}

function useWanted() {
  const { objects, permissions } = useWorkspace();
  const { object } = useSearch({ strict: false });
  const navigate = useNavigate();
  const choices = [...objects.values()].filter(
    ({ name }) => permissions[name]?.create && name !== 'tasks' && name !== 'notes',
  );
  const wanted = choices.find(({ name }) => name === object)?.name ?? choices[0]?.name ?? '';
  return {
    wanted,
    choices,
    choose: (name: string) => void navigate({ to: '/import', search: { object: name }, replace: true }),
  };
}

/** Sends a chosen, dropped or pasted file to the service and opens its import. */
function useReading(object: string) {
  const { imports } = useTexts();
  const navigate = useNavigate();
  const [reading, setReading] = useState<string>();
  const [error, setError] = useState<unknown>();
  const read = async (file: File) => {
    setError(undefined);
    setReading(file.name);
    try {
      const { import_job_id: job } = await analyzeFile(file, object);
      await queries.invalidateQueries({ queryKey: keys.imports });
      await navigate({ to: '/import/$job', params: { job } });
    } catch (problem) {
      setError(problem);
    } finally {
      setReading(undefined);
    }
  };
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      if (target instanceof HTMLInputElement) return;
      const [file] = clipboardData?.files ?? [];
      const text = clipboardData?.getData('text/plain') ?? '';
      if (file) void read(file);
      else if (text.includes('\n')) void read(new File([text], `${imports.pasted}.csv`, { type: 'text/csv' }));
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  });
  return { read, reading, error };
}
