import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { lazyPart } from '../app/lazy-part.ts';
import { kith, messageOf } from '../api/kith.ts';
import { keys, queries } from '../api/queries.ts';
import { useKeys } from '../app/keys.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { toast } from '../ui/toasts.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import form from '../ui/form.module.css';
import type { Computed } from './chart-data.ts';
import { Tile } from './tile.tsx';
import { useDashboards } from './use-dashboards.ts';
import overview from '../ui/overview.module.css';
import styles from './dashboards.module.css';

const NewChart = lazyPart(
  () => import('./new-chart.tsx'),
  (file) => file.NewChart,
);
const DeleteDashboard = lazyPart(
  () => import('./delete-dashboard.tsx'),
  (file) => file.DeleteDashboard,
);

const periods = ['previous_month', 'previous_quarter', 'previous_year'] as const;

/** One dashboard with its current charts. */
export function DashboardPage() {
  const { shell, dashboards } = useTexts();
  const { id = '' } = useParams({ strict: false });
  const [over, setOver] = useState<'chart' | 'delete'>();
  const { period: wanted } = useSearch({ strict: false });
  const period = periods.find((one) => one === wanted);
  const data = useQuery({
    queryKey: [...keys.dashboards, id, period],
    queryFn: () => kith.dashboards.compute(id, { ...(period && { comparison_period: period }) }),
    placeholderData: keepPreviousData,
  });
  const mayRemove = useMayRemove(id);
  const name = data.data?.name ?? shell.dashboards;
  useTitle(name);
  useKeys([{ keys: 'n', label: dashboards.newChart, run: () => setOver('chart') }]);
  const close = () => setOver(undefined);
  const add = (
    <Button icon={<Plus size={14} />} onClick={() => setOver('chart')}>
      {dashboards.addChart}
    </Button>
  );
  return (
    <>
      <TopBar title={name} chooser={<Chooser id={id} />}>
        {data.data?.charts.some(({ comparison }) => comparison) && <PeriodChoice period={period} />}
        <span className={styles.space} />
        {mayRemove && (
          <Button
            kind="bare"
            aria-label={dashboards.deleteAll}
            icon={<Trash2 size={14} />}
            onClick={() => setOver('delete')}
          />
        )}
        {data.data && add}
      </TopBar>
      <div className={overview.page}>
        {data.error && <Failure error={data.error} again={() => void data.refetch()} />}
        {data.data?.charts.length === 0 && <Empty>{dashboards.noCharts}</Empty>}
        <div className={styles.tiles}>
          {data.data?.charts.map((chart) => (
            <Tile
              key={chart.id}
              chart={chart}
              remove={mayRemove ? () => void takeOff(id, chart, dashboards, shell) : undefined}
            />
          ))}
        </div>
      </div>
      {over === 'chart' && <NewChart dashboard={id} close={close} />}
      {over === 'delete' && <DeleteDashboard id={id} name={name} close={close} />}
    </>
  );
}

/** Overrides the period that charts compare, for this reader only. */
function PeriodChoice({ period }: { period: (typeof periods)[number] | undefined }) {
  const { dashboards } = useTexts();
  const navigate = useNavigate();
  const select = useRef<HTMLSelectElement>(null);
  useKeys([{ keys: 'p', label: dashboards.comparedPeriod, run: () => select.current?.focus() }]);
  const go = (chosen: string) =>
    void navigate({ to: '.', search: (was) => ({ ...was, period: chosen || undefined }), replace: true });
  return (
    <select
      ref={select}
      className={`${form.select} ${styles.chooser}`}
      aria-label={dashboards.comparedPeriod}
      value={period ?? ''}
      onChange={({ target }) => go(target.value)}
    >
      <option value="">{dashboards.periodOfEach}</option>
      {periods.map((one) => (
        <option key={one} value={one}>
          {dashboards.againstPeriod(dashboards.periods[one] ?? one)}
        </option>
      ))}
    </select>
  );
}

/** Switches to another dashboard. */
function Chooser({ id }: { id: string }) {
  const { dashboards } = useTexts();
  const navigate = useNavigate();
  const list = useDashboards();
  return (
    <select
      className={styles.title}
      aria-label={dashboards.which}
      value={id}
      onChange={({ target }) =>
        void (target.value === ''
          ? navigate({ to: '/dashboards' })
          : navigate({ to: '/dashboards/$id', params: { id: target.value } }))
      }
    >
      {list.data?.data.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name}
        </option>
      ))}
      <option value="">{dashboards.all}</option>
    </select>
  );
}

function useMayRemove(id: string): boolean {
  const { reader, userId } = useWorkspace();
  const list = useDashboards();
  return reader.isAdmin || list.data?.data.find((one) => one.id === id)?.owner === userId;
}

type Texts = ReturnType<typeof useTexts>;

/** Removes a chart; undo adds it at the end. */
async function takeOff(id: string, chart: Computed, texts: Texts['dashboards'], shell: Texts['shell']): Promise<void> {
  const fresh = () => queries.invalidateQueries({ queryKey: keys.dashboards });
  const fail = (error: unknown) => toast({ text: messageOf(error), isBad: true });
  try {
    await kith.charts.delete(id, chart.id);
    const again = () => void kith.charts.create(id, definitionOf(chart)).then(fresh, fail);
    // A chart that shows nothing to the reader cannot be added again: its definition is not known.
    const action = chart.error === undefined ? { action: { label: shell.undo, run: again } } : {};
    toast({ text: texts.chartGone(chart.title), ...action });
  } catch (error) {
    fail(error);
  }
  await fresh();
}

function definitionOf(chart: Computed): Parameters<typeof kith.charts.create>[1] {
  const { title, object_name: object = '', chart_type, metric_field, aggregation, group_by, bucket, filters } = chart;
  return {
    title,
    object_name: object,
    chart_type,
    ...(metric_field && { metric_field }),
    ...(aggregation && { aggregation }),
    ...(group_by && { group_by }),
    ...(bucket && { bucket }),
    ...(filters && { filters }),
    ...(chart.comparison && { comparison: true }),
    ...(chart.comparison_period && { comparison_period: chart.comparison_period }),
    ...(chart.date_field && { date_field: chart.date_field }),
  };
}
