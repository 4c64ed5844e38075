/** A preview: the import itself in a savepoint that is always rolled back, with its changes field by field. */
import type { Call } from '../../../access/call.ts';
import type { WorkspaceTransaction } from '../../../access/workspace.ts';
import { digestOf } from '../../../lib/digest.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../../../lib/json.ts';
import type { ObjectDef } from '../../../model/model.ts';
import { sql } from '../../../postgres/sql.ts';
import { carryOut, type PartOutcome, type Prepared } from '../executing/carry-out.ts';
import { fatesOf, nameOfOwn, settledOf, withPart } from './outcomes.ts';
import { nothingYet, type Choice, type Outcome } from './states.ts';
import { readPart, updatePart } from './table.ts';

export interface Trial {
  readonly hash: string;
  readonly rows: number;
  readonly outcome: Outcome;
  /** The first rows as they would be sent. */
  readonly samples: readonly { readonly index: number; readonly fate: string; readonly values: JsonObject }[];
  /** The first changed records, field by field. */
  readonly changes: readonly RecordChange[];
}

export interface RecordChange {
  readonly index: number;
  readonly id: string;
  readonly fields: Readonly<Record<string, { readonly before: Json; readonly after: Json }>>;
}

class Undone extends Error {}

/** Rows tried; of a longer file only the beginning. */
const mostTried = 20_000;
const mostChanges = 50;
const mostSamples = 10;

/** Executes the rows, returns their results, and rolls back. The results are stored with the rows. */
export async function tryOut(
  call: Call,
  tx: WorkspaceTransaction,
  importId: string,
  prepared: Prepared,
  choice: Choice,
): Promise<Trial> {
  const planned: string[][] = [];
  const samples: Trial['samples'][number][] = [];
  const updated: { index: number; id: string }[] = [];
  const own = new Map<string, number>();
  let outcome = nothingYet;
  let after = new Map<string, JsonObject>();
  try {
    await tx.attempt(async () => {
      for (let at = 0; settledOf(outcome) < mostTried; at++) {
        const part = await readPart(call, tx, importId, at);
        if (!part) break;
        const done = await carryOut(call, tx, prepared, part.rows, part.first);
        for (const { id, index } of done.created) own.set(id, index);
        const result = withRowsNamed(done, own);
        const fates = fatesOf(result, part.first, part.rows.length, own);
        planned.push(fates);
        outcome = withPart(outcome, result, []);
        const there = result.updated.filter(({ id }) => !own.has(id));
        updated.push(...there.slice(0, mostChanges - updated.length));
        for (const [index, values] of result.values)
          if (samples.length < mostSamples) samples.push({ index, fate: fates[index - part.first] ?? '', values });
      }
      after = await stored(call, tx, prepared.object, updated);
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  for (const [part, fates] of planned.entries()) await updatePart(call, tx, importId, part, { planned: fates });
  const before = await stored(call, tx, prepared.object, updated);
  const changes = updated.map(({ index, id }) => ({ index, id, fields: differences(before.get(id), after.get(id)) }));
  const { hash: _hash, ...withoutHash } = choice;
  const digest = await digestOf([importId, JSON.stringify(withoutHash), JSON.stringify(planned)]);
  return { hash: digest.toString('base64url'), rows: settledOf(outcome), outcome, samples, changes };
}

const ids = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** A record that is rolled back is named by its row instead of its id. */
function withRowsNamed(part: PartOutcome, own: ReadonlyMap<string, number>): PartOutcome {
  const named = (id: string) => nameOfOwn(id, own) ?? id;
  return { ...part, failed: part.failed.map((row) => ({ ...row, reason: row.reason.replaceAll(ids, named) })) };
}

/** The stored rows of the records, without what the caller may not see. */
async function stored(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  records: readonly { readonly id: string }[],
): Promise<Map<string, JsonObject>> {
  if (records.length === 0) return new Map();
  const wanted = records.map(({ id }) => id);
  const { rows } = await tx.run(
    sql`select t.id, to_jsonb(t)::text from ${call.workspace.table(object.table)} t where t.id = any(${wanted}::uuid[])`,
  );
  const names = object.fields.map(({ name }) => name).filter((name) => call.visibility.shows(object.name, name));
  return new Map(
    rows.map(([id, text]) => {
      const row = parseJson(text ?? '{}');
      const shown = names.flatMap((name): [string, Json][] =>
        isObject(row) && Object.hasOwn(row, name) ? [[name, withCurrency(row, name)]] : [],
      );
      return [id ?? '', Object.fromEntries(shown)];
    }),
  );
}

/** An amount is shown with its currency. */
function withCurrency(row: JsonObject, name: string): Json {
  const code = row[`${name}__currency`];
  return typeof code === 'string' ? { amount: row[name] ?? null, currency: code } : (row[name] ?? null);
}

function differences(before: JsonObject = {}, after: JsonObject = {}): RecordChange['fields'] {
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(
    changed.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]),
  );
}
