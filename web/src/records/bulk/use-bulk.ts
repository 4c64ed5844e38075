import { useState } from 'react';
import type { BulkUpdateBody } from '../../../../client/index.js';
import { kith, messageOf } from '../../api/kith.ts';
import { keys, queries } from '../../api/queries.ts';
import { written } from '../../app/changes.ts';
import { longWorkIn } from '../../app/long-work.ts';
import { useTexts } from '../../i18n/language.tsx';
import { toast } from '../../ui/toasts.tsx';
import type { List } from '../use-list.ts';
import type { Marks } from '../use-marks.ts';
import type { Rows } from '../use-rows.ts';
import { chosenIn, followed, idsOf, isOtherCount, mostIds, tried, type Outcome } from './bulk-work.ts';

export interface Bulk {
  /** The progress of running work. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  /** The result of a dry run in which not all records would change; it waits for confirmation. */
  readonly toConfirm: { readonly outcome: Outcome; readonly isLoss: boolean; go(): void } | undefined;
  /** What was refused in the end. */
  readonly refused: Outcome['errors'];
  /** Changes a field; `label` is its name in messages. */
  set(label: string, change: Change): Promise<void>;
  remove(): Promise<void>;
  addToList(list: { readonly id: string; readonly name: string }): Promise<void>;
  forget(): void;
}

/** The change to each record. */
type Change = Pick<BulkUpdateBody, 'action' | 'field_name' | 'field_value' | 'relation_field' | 'target_ids'>;
/** Returns the message for so many changed records. */
type CountMessage = (count: number) => string;

/** Confirmation is needed if the count differs by more than this share. */
const smallShare = 0.01;

/** Bulk actions on the selected records. */
export function useBulk(list: List, rows: Rows, marks: Marks): Bulk {
  const texts = useTexts();
  const { records } = texts;
  const count = marks.isAll ? (rows.total ?? 0) : marks.ids.size;
  const { setProgress, setToConfirm, setRefused, runWithProgress, ...work } = useWork(list, rows, count);
  const write = async (body: BulkUpdateBody, message: CountMessage) => {
    const notice = { text: message(count), begun: texts.jobs.begun(count) };
    const answer = await written(kith.bulk.update(body), notice, texts.shell);
    const outcome = await followed(answer, (done) => setProgress({ done, total: count }));
    setRefused(outcome.errors);
    // The end of background work is announced on any page.
    if (longWorkIn(answer)) marks.clear();
    else if (outcome.failed > 0) toast({ text: `${message(outcome.changed)}. ${records.refused(outcome.failed)}.` });
    else marks.clear();
  };
  /** Does a dry run, then the change if all records allow it; otherwise waits for confirmation. */
  const make = (change: Change, message: CountMessage) =>
    runWithProgress(async () => {
      const body = async (total: number): Promise<BulkUpdateBody> => ({
        ...change,
        object_name: list.object.name,
        ...(await chosenIn(list, marks, total, records.tooMany)),
      });
      const ready = await agreed(await body(count), count, body);
      const outcome = await tried(ready.body);
      const go = () => write(ready.body, message);
      if (outcome.failed === 0 && ready.isAgreed) await go();
      else setToConfirm({ outcome, isLoss: change.action === 'delete', go: () => void runWithProgress(go) });
    });
  return {
    ...work,
    forget: () => (setToConfirm(undefined), setRefused([])),
    set: (label, change) => make(change, (n) => records.changed(n, label)),
    remove: () => make({ action: 'delete' }, records.deleted),
    addToList: ({ id, name }) =>
      runWithProgress(async () => {
        const ids = await idsOf(list, marks, mostIds, records.tooMany);
        const body = { object_type: list.object.name, record_ids: ids };
        await written(kith.listEntries.add(id, body), { text: records.addedToList(ids.length, name) }, texts.shell);
        marks.clear();
      }),
  };
}

/** Running work, its questions and refusals; one at a time. */
function useWork(list: List, rows: Rows, count: number) {
  const [progress, setProgress] = useState<Bulk['progress']>();
  const [toConfirm, setToConfirm] = useState<Bulk['toConfirm']>();
  const [refused, setRefused] = useState<Outcome['errors']>([]);
  const runWithProgress = async (work: () => Promise<void>) => {
    setToConfirm(undefined);
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
  return { progress, toConfirm, refused, setProgress, setToConfirm, setRefused, runWithProgress };
}

/** Repeats the change with the current count; asks again if that differs too much. */
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
