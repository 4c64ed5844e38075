/** Creates tasks and notes in the names of their authors at their times; existing ones are left alone. */
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { whole } from '../lib/long-text.ts';
import { JsonText, type Answer } from '../operations/door/operation.ts';
import { createNote, listNotes } from '../operations/tasks-and-notes/notes.ts';
import { markAllNotifications } from '../operations/following/notifications.ts';
import { completeTask, createTask, listTasks } from '../operations/tasks-and-notes/tasks.ts';
import type { Ids } from './demo-data.ts';
import { doErrands, type DemoDesks, type Errand } from './demo-desks.ts';
import type { Linked, PlannedNote, PlannedTask } from './demo-follow-ups.ts';

export type IdsByObject = Readonly<Record<Linked['type'], Ids>>;

/** Creates all of them. Notifications up to `readAt` (milliseconds) are marked as read. */
export async function bringFollowUps(
  desks: DemoDesks,
  { tasks, notes }: { readonly tasks: readonly PlannedTask[]; readonly notes: readonly PlannedNote[] },
  ids: IdsByObject,
  readAt: number,
  stop: AbortSignal,
): Promise<void> {
  const errands = [...(await taskErrands(desks, tasks, ids)), ...(await noteErrands(desks, notes, ids))];
  const those = (holds: (errand: Errand) => boolean) => errands.map((matter) => matter.filter(holds));
  const earlier = those(({ at }) => at <= readAt);
  await doErrands(earlier, stop);
  if (earlier.some(({ length }) => length > 0)) {
    const readers = new Set([...tasks, ...notes].map(({ by }) => by));
    for (const reader of readers) await desks.perform(reader, readAt, markAllNotifications, { read: true });
  }
  await doErrands(
    those(({ at }) => at > readAt),
    stop,
  );
}

async function taskErrands(
  desks: DemoDesks,
  tasks: readonly PlannedTask[],
  ids: IdsByObject,
): Promise<readonly (readonly Errand[])[]> {
  const list = (cursor?: string) => desks.perform(null, Date.now(), listTasks, { limit: 100, cursor });
  const kept = new Map((await everyRow(list)).map((row) => [row['title'], row]));
  return tasks.map(({ at, by, links, values, completedAt }) => {
    const known = kept.get(values.title);
    let id = known && String(known['id']);
    const isDone = known !== undefined && known['is_completed'] !== false;
    const create = async () => {
      const linked = linkedEntities(links, ids);
      id = (await desks.perform(by, at, createTask, { ...values, linked_entities: linked })).task_id;
    };
    const complete = async () => {
      await desks.perform(values.assigned_to_id, completedAt ?? at, completeTask, { id });
    };
    return [
      ...(known ? [] : [{ at, run: create }]),
      ...(isDone || completedAt === null ? [] : [{ at: completedAt, run: complete }]),
    ];
  });
}

async function noteErrands(
  desks: DemoDesks,
  notes: readonly PlannedNote[],
  ids: IdsByObject,
): Promise<readonly (readonly Errand[])[]> {
  const kept = new Set<string>();
  // Private notes are visible to their author only.
  for (const author of new Set(notes.map(({ by }) => by))) {
    const list = (cursor?: string) => desks.perform(author, Date.now(), listNotes, { limit: 100, cursor });
    for (const { title } of await everyRow(list)) kept.add(String(title));
  }
  return notes.map(({ at, by, links, title, content, visibility, mentioned }) => {
    if (kept.has(title)) return [];
    const run = async () => {
      const note = { content, data: { visibility }, mentioned_user_ids: mentioned };
      await desks.perform(by, at, createNote, { ...note, linked_entities: linkedEntities(links, ids) });
    };
    return [{ at, run }];
  });
}

function linkedEntities(links: readonly Linked[], ids: IdsByObject): readonly { id: string; type: string }[] {
  return links.flatMap(({ type, place }) => {
    const id = ids[type][place];
    return id === undefined ? [] : [{ id, type }];
  });
}

/** The rows of all pages of a list. */
export async function everyRow(page: (cursor?: string) => Promise<Answer>): Promise<readonly JsonObject[]> {
  const rows: JsonObject[] = [];
  for (let cursor: string | undefined; ;) {
    const answer = await page(cursor);
    if (!(answer instanceof JsonText)) throw new Error('A list is told as JSON');
    const { data, nextCursor } = JSON.parse(whole(answer.text)) as { data: Json[]; nextCursor?: string };
    rows.push(...data.filter(isObject));
    if (nextCursor === undefined) return rows;
    cursor = nextCursor;
  }
}
