/** The tasks and notes of the demo. */
import type { JsonObject } from '../lib/json.ts';
import { titleOf } from '../operations/tasks-and-notes/note-title.ts';
import { between, happens, lottery, oneOf, shuffle } from './demo-chance.ts';
import { noteHeads, secrets, sentences, tasksToDo } from './demo-phrases.ts';
import { daysFrom } from './demo-text.ts';
import { after, daysAgo, workTime } from './demo-times.ts';

/** A record by object and index. */
export interface Linked {
  readonly type: 'contacts' | 'companies' | 'opportunities';
  readonly place: number;
}

/** The subject of a task or note. */
export interface Subject {
  readonly links: readonly Linked[];
  /** Names for the placeholders of phrases. */
  readonly names: Readonly<Record<'person' | 'company' | 'deal', string>>;
  /** The person's address; null if unknown. */
  readonly email: string | null;
  readonly phone: string | null;
  /** The owner; null for none. */
  readonly owner: string | null;
  /** When all its records existed, and until when there was work, in milliseconds. */
  readonly from: number;
  readonly until: number;
  readonly isOpen: boolean;
}

export interface PlannedTask {
  readonly at: number;
  readonly by: string;
  readonly links: readonly Linked[];
  readonly values: JsonObject & { readonly title: string; readonly assigned_to_id: string };
  /** When the assignee completed it; null for an open task. */
  readonly completedAt: number | null;
}

export interface PlannedNote {
  readonly at: number;
  readonly by: string;
  readonly links: readonly Linked[];
  readonly title: string;
  readonly content: string;
  readonly visibility: 'workspace' | 'private';
  readonly mentioned: readonly string[];
}

const doneCount = 300;
/** Open tasks: their number, and their due dates in days from today. */
const open: readonly { readonly count: number; readonly due: readonly [from: number, to: number] }[] = [
  { count: 26, due: [-21, -1] },
  { count: 14, due: [0, 0] },
  { count: 22, due: [1, 6] },
  { count: 38, due: [7, 40] },
];
const noteCount = 300;
/** The most characters of a title, below the limit of titles; longer phrases are not used. */
const longestTitle = 78;

/** Makes the tasks, with unique titles. `owners` are user ids. */
export function makeTasks(
  subjects: readonly Subject[],
  owners: readonly string[],
  today: Date,
): readonly PlannedTask[] {
  shuffle(10);
  const taken = new Set<string>();
  const kindAt = lottery(tasksToDo.map(({ weight }) => weight));
  const planned = (subject: Subject, title: string, action: string, at: number, due: string): PlannedTask => {
    const by = subject.owner ?? oneOf(owners);
    const values = {
      title,
      due_date: happens(0.7) ? due : `${due}T${String(between(8, 17)).padStart(2, '0')}:00:00Z`,
      priority: happens(0.2) ? null : oneOf(['low', 'medium', 'medium', 'urgent']),
      action_type: action,
      assigned_to_id: happens(0.8) ? by : oneOf(owners),
    };
    return { at, by, links: subject.links, values, completedAt: null };
  };
  const next = (among: readonly Subject[]) => {
    for (;;) {
      const subject = oneOf(among);
      const kind = tasksToDo[kindAt()];
      const title = kind && phrase(oneOf(kind.titles), subject, taken);
      if (title !== undefined) return { subject, title, action: kind?.action ?? '' };
    }
  };
  const done = Array.from({ length: doneCount }, () => {
    const { subject, title, action } = next(subjects);
    const at = timeWithin(subject, today);
    const days = between(1, 12);
    const due = daysFrom(new Date(at), days);
    const completedAt = after(at, workTime(today, daysAgo(today, at) - days + between(-3, 2)));
    return { ...planned(subject, title, action, at, due), completedAt };
  });
  const current = subjects.filter(({ isOpen }) => isOpen);
  const undone = open.flatMap(({ count, due: [from, to] }) =>
    Array.from({ length: count }, () => {
      const { subject, title, action } = next(current);
      const due = between(from, to);
      const at = after(subject.from, workTime(today, between(1, 12) + Math.max(0, -due)));
      return planned(subject, title, action, at, daysFrom(today, due));
    }),
  );
  return [...done, ...undone];
}

/** Makes the notes, with titles unique per author. */
export function makeNotes(
  subjects: readonly Subject[],
  owners: readonly string[],
  today: Date,
): readonly PlannedNote[] {
  shuffle(11);
  const taken = new Set<string>();
  const notes: PlannedNote[] = [];
  while (notes.length < noteCount) {
    const subject = oneOf(subjects);
    const head = phrase(oneOf(noteHeads), subject, taken);
    if (head === undefined) continue;
    const by = subject.owner ?? oneOf(owners);
    const isPrivate = happens(0.22);
    const text = isPrivate
      ? [oneOf(secrets)]
      : [...new Set(Array.from({ length: between(1, 3) }, () => oneOf(sentences)))];
    notes.push({
      at: timeWithin(subject, today),
      by,
      links: subject.links,
      title: titleOf(head),
      content: `<p><strong>${escaped(head)}</strong></p>${text.map((each) => `<p>${each}</p>`).join('')}`,
      visibility: isPrivate ? 'private' : 'workspace',
      mentioned: !isPrivate && happens(0.1) ? [oneOf(owners.filter((id) => id !== by))] : [],
    });
  }
  return notes;
}

/** The phrase with names filled in; undefined if it is too long or taken. */
function phrase(template: string, { names }: Subject, taken: Set<string>): string | undefined {
  const text = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name as keyof typeof names]);
  if (text.length > longestTitle || taken.has(text)) return undefined;
  taken.add(text);
  return text;
}

/** A time within the subject's period. */
function timeWithin({ from, until }: Subject, today: Date): number {
  return after(
    from,
    workTime(today, between(daysAgo(today, until), Math.max(daysAgo(today, until), daysAgo(today, from)))),
  );
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
