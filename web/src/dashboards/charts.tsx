/** Charts as SVG. Each bar links to its records, and each value is also text. */
import { Link } from '@tanstack/react-router';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { Dot, colorAt } from '../ui/chip.tsx';
import type { Bar, Drawing } from './chart-data.ts';
import styles from './dashboards.module.css';

/** Groups that are drawn; the table has all. */
const mostBars = 8;
const mostSlices = 6;

interface ChartProps {
  readonly object: string;
  readonly title: string;
  readonly drawing: Drawing;
}

/** Horizontal bars, the largest group first; the previous period is a thin line below its bar. */
export function Bars({ object, drawing }: ChartProps) {
  const { dashboards } = useTexts();
  const shown = drawing.bars.slice(0, mostBars);
  const most = Math.max(0, ...shown.flatMap(({ value = 0, previous = 0 }) => [value, previous]));
  return (
    <>
      <ul className={styles.bars}>
        {shown.map((bar) => (
          <li key={bar.key}>
            <Link to="/r/$object" params={{ object }} search={{ f: bar.filter }} className={styles.bar}>
              <bdi className="clip">{bar.label}</bdi>
              <BarLine bar={bar} most={most} />
              <Amount bar={bar} currency={drawing.currency} />
            </Link>
          </li>
        ))}
      </ul>
      {drawing.bars.length > mostBars && (
        <p className="hint">{dashboards.moreGroups(drawing.bars.length - mostBars)}</p>
      )}
    </>
  );
}

function BarLine({ bar: { value, previous }, most }: { bar: Bar; most: number }) {
  const width = (part: number | undefined) => `${most > 0 ? (Math.max(0, part ?? 0) / most) * 100 : 0}%`;
  return (
    <svg className={styles.line} aria-hidden="true">
      <rect className={styles.ground} width="100%" height="12" rx="2" />
      <rect className={styles.fill} width={width(value)} height="12" rx="2" />
      {previous !== undefined && <rect className={styles.was} y="14" width={width(previous)} height="3" rx="1" />}
    </svg>
  );
}

function Amount({ bar, currency }: { bar: Bar; currency: string | undefined }) {
  const formats = useFormats();
  const drawn = currency !== undefined && bar.value !== undefined ? formats.shortMoney(bar.value, currency) : bar.text;
  return (
    <span className={`${styles.amount} numeric`} title={bar.text}>
      {drawn}
    </span>
  );
}

const [width, height, foot] = [600, 180, 22];

/** Columns in order of time; the previous period is drawn behind as outlines. */
export function Columns({ object, title, drawing }: ChartProps) {
  const { dashboards } = useTexts();
  const formats = useFormats();
  const { bars, currency } = drawing;
  const most = Math.max(1, ...bars.flatMap(({ value = 0, previous = 0 }) => [value, previous]));
  const step = width / Math.max(1, bars.length);
  const [tall, every] = [height - foot, Math.ceil(bars.length / 8)];
  const short = (n: number) =>
    currency === undefined ? formats.number(Math.round(n)) : formats.shortMoney(n, currency);
  return (
    <svg
      className={styles.columns}
      viewBox={`-52 -8 ${width + 56} ${height + 8}`}
      role="group"
      aria-label={dashboards.chartOf(title, bars.length)}
    >
      {[0, 0.5, 1].map((part) => (
        <g key={part} aria-hidden="true">
          <line className={styles.grid} x1="0" x2={width} y1={tall * (1 - part)} y2={tall * (1 - part)} />
          <text className={styles.tick} x="-6" y={tall * (1 - part) + 4} textAnchor="end">
            {short(most * part)}
          </text>
        </g>
      ))}
      {bars.map((bar, at) => (
        <Column key={bar.key} object={object} bar={bar} at={at} step={step} most={most} isNamed={at % every === 0} />
      ))}
    </svg>
  );
}

interface ColumnProps {
  readonly object: string;
  readonly bar: Bar;
  readonly at: number;
  readonly step: number;
  readonly most: number;
  readonly isNamed: boolean;
}

function Column({ object, bar, at, step, most, isNamed }: ColumnProps) {
  const tall = height - foot;
  const part = (n: number | undefined) => (Math.max(0, n ?? 0) / most) * tall;
  const [ghost, full] = [part(bar.previous), part(bar.value)];
  const said = `${bar.label}: ${bar.text}`;
  return (
    <Link to="/r/$object" params={{ object }} search={{ f: bar.filter }} aria-label={said} className={styles.column}>
      <title>{said}</title>
      <rect className={styles.area} x={at * step} width={step} height={tall} />
      {bar.previous !== undefined && (
        <rect className={styles.ghost} x={(at + 0.12) * step} width={step * 0.76} y={tall - ghost} height={ghost} />
      )}
      <rect className={styles.fill} x={(at + 0.2) * step} width={step * 0.6} y={tall - full} height={full} rx="2" />
      {isNamed && (
        <text className={styles.tick} x={(at + 0.5) * step} y={height - 4} textAnchor="middle" aria-hidden="true">
          {bar.label}
        </text>
      )}
    </Link>
  );
}

const [radius, thick] = [54, 17];

/** A ring of the largest groups, with the others as one, and a legend with values. */
export function Doughnut({ object, title, drawing }: ChartProps) {
  const { dashboards } = useTexts();
  const formats = useFormats();
  const slices = slicesOf(drawing.bars, dashboards.others);
  const total = slices.reduce((sum, { value = 0 }) => sum + Math.max(0, value), 0);
  const round = 2 * Math.PI * radius;
  let from = 0;
  const written = (n: number) =>
    drawing.currency === undefined
      ? formats.number(Math.round(n * 100) / 100)
      : formats.shortMoney(n, drawing.currency);
  return (
    <div className={styles.ring}>
      <svg viewBox="-64 -64 128 128" role="img" aria-label={dashboards.chartOf(title, slices.length)}>
        <g transform="rotate(-90)">
          {slices.map(({ key, value = 0 }, at) => {
            const share = total > 0 ? (Math.max(0, value) / total) * round : 0;
            const start = from;
            from += share;
            return (
              <circle
                key={key}
                r={radius}
                fill="none"
                stroke={colorAt(at)}
                strokeWidth={thick}
                strokeDasharray={`${Math.max(0, share - 1)} ${round}`}
                strokeDashoffset={-start}
              />
            );
          })}
        </g>
        <text className={styles.total} textAnchor="middle" y="6">
          {written(total)}
        </text>
      </svg>
      <ul className={styles.legend}>
        {slices.map((bar, at) => (
          <li key={bar.key}>
            <Dot color={colorAt(at)} />
            {bar.filter === '' ? (
              <span>{bar.label}</span>
            ) : (
              <Link to="/r/$object" params={{ object }} search={{ f: bar.filter }} className="clip">
                <bdi>{bar.label}</bdi>
              </Link>
            )}
            <span className="numeric">{written(bar.value ?? 0)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function slicesOf(bars: readonly Bar[], others: string): readonly Bar[] {
  const drawn = bars.filter(({ value }) => value !== undefined && value > 0);
  if (drawn.length <= mostSlices) return drawn;
  const rest = drawn.slice(mostSlices - 1).reduce((sum, { value = 0 }) => sum + value, 0);
  const other = { key: 'others', label: others, value: rest, previous: undefined, text: '', previousText: undefined };
  return [...drawn.slice(0, mostSlices - 1), { ...other, filter: '' }];
}
