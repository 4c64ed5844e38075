/** Writes the records of the demo with their histories. Existing ones are left alone. */
import type { Json, JsonObject } from '../lib/json.ts';
import { whole } from '../lib/long-text.ts';
import { exportRecords } from '../operations/exports/export.ts';
import { importRecords } from '../operations/imports/import.ts';
import { JsonText } from '../operations/door/operation.ts';
import { createRecord, updateRecord } from '../operations/records/records.ts';
import type { Ids, Story } from './demo-data.ts';
import type { DemoDesks, Errand } from './demo-desks.ts';

export type DemoObject = 'companies' | 'contacts' | 'opportunities' | 'subscriptions';

/** Rows per call, few enough to hardly delay other requests. */
const rowsAtOnce = 100;

interface Sign {
  readonly fields: readonly string[];
  of(record: JsonObject): string;
}

/** Identifies a record of the demo by some of its fields. */
const signs: Readonly<Record<DemoObject, Sign>> = {
  companies: { fields: ['domain'], of: ({ domain }) => String(domain) },
  contacts: {
    fields: ['first_name', 'last_name', 'emails'],
    of: ({ first_name, last_name, emails }) => {
      const [first] = emails as readonly JsonObject[];
      return String(first ? first['email'] : `${String(first_name)} ${String(last_name)}`);
    },
  },
  opportunities: { fields: ['name'], of: ({ name }) => String(name) },
  subscriptions: { fields: ['code'], of: ({ code }) => String(code) },
};

/** An existing record. */
interface Kept {
  readonly id: string;
  /** When it was last changed: writes up to then are done. */
  readonly updatedAt: number;
}

/** The existing records of an object by their identifying text. */
export type KeptRecords = Map<string, Kept>;

/** The existing records of the object. */
export async function keptRecords(desks: DemoDesks, object: DemoObject): Promise<KeptRecords> {
  const { fields, of } = signs[object];
  const asked = { object, fields: ['id', 'updated_at', ...fields].join(','), limit: 10_000 };
  const answer = await desks.perform(null, Date.now(), exportRecords, asked);
  if (!(answer instanceof JsonText)) throw new Error('An export without a format is JSON');
  const { records } = JSON.parse(whole(answer.text)) as { records: readonly JsonObject[] };
  const keptOf = ({ id, updated_at: at }: JsonObject) => ({ id: String(id), updatedAt: Date.parse(String(at)) });
  return new Map(records.map((record) => [of(record), keptOf(record)]));
}

/** The ids of the stories' records that are in `kept`. */
export function idsOf(object: DemoObject, stories: readonly Story[], kept: KeptRecords): Ids {
  return stories.map((story) => kept.get(signOf(object, story))?.id);
}

/** Imports the records missing from `kept`, those of one time together, and adds them to it. */
export async function importFirst(
  desks: DemoDesks,
  object: DemoObject,
  stories: readonly Story[],
  kept: KeptRecords,
  stop: AbortSignal,
): Promise<void> {
  const missing = stories.filter((story) => !kept.has(signOf(object, story)));
  const byTime = [...Map.groupBy(missing, ([first]) => first?.at ?? 0)].toSorted(([a], [b]) => a - b);
  for (const [at, group] of byTime) {
    for (let start = 0; start < group.length; start += rowsAtOnce) {
      stop.throwIfAborted();
      const some = group.slice(start, start + rowsAtOnce);
      const records = some.map(([first]) => first?.values ?? {});
      const outcome = await desks.perform(null, at, importRecords, { object, records });
      if (outcome.failed + outcome.duplicates > 0)
        throw new Error(`A demo record of ${object} was refused: ${JSON.stringify(outcome.errors[0])}`);
      for (const [place, id] of outcome.created_ids.entries())
        kept.set(signOf(object, some[place] ?? []), { id, updatedAt: at });
    }
  }
}

/** The errands that complete the stories; created records are added to `kept`. */
export function storyErrands(
  desks: DemoDesks,
  object: DemoObject,
  stories: readonly Story[],
  kept: KeptRecords,
): readonly (readonly Errand[])[] {
  return stories.map((story) => {
    const sign = signOf(object, story);
    const done = kept.get(sign)?.updatedAt ?? -Infinity;
    return story
      .filter(({ at }) => at > done)
      .map(({ at, by, values }) => ({
        at,
        async run() {
          const id = kept.get(sign)?.id;
          if (id !== undefined) await desks.perform(by, at, updateRecord, { object, id, values });
          else
            kept.set(sign, { id: idIn(await desks.perform(by, at, createRecord, { object, values })), updatedAt: at });
        },
      }));
  });
}

function idIn(answer: unknown): string {
  if (!(answer instanceof JsonText)) throw new Error('A created record is told as JSON');
  return (JSON.parse(whole(answer.text)) as Record<string, Json> & { id: string }).id;
}

function signOf(object: DemoObject, [first]: Story): string {
  return signs[object].of(first?.values ?? {});
}
