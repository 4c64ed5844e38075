import { useState } from 'react';
import type { BulkUpdateBody } from '../../../../client/index.js';
import { kith, messageOf } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { undo, written } from '../../app/changes.ts';
import { useTexts } from '../../i18n/language.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { List } from '../use-list.ts';
import type { Marks } from '../use-marks.ts';
import type { Rows } from '../use-rows.ts';
import { chosenIn, followed, idsOf, isOtherCount, mostIds, tried, type Outcome } from './bulk-work.ts';

/** A field and the value that it gets. */
export interface Setting {
  readonly field: string;
  readonly label: string;
  readonly value: unknown;
}

export interface Bulk {
  /** What goes on: how many of how many. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  /** What a try has said, where not all would change; it waits for a yes. */
  readonly asked: { readonly outcome: Outcome; go(): void } | undefined;
  /** What was refused in the end. */
  readonly refused: Outcome['errors'];
  set(setting: Setting): Promise<void>;
  remove(): Promise<void>;
  addToList(list: { readonly id: string; readonly name: string }): Promise<void>;
  forget(): void;
}

/** A difference of more than this share is asked about. */
const smallShare = 0.01;

/** What can be done with the selected records. */
export function useBulk(list: List, rows: Rows, marks: Marks): Bulk {
  const texts = useTexts();
  const { records } = texts;
  const [progress, setProgress] = useState<Bulk['progress']>();
  const [asked, setAsked] = useState<Bulk['asked']>();
  const [refused, setRefused] = useState<Outcome['errors']>([]);
  const count = marks.isAll ? (rows.total ?? 0) : marks.ids.size;
  const told = async (work: () => Promise<void>) => {
    setAsked(undefined);
    setRefused([]);
    setProgress({ done: 0, total: count });
    try {
      await work();
    } catch (error) {
      toast({ text: messageOf(error), isBad: true });
    } finally {
      setProgress(undefined);
      rows.again();
      void queries.invalidateQueries({ queryKey: keys.object(list.object.name) });
    }
  };
  const write = async (body: BulkUpdateBody, { label }: Setting) => {
    const text = records.changed(count, label);
    const answer = await written(kith.bulk.update(body), { text }, texts.shell);
    const outcome = await followed(answer, (done) => setProgress({ done, total: count }));
    setRefused(outcome.errors);
    if (outcome.failed > 0)
      toast({ text: `${records.changed(outcome.changed, label)}. ${records.refused(outcome.failed)}.` });
    else marks.clear();
  };
  return {
    progress,
    asked,
    refused,
    forget: () => (setAsked(undefined), setRefused([])),
    set: (setting) =>
      told(async () => {
        const body = async (total: number): Promise<BulkUpdateBody> => ({
          action: 'update_field',
          object_name: list.object.name,
          field_name: setting.field,
          field_value: setting.value,
          ...(await chosenIn(list, marks, total, records.tooMany)),
        });
        const ready = await agreed(await body(count), count, body);
        const outcome = await tried(ready.body);
        if (outcome.failed === 0 && ready.isAgreed) await write(ready.body, setting);
        else setAsked({ outcome, go: () => void told(() => write(ready.body, setting)) });
      }),
    remove: () => told(() => removeAll(list, marks, setProgress, texts)),
    addToList: ({ id, name }) =>
      told(async () => {
        const ids = await idsOf(list, marks, mostIds, records.tooMany);
        const body = { object_type: list.object.name, record_ids: ids };
        await written(kith.listEntries.add(id, body), { text: records.addedToList(ids.length, name) }, texts.shell);
        marks.clear();
      }),
  };
}

/** The change with the count of now, and whether that needs no further yes. */
async function agreed(body: BulkUpdateBody, seen: number, make: (count: number) => Promise<BulkUpdateBody>) {
  if (body.expected_count === undefined) return { body, isAgreed: true };
  try {
    await tried(body);
    return { body, isAgreed: true };
  } catch (error) {
    if (!isOtherCount(error)) throw error;
    const query = { limit: 1, fields: 'id', ...(body.filters && { filters: body.filters }) };
    const { total } = await kith.records.list(body.object_name, query);
    return { body: await make(total), isAgreed: Math.abs(total - seen) <= seen * smallShare };
  }
}

/** So many are put into the trash at once: each is a request of its own, and all are undone together. */
const mostRemoved = 1_000;
const sideBySide = 4;

async function removeAll(
  list: List,
  marks: Marks,
  tell: (progress: Bulk['progress']) => void,
  texts: ReturnType<typeof useTexts>,
): Promise<void> {
  const ids = await idsOf(list, marks, mostRemoved, texts.records.tooMany);
  const [first, ...rest] = ids;
  if (first === undefined) return;
  const change = { changeSet: crypto.randomUUID(), text: texts.records.deleted(ids.length) };
  const remove = (id: string) => kith.records.delete(list.object.name, id, { changeSet: change.changeSet });
  // From the first one on, all of them can be undone, also where a later one fails.
  await written(remove(first), { text: change.text, isQuiet: true }, texts.shell);
  let done = 1;
  const waiting = rest[Symbol.iterator]();
  const worker = async () => {
    for (const id of waiting) {
      await remove(id);
      tell({ done: ++done, total: ids.length });
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  toast({ text: change.text, action: { label: texts.shell.undo, run: () => void undo(change, texts.shell) } });
  marks.clear();
}
