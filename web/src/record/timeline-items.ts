/** Merges what happened around a record: messages, tasks, notes and changes. */
import type { ActivityRecordAnswer, RecordsHistoryItem } from '../../../client/index.js';
import { dayText } from '../values/whole-days.ts';

export type Activity = NonNullable<ActivityRecordAnswer['interactions']>['items'][number];

/** Changes by one author, close together. */
export interface Edits {
  readonly kind: 'changes';
  readonly id: string;
  readonly date: string;
  /** Newest first. */
  readonly entries: readonly RecordsHistoryItem[];
}

export type Item = Activity | Edits;

export type Part = 'overdue' | 'next' | 'week' | 'month' | 'year';

export interface Group {
  readonly part: Part;
  /** A date within the group's month or year. */
  readonly day: string;
  readonly items: readonly Item[];
}

const foldMs = 10 * 60_000;

/** Groups changes by the same author and means that follow each other within ten minutes. */
export function folded(entries: readonly RecordsHistoryItem[]): Edits[] {
  const all: { id: string; date: string; entries: RecordsHistoryItem[] }[] = [];
  for (const entry of entries) {
    if (entry.at === null) continue;
    const before = all.at(-1);
    const last = before?.entries.at(-1);
    if (before && last && isFoldable(last, entry)) before.entries.push(entry);
    else all.push({ id: `change-${entry.id}`, date: entry.at, entries: [entry] });
  }
  return all.map((edits) => ({ kind: 'changes', ...edits }));
}

function isFoldable(later: RecordsHistoryItem, earlier: RecordsHistoryItem): boolean {
  return (
    later.action === 'update' &&
    earlier.action === 'update' &&
    later.actor?.id === earlier.actor?.id &&
    later.agent === earlier.agent &&
    later.means === earlier.means &&
    Date.parse(later.at ?? '') - Date.parse(earlier.at ?? '') <= foldMs
  );
}

/** All items, latest first. Items older than the last loaded one of the other source are left out until it has loaded further. */
export function merged(
  activity: { readonly items: readonly Activity[]; readonly hasMore: boolean },
  edits: { readonly items: readonly Edits[]; readonly hasMore: boolean },
): Item[] {
  const oldest = (items: readonly Item[], hasMore: boolean) => (hasMore ? (items.at(-1)?.date ?? '') : '');
  const ends = [oldest(activity.items, activity.hasMore), oldest(edits.items, edits.hasMore)];
  const horizon = Math.max(...ends.map((end) => (end === '' ? -Infinity : Date.parse(end))));
  return [...activity.items, ...edits.items]
    .filter(({ date }) => Date.parse(date) >= horizon)
    .toSorted((a, b) => Date.parse(b.date) - Date.parse(a.date));
}

/** Groups: overdue, to do next, this week, months of this year, then years. */
export function grouped(items: readonly Item[], now: Date): Group[] {
  const groups: { part: Part; day: string; key: string; items: Item[] }[] = [];
  const open = Object.groupBy(items.filter(isOpen), (item) => (isOverdue(item, now) ? 'overdue' : 'next'));
  for (const part of ['overdue', 'next'] as const) {
    if (open[part]) groups.push({ part, day: '', key: part, items: open[part] });
  }
  for (const item of items) {
    if (isOpen(item)) continue;
    const [part, key] = partOf(new Date(item.date), now);
    const found = groups.find((group) => group.key === key);
    if (found) found.items.push(item);
    else groups.push({ part, day: item.date, key, items: [item] });
  }
  return groups.map(({ part, day, items: own }) => ({ part, day, items: own }));
}

function isOpen(item: Item): item is Activity {
  return item.kind === 'task' && item.status === 'open';
}

/** Due before today. */
function isOverdue({ due_date: due }: Activity, now: Date): boolean {
  return typeof due === 'string' && dayText(new Date(due)) < dayText(now);
}

function partOf(date: Date, now: Date): [Part, string] {
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7));
  if (date >= monday) return ['week', 'week'];
  if (date.getFullYear() === now.getFullYear()) return ['month', `month ${date.getMonth()}`];
  return ['year', `year ${date.getFullYear()}`];
}

/** The address of a participant. */
export function addressOf(participant: string): string {
  return (/<([^>]+)>\s*$/.exec(participant)?.[1] ?? participant).trim().toLowerCase();
}

/** The name of a participant; the address if there is none. */
export function participantName(participant: string): string {
  return /^\s*(.*?)\s*<[^>]+>\s*$/.exec(participant)?.[1]?.replaceAll('"', '') || participant;
}
