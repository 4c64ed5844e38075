import { Link, useNavigate } from '@tanstack/react-router';
import { kith } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useTitle } from '../app/use-title.ts';
import { useTexts } from '../i18n/language.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { NewByName } from '../ui/new-by-name.tsx';
import { RowLines } from '../ui/row-lines.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import overview from '../ui/overview.module.css';
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
      <div className={overview.page}>
        <NewDashboard />
        {list.error && <Failure error={list.error} again={() => void list.refetch()} />}
        {list.isPending && <RowLines count={4} />}
        {list.data?.total === 0 && <Empty>{dashboards.none}</Empty>}
        <ul className={styles.list}>
          {list.data?.data.map(({ id, name, charts, owner_display: owner }) => (
            <li key={id}>
              <Link to="/dashboards/$id" params={{ id }} className={`${overview.row} ${styles.row}`}>
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
  const { dashboards } = useTexts();
  const navigate = useNavigate();
  const create = async (name: string) => {
    const { id } = await kith.dashboards.create({ name });
    await queries.invalidateQueries({ queryKey: keys.dashboards });
    await navigate({ to: '/dashboards/$id', params: { id } });
  };
  return <NewByName action={dashboards.create} label={dashboards.name} create={create} />;
}
