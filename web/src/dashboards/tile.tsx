import { Link } from '@tanstack/react-router';
import { ChartNoAxesColumn, Table2, X } from 'lucide-react';
import { useState } from 'react';
import { useObject } from '../app/workspace-context.tsx';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Bars, Columns, Doughnut } from './charts.tsx';
import { drawingOf, filterOf, textOf, type Computed } from './chart-data.ts';
import { ChartTable } from './chart-table.tsx';
import styles from './dashboards.module.css';

interface TileProps {
  readonly chart: Computed;
  /** Absent if the reader may not remove it. */
  readonly remove: (() => void) | undefined;
}

/** One chart, with its table. If it shows nothing to the reader, only the reason. */
export function Tile({ chart, remove }: TileProps) {
  const { dashboards } = useTexts();
  const formats = useFormats();
  const [isTable, setTable] = useState(false);
  const { title, error, period } = chart;
  const hasTable = error === undefined && chart.chart_type !== 'indicator';
  return (
    <section className={chart.chart_type === 'indicator' ? styles.small : styles.tile} aria-label={title}>
      <header className={styles.head}>
        <h2 className="clip" title={title}>
          <bdi>{title}</bdi>
        </h2>
        {period && <span className="hint">{dashboards.period(formats.day(period.from), formats.day(period.to))}</span>}
        {hasTable && (
          <Button
            kind="bare"
            aria-label={isTable ? dashboards.asChart(title) : dashboards.asTable(title)}
            icon={isTable ? <ChartNoAxesColumn size={14} /> : <Table2 size={14} />}
            onClick={() => setTable(!isTable)}
          />
        )}
        {remove && (
          <Button kind="bare" aria-label={dashboards.takeOff(title)} icon={<X size={14} />} onClick={remove} />
        )}
      </header>
      {error === undefined ? (
        <Shown chart={chart} isTable={isTable} />
      ) : (
        <div className={styles.refused}>
          <p>{dashboards.cannotShow}</p>
          <p className="hint">{error.message}</p>
        </div>
      )}
    </section>
  );
}

function Shown({ chart, isTable }: { chart: Computed; isTable: boolean }) {
  const { dashboards } = useTexts();
  const formats = useFormats();
  const name = chart.object_name ?? '';
  const object = useObject(name);
  const known = { object, formats, texts: dashboards };
  if (chart.chart_type === 'indicator') return <Indicator chart={chart} />;
  const drawing = drawingOf(chart, known);
  const props = { object: name, title: chart.title, drawing };
  if (drawing.bars.length === 0) return <p className="dim">{dashboards.nothing}</p>;
  const Chart = chart.chart_type === 'doughnut' ? Doughnut : chart.bucket ? Columns : Bars;
  return (
    <>
      {isTable ? <ChartTable {...props} /> : <Chart {...props} />}
      {drawing.currency !== undefined && drawing.otherCurrencies > 0 && !isTable && (
        <p className="hint">{dashboards.onlyCurrency(drawing.currency, drawing.otherCurrencies)}</p>
      )}
      {chart.truncated && <p className="hint">{dashboards.truncated}</p>}
    </>
  );
}

function Indicator({ chart }: { chart: Computed }) {
  const { dashboards } = useTexts();
  const formats = useFormats();
  const name = chart.object_name ?? '';
  const object = useObject(name);
  const known = { object, formats, texts: dashboards };
  const { previous, change_percent: change } = chart;
  const value = { value: chart.value, ...(chart.currencies && { currencies: chart.currencies }) };
  return (
    <>
      <p className={styles.big}>
        <Link to="/r/$object" params={{ object: name }} search={{ f: JSON.stringify(filterOf(chart, object)) }}>
          {textOf(chart, value, known)}
        </Link>
      </p>
      {previous && (
        <p className="dim">
          {typeof change === 'number' && !chart.currencies && (
            <b className={change < 0 ? styles.down : styles.up}>
              {change > 0 ? '+' : ''}
              {formats.percent(Math.round(change * 10) / 10)}{' '}
            </b>
          )}
          {dashboards.from(
            textOf(
              chart,
              { value: previous.value, ...(previous.currencies && { currencies: previous.currencies }) },
              known,
            ),
          )}
        </p>
      )}
    </>
  );
}
