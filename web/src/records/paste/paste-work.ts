/** Pastes a block of cells into the table at the cursor: what it would set, and the outcome. */
import { fieldErrorOf, kith, messageOf } from '../../api/kith.ts';
import { nameOf } from '../../api/record-name.ts';
import type { KithRecord, ObjectShape, Permission } from '../../api/workspace.ts';
import { lockOf } from '../../values/editable.ts';
import { pasted, type Pasted, type Reading } from '../../values/pasted.ts';
import type { Column } from '../columns.ts';

/** A cell that kept its value, with the reason. */
export interface Refused {
  readonly record: string;
  readonly field: string;
  readonly text: string;
  readonly reason: string;
}

/** The values for one record, by the service's names. */
export interface RecordPaste {
  readonly record: KithRecord;
  readonly cells: readonly { readonly column: Column; readonly name: string; readonly text: string; value: unknown }[];
}

export interface Target {
  readonly object: ObjectShape;
  readonly permission: Permission | undefined;
  readonly records: readonly KithRecord[];
  readonly columns: readonly Column[];
}

/** Maps the block to records and columns and parses its values; names of records are looked up. */
export async function readBlock(
  block: readonly (readonly string[])[],
  { object, permission, records, columns }: Target,
  reading: Reading,
  notSeveral: string,
): Promise<{ readonly pastes: readonly RecordPaste[]; readonly refused: readonly Refused[] }> {
  const refused: Refused[] = [];
  const find = finder(reading, notSeveral);
  const pastes: RecordPaste[] = [];
  for (const [at, record] of records.entries()) {
    const cells: RecordPaste['cells'][number][] = [];
    for (const [index, text] of (block[at] ?? []).entries()) {
      const column = columns[index];
      if (!column) continue;
      const { field, path, label } = column;
      const lock = path.includes('.') ? 'computed' : lockOf(field, permission);
      const read: Pasted = lock ? { problem: reading.texts[lock] } : pasted(field, record, text, reading);
      const found = 'named' in read ? await find(field.relationConfig?.targetObjectName ?? '', read.named) : read;
      if ('problem' in found)
        refused.push({ record: called(record, object, reading), field: label, text, reason: found.problem });
      else
        cells.push({
          column,
          name: field.type === 'PIPELINE' ? 'pipeline_step_id' : field.name,
          text,
          value: found.value,
        });
    }
    if (cells.length > 0) pastes.push({ record, cells });
  }
  return { pastes, refused };
}

/** Most records with the same name that are considered. */
const mostFound = 20;

function finder({ workspace, texts }: Reading, notSeveral: string) {
  const lookups = new Map<string, Promise<Exclude<Pasted, { named: string }>>>();
  const ask = async (object: string, name: string): Promise<Exclude<Pasted, { named: string }>> => {
    const { data } = await kith.records.list(object, { search: name, limit: mostFound });
    const display = workspace.reader.displayFields[object];
    const same = data.filter(
      (one) => nameOf(one, display).localeCompare(name, undefined, { sensitivity: 'base' }) === 0,
    );
    if (same.length > 1) return { problem: notSeveral };
    return same[0] ? { value: same[0].id } : { problem: texts.noneFound };
  };
  return (object: string, name: string) => {
    const key = `${object} ${name.toLocaleLowerCase()}`;
    const found = lookups.get(key) ?? ask(object, name).catch((error: unknown) => ({ problem: messageOf(error) }));
    lookups.set(key, found);
    return found;
  };
}

/** Writes the values of one record; values that the service refuses are reported, and the rest is written. */
export async function writePaste(
  paste: RecordPaste,
  object: ObjectShape,
  reading: Reading,
  write: (values: Readonly<Record<string, unknown>>) => Promise<unknown>,
): Promise<readonly Refused[]> {
  const refused: Refused[] = [];
  let cells = paste.cells;
  while (cells.length > 0) {
    try {
      await write(Object.fromEntries(cells.map(({ name, value }) => [name, value])));
      return refused;
    } catch (error) {
      const wrong = cells.filter(({ name }) => fieldErrorOf(error, name) !== undefined);
      // If the error names no field, all cells count as refused.
      const gone = wrong.length > 0 ? wrong : cells;
      for (const { column, name, text } of gone) {
        const reason = fieldErrorOf(error, name) ?? messageOf(error);
        refused.push({ record: called(paste.record, object, reading), field: column.label, text, reason });
      }
      cells = cells.filter((cell) => !gone.includes(cell));
    }
  }
  return refused;
}

const sideBySide = 4;

/** Writes all records, the first alone and then several at a time; returns what was refused. */
export async function writeAll(
  [first, ...rest]: readonly RecordPaste[],
  write: (paste: RecordPaste) => Promise<readonly Refused[]>,
): Promise<readonly Refused[]> {
  const refused = first ? [...(await write(first))] : [];
  const waiting = rest[Symbol.iterator]();
  const work = async () => {
    for (const paste of waiting) refused.push(...(await write(paste)));
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  return refused;
}

function called(record: KithRecord, object: ObjectShape, { workspace }: Reading): string {
  return nameOf(record, workspace.reader.displayFields[object.name]);
}
