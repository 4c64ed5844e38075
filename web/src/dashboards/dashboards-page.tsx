import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState, type SyntheticEvent } from 'react';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useKeys } from '../app/keys.ts';
import { useTitle } from '../app/use-title.ts';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import form from '../ui/form.module.css';
import { useDashboards } from './use-dashboards.ts';
import styles from './dashboards.module.css';

/** All dashboards, and a name for a new one. */
export function DashboardsPage() {
  const { shell, dashboards } = useTexts();
  useTitle(shell.dashboards);
  const list = useDashboards();
  return (
    <>
      <TopBar title={shell.dashboards} />
      <div className={styles.page}>
        <NewDashboard />
        {list.error && <Failure error={list.error} again={() => void list.refetch()} />}
        {list.data?.total === 0 && <Empty>{dashboards.none}</Empty>}
        <ul className={styles.list}>
          {list.data?.data.map(({ id, name, charts, owner_display: owner }) => (
            <li key={id}>
              <Link to="/dashboards/$id" params={{ id }} className={styles.row}>
                <b className="clip">
                  <bdi>{name}</bdi>
                </b>
                <span className="dim">{dashboards.charts(charts.length)}</span>
                <bdi className="dim">{owner}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

function NewDashboard() {
  const { dashboards, shell } = useTexts();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  useKeys([{ keys: 'c', label: dashboards.create, run: () => input.current?.focus() }]);
  const create = async (event: SyntheticEvent) => {
    event.preventDefault();
    setProblem(undefined);
    try {
      const { id } = await kith.dashboards.create({ name: name.trim() });
      await queries.invalidateQueries({ queryKey: keys.dashboards });
      await navigate({ to: '/dashboards/$id', params: { id } });
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <form className={styles.create} onSubmit={(event) => void create(event)}>
      <input
        ref={input}
        className={form.input}
        aria-label={dashboards.name}
        placeholder={dashboards.name}
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit">{shell.create}</Button>
      {problem !== undefined && (
        <p role="alert" className={form.error}>
          {problem}
        </p>
      )}
    </form>
  );
}
