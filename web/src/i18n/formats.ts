/** Formats of numbers, money, dates and times in one language. */
export interface Formats {
  number(value: number | string): string;
  percent(value: number | string): string;
  /** Exact, with the currency's number of digits. */
  money(amount: number | string, currency: string): string;
  /** Abbreviated, for headings: €1.2M. */
  shortMoney(amount: number | string, currency: string): string;
  /** A date or time as a day; this year's without the year. */
  day(value: string): string;
  /** A day with its weekday. */
  longDay(value: string): string;
  /** A month with its year. */
  month(day: string): string;
  /** Weekday and day, within a known week: Mon 30. */
  weekDay(value: string): string;
  time(moment: string): string;
  moment(moment: string): string;
  /** Today, yesterday, in 3 days, else the day. */
  near(value: string): string;
  /** At most two units: 4 hr 20 min. */
  duration(seconds: number): string;
  list(items: readonly string[]): string;
  compare(a: string, b: string): number;
}

const dayMs = 86_400_000;

/** The formats of a language. */
export function formatsOf(language: string): Formats {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 4 });
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const lists = new Intl.ListFormat(language);
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  const [thisYear, otherYear] = [
    dates({ day: 'numeric', month: 'short' }),
    dates({ day: 'numeric', month: 'short', year: 'numeric' }),
  ];
  const long = dates({ weekday: 'long', day: 'numeric', month: 'long' });
  const month = dates({ month: 'short', year: 'numeric' });
  const week = dates({ weekday: 'short', day: 'numeric' });
  const time = dates({ hour: 'numeric', minute: '2-digit' });
  const day = (value: string) => {
    const date = dateOf(value);
    if (Number.isNaN(date.valueOf())) return value;
    return (date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(date);
  };
  const decimal = (value: number | string) => (typeof value === 'string' ? (value as `${number}`) : value);
  const money = (options: Intl.NumberFormatOptions) => {
    const made = new Map<string, Intl.NumberFormat>();
    return (amount: number | string, currency: string) => {
      try {
        const format =
          made.get(currency) ?? new Intl.NumberFormat(language, { style: 'currency', currency, ...options });
        made.set(currency, format);
        return format.format(decimal(amount));
      } catch {
        return `${number.format(decimal(amount))} ${currency}`; // the platform does not know the code
      }
    };
  };
  return {
    number: (value) => number.format(decimal(value)),
    percent: (value) => percent.format(Number(value) / 100),
    money: money({ trailingZeroDisplay: 'stripIfInteger' }),
    shortMoney: money({ notation: 'compact', maximumFractionDigits: 1 }),
    day,
    longDay: (value) => long.format(dateOf(value)),
    month: (value) => month.format(dateOf(value)),
    weekDay: (value) => week.format(dateOf(value)),
    time: (moment) => time.format(new Date(moment)),
    moment: (moment) => `${day(moment)} ${time.format(new Date(moment))}`,
    near(value) {
      const away = Math.round((startOfDay(dateOf(value)) - startOfDay(new Date())) / dayMs);
      return Math.abs(away) <= 1 || (away > 1 && away < 7) ? relative.format(away, 'day') : day(value);
    },
    duration: (seconds) => durationText(seconds, language),
    list: (items) => lists.format(items),
    compare: collator.compare,
  };
}

/** A date without time is midnight in the reader's zone, not in UTC. */
export function dateOf(value: string): Date {
  return new Date(/^\d{4}-\d\d-\d\d$/.test(value) ? `${value}T00:00` : value);
}

function startOfDay(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).valueOf();
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

function durationText(seconds: number, language: string): string {
  const written = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 3 }).format(
      value,
    );
  const size = Math.abs(seconds);
  const first = units.findIndex(([, length]) => size >= length);
  if (first === -1) return written(seconds, 'second');
  const [unit, length] = units[first] ?? units[3];
  const next = units[first + 1];
  if (!next) return written(seconds, unit);
  const whole = Math.floor(size / length) * Math.sign(seconds);
  const rest = Math.floor((size % length) / next[1]);
  return rest === 0 ? written(whole, unit) : `${written(whole, unit)} ${written(rest, next[0])}`;
}
