/** Parses days, times and durations as people type them, in English or German. Ambiguous input is refused, not guessed. */

const dayWords: readonly (readonly string[])[] = [
  ['sunday', 'sonntag'],
  ['monday', 'montag'],
  ['tuesday', 'dienstag'],
  ['wednesday', 'mittwoch'],
  ['thursday', 'donnerstag'],
  ['friday', 'freitag'],
  ['saturday', 'samstag', 'sonnabend'],
];

const monthWords: readonly (readonly string[])[] = [
  ['january', 'januar', 'jänner'],
  ['february', 'februar', 'feber'],
  ['march', 'märz', 'maerz'],
  ['april'],
  ['may', 'mai'],
  ['june', 'juni'],
  ['july', 'juli'],
  ['august'],
  ['september'],
  ['october', 'oktober'],
  ['november'],
  ['december', 'dezember'],
];

const near: Readonly<Record<string, number>> = {
  today: 0,
  heute: 0,
  tod: 0,
  tomorrow: 1,
  tom: 1,
  morgen: 1,
  übermorgen: 2,
  uebermorgen: 2,
  yesterday: -1,
  gestern: -1,
  vorgestern: -2,
};

const units: Readonly<Record<string, 'day' | 'week' | 'month' | 'year'>> = {
  d: 'day',
  day: 'day',
  days: 'day',
  tag: 'day',
  tage: 'day',
  tagen: 'day',
  w: 'week',
  week: 'week',
  weeks: 'week',
  woche: 'week',
  wochen: 'week',
  month: 'month',
  months: 'month',
  monat: 'month',
  monate: 'month',
  monaten: 'month',
  year: 'year',
  years: 'year',
  jahr: 'year',
  jahre: 'year',
  jahren: 'year',
};

const counts: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  ein: 1,
  eine: 1,
  einem: 1,
  einer: 1,
  two: 2,
  zwei: 2,
  three: 3,
  drei: 3,
};
const [next, last] = [
  /^(next|nächste[rnsm]?|naechste[rnsm]?|kommende[rnsm]?) /,
  /^(last|letzte[rnsm]?|vorige[rnsm]?) /,
];

/** The day as YYYY-MM-DD; undefined if it cannot be parsed. */
export function dayIn(text: string, now: Date): string | undefined {
  const said = text.trim().toLowerCase().replace(/[,]/g, ' ').replace(/\s+/g, ' ');
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const found =
    byNumbers(said, today) ??
    byMonth(said, today) ??
    byNearWord(said, today) ??
    byCount(said, today) ??
    byWeekday(said, today);
  return found && isoDay(found);
}

/** A date and time for the service; without a time, the beginning of the day. */
export function momentIn(text: string, now: Date): string | undefined {
  if (/^\d{4}-\d\d-\d\dt\d\d:\d\d/i.test(text.trim())) {
    const given = new Date(text.trim());
    return Number.isNaN(given.valueOf()) ? undefined : given.toISOString();
  }
  const [, before = '', hour, minute, half] =
    /^(.*?)(?:^|\s)(?:at |um )?(\d{1,2})(?::(\d\d))?\s*(am|pm|uhr|h)?$/i.exec(text.trim()) ?? [];
  const isTime = hour !== undefined && (minute !== undefined || half !== undefined);
  const day = isTime ? (before.trim() === '' ? isoDay(now) : dayIn(before, now)) : dayIn(text, now);
  if (day === undefined) return undefined;
  if (!isTime) return new Date(`${day}T00:00`).toISOString();
  const hours = hourOf(Number(hour), half?.toLowerCase());
  if (hours > 23 || Number(minute ?? 0) > 59) return undefined;
  return new Date(`${day}T${two(hours)}:${minute ?? '00'}`).toISOString();
}

const secondsOf: Readonly<Record<string, number>> = {
  d: 86_400,
  day: 86_400,
  days: 86_400,
  tag: 86_400,
  tage: 86_400,
  h: 3600,
  hr: 3600,
  std: 3600,
  hour: 3600,
  hours: 3600,
  stunde: 3600,
  stunden: 3600,
  m: 60,
  min: 60,
  minute: 60,
  minutes: 60,
  minuten: 60,
  s: 1,
  sec: 1,
  sek: 1,
  second: 1,
  seconds: 1,
  sekunde: 1,
  sekunden: 1,
};

/** A duration in seconds: `4 h 20 min`, `1:30` (hours and minutes), `90` (minutes). */
export function secondsIn(text: string): number | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/,(?=\d)/g, '.');
  const clock = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(said);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  if (/^\d+(\.\d+)?$/.test(said)) return Number(said) * 60;
  if (!/^(\d+(\.\d+)?\s*[a-z]+\.?\s*)+$/.test(said)) return undefined;
  let sum = 0;
  for (const [, count, unit = ''] of said.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const seconds = secondsOf[unit];
    if (seconds === undefined) return undefined;
    sum += Number(count) * seconds;
  }
  return sum;
}

function byNumbers(said: string, today: Date): Date | undefined {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(said);
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const dots = /^(\d{1,2})\.\s?(\d{1,2})\.?\s?(\d{2,4})?$/.exec(said);
  if (dots) return dateOf(yearOf(dots[3], today), Number(dots[2]), Number(dots[1]));
  const slashes = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2,4}))?$/.exec(said);
  if (!slashes) return undefined;
  const [first, second, year] = [Number(slashes[1]), Number(slashes[2]), yearOf(slashes[3], today)];
  if (first === second) return dateOf(year, first, second);
  const readings = [dateOf(year, first, second), dateOf(year, second, first)].filter((date) => date !== undefined);
  return readings.length === 1 ? readings[0] : undefined;
}

function byMonth(said: string, today: Date): Date | undefined {
  const [, day = '', name = '', year] =
    /^(\d{1,2})(?:st|nd|rd|th|\.)?\s?(?:of )?(\p{L}{3,})\.?\s?(\d{2,4})?$/u.exec(said) ??
    swapped(/^(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th|\.)?(?: (\d{4}))?$/u.exec(said));
  const month = indexOf(monthWords, name);
  return month === undefined ? undefined : dateOf(yearOf(year, today), month + 1, Number(day));
}

function swapped(found: RegExpExecArray | null): (string | undefined)[] {
  return found ? [found[0], found[2], found[1], found[3]] : [];
}

function byNearWord(said: string, today: Date): Date | undefined {
  const days = Object.hasOwn(near, said) ? near[said] : undefined;
  return days === undefined ? undefined : moved(today, 'day', days);
}

function byCount(said: string, today: Date): Date | undefined {
  const ahead = /^(?:in )?(\d+|\p{L}+)\s?(\p{L}+)$/u.exec(said);
  const ago = /^(\d+|\p{L}+)\s?(\p{L}+) ago$|^vor (\d+|\p{L}+)\s?(\p{L}+)$/u.exec(said);
  const [count, unit] = ago ? [ago[1] ?? ago[3], ago[2] ?? ago[4]] : [ahead?.[1], ahead?.[2]];
  const turned = next.test(said) ? 1 : last.test(said) ? -1 : undefined;
  if (turned !== undefined) {
    const named = units[said.replace(next, '').replace(last, '')];
    return named && moved(today, named, turned);
  }
  const number =
    count !== undefined && /^\d/.test(count)
      ? Number(count)
      : Object.hasOwn(counts, count ?? '')
        ? counts[count ?? '']
        : undefined;
  const named = Object.hasOwn(units, unit ?? '') ? units[unit ?? ''] : undefined;
  return number === undefined || named === undefined || number > 100_000
    ? undefined
    : moved(today, named, ago ? -number : number);
}

function byWeekday(said: string, today: Date): Date | undefined {
  const isLast = last.test(said);
  const name = said
    .replace(next, '')
    .replace(last, '')
    .replace(/^(on|am) /, '')
    .replace(/\.$/, '');
  const day = indexOf(dayWords, name, 2);
  if (day === undefined) return undefined;
  const ahead = (day - today.getDay() + 7) % 7 || 7;
  return moved(today, 'day', isLast ? (ahead === 7 ? -7 : ahead - 7) : ahead);
}

/** The index of the word that begins so, given at least `shortest` letters; undefined if there are two. */
function indexOf(words: readonly (readonly string[])[], begun: string, shortest = 3): number | undefined {
  if (begun.length < shortest) return undefined;
  const found = words.flatMap((names, index) => (names.some((name) => name.startsWith(begun)) ? index : []));
  return found.length === 1 ? found[0] : undefined;
}

function moved(from: Date, unit: 'day' | 'week' | 'month' | 'year', count: number): Date {
  const [year, month, day] = [from.getFullYear(), from.getMonth(), from.getDate()];
  if (unit === 'day' || unit === 'week') return new Date(year, month, day + count * (unit === 'week' ? 7 : 1));
  const months = unit === 'year' ? count * 12 : count;
  const lastDay = new Date(year, month + months + 1, 0).getDate();
  return new Date(year, month + months, Math.min(day, lastDay));
}

function yearOf(year: string | undefined, today: Date): number {
  if (year === undefined) return today.getFullYear();
  if (year.length > 2) return Number(year);
  const full = 2000 + Number(year);
  return full > today.getFullYear() + 20 ? full - 100 : full;
}

/** Undefined if there is no such date. */
function dateOf(year: number, month: number, day: number): Date | undefined {
  const date = new Date(2000, 0, 1);
  date.setFullYear(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined;
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === 'pm') return hour === 12 ? 12 : hour + 12;
  return half === 'am' && hour === 12 ? 0 : hour;
}

function isoDay(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
