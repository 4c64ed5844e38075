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
  /** What goes on: how many of how many. */
  readonly progress: { readonly done: number; readonly total: number } | undefined;
  /** What a try has said, where not all would change; it waits for a yes. */
  readonly asked: { readonly outcome: Outcome; readonly isLoss: boolean; go(): void } | undefined;
  /** What was refused in the end. */
  readonly refused: Outcome['errors'];
  /** Changes the field of this label. */
  set(label: string, change: Change): Promise<void>;
  remove(): Promise<void>;
  addToList(list: { readonly id: string; readonly name: string }): Promise<void>;
  forget(): void;
}

/** What becomes of each record. */
type Change = Pick<BulkUpdateBody, 'action' | 'field_name' | 'field_value' | 'relation_field' | 'target_ids'>;
/** Says what was done with so many. */
type Tell = (count: number) => string;

/** A difference of more than this share is asked about. */
const smallShare = 0.01;

/** What can be done with the selected records. */
export function useBulk(list: List, rows: Rows, marks: Marks): Bulk {
  const texts = useTexts();
  const { records } = texts;
  const count = marks.isAll ? (rows.total ?? 0) : marks.ids.size;
  const { setProgress, setAsked, setRefused, told, ...work } = useWork(list, rows, count);
  const write = async (body: BulkUpdateBody, tell: Tell) => {
    const told = { text: tell(count), begun: texts.jobs.begun(count) };
    const answer = await written(kith.bulk.update(body), told, texts.shell);
    const outcome = await followed(answer, (done) => setProgress({ done, total: count }));
    setRefused(outcome.errors);
    // The end of long work is told on whatever page one is.
    if (longWorkIn(answer)) marks.clear();
    else if (outcome.failed > 0) toast({ text: `${tell(outcome.changed)}. ${records.refused(outcome.failed)}.` });
    else marks.clear();
  };
  /** Tries the change, and makes it where nothing stands against it; else it waits for a yes. */
  const make = (change: Change, tell: Tell) =>
    told(async () => {
      const body = async (total: number): Promise<BulkUpdateBody> => ({
        ...change,
        object_name: list.object.name,
        ...(await chosenIn(list, marks, total, records.tooMany)),
      });
      const ready = await agreed(await body(count), count, body);
      const outcome = await tried(ready.body);
      const go = () => write(ready.body, tell);
      if (outcome.failed === 0 && ready.isAgreed) await go();
      else setAsked({ outcome, isLoss: change.action === 'delete', go: () => void told(go) });
    });
  return {
    ...work,
    forget: () => (setAsked(undefined), setRefused([])),
    set: (label, change) => make(change, (n) => records.changed(n, label)),
    remove: () => make({ action: 'delete' }, records.deleted),
    addToList: ({ id, name }) =>
      told(async () => {
        const ids = await idsOf(list, marks, mostIds, records.tooMany);
        const body = { object_type: list.object.name, record_ids: ids };
        await written(kith.listEntries.add(id, body), { text: records.addedToList(ids.length, name) }, texts.shell);
        marks.clear();
      }),
  };
}

/** Work that goes on with so many records, what it asks and what it was refused; one at a time. */
function useWork(list: List, rows: Rows, count: number) {
  const [progress, setProgress] = useState<Bulk['progress']>();
  const [asked, setAsked] = useState<Bulk['asked']>();
  const [refused, setRefused] = useState<Outcome['errors']>([]);
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
  return { progress, asked, refused, setProgress, setAsked, setRefused, told };
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
