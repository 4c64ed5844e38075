/** Exports and imports a whole workspace as a folder of files, for the command line. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { objectHint } from '../../lib/other-names.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Row } from '../../postgres/database.ts';
import { statement, type Sql } from '../../postgres/sql.ts';
import { inOrder } from '../../records/whole/fields.ts';
import { planLines } from '../../records/whole/lines.ts';
import {
  entriesQuery,
  entryLine,
  listLine,
  listsQuery,
  takeInEntries,
  takeInLists,
} from '../../records/whole/lists.ts';
import { namingOf, peopleOf, type People } from '../../records/whole/names.ts';
import { takeInLines, type TakenIn } from '../../records/whole/take-in.ts';
import { askAfterImport, manyRecords } from '../background/after-import.ts';
import { defineOperation } from '../door/operation.ts';
import { rowsAtOnce } from './export.ts';

/** The contents of one file. */
export type Part = { readonly object: string } | { readonly part: 'lists' | 'entries' };

/** A file, and which of its fields refer to later files. */
export interface PartOfWhole {
  readonly part: Part;
  /** Fields that are set after all records exist. */
  readonly later: readonly string[];
}

const PartIn = Type.Unsafe<Part>(Type.Unknown());

export const partsOfWhole = defineOperation({
  id: 'whole.parts',
  summary: 'The files of the workspace folder, in the order of import',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({ parts: Type.Array(Type.Unknown()) }),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Exporting a workspace',
  run: ({ model }) =>
    Promise.resolve({
      parts: [
        ...inOrder(model).map(({ object, later }): PartOfWhole => ({ part: { object: object.name }, later })),
        { part: { part: 'lists' }, later: [] } satisfies PartOfWhole,
        { part: { part: 'entries' }, later: [] } satisfies PartOfWhole,
      ],
    }),
});

export interface WholePart {
  /** Lines in batches, as of one moment. */
  readonly batches: AsyncIterable<readonly JsonObject[]>;
}

export const takeOut = defineOperation({
  id: 'whole.takeOut',
  summary: 'All lines of a file of the workspace folder',
  input: Type.Object({ part: PartIn }, { additionalProperties: false }),
  output: Type.Object({ batches: Type.Unknown() }),
  effect: 'read',
  cost: 'bulk',
  adminOnly: 'Exporting a workspace',
  async run(call, { part }): Promise<WholePart> {
    const people = await peopleRead(call);
    const { query, line } = planOf(call, part, people);
    const batches = call.workspace.stream(statement(query, call.model.version), rowsAtOnce)[Symbol.asyncIterator]();
    // The first batch is read here: a stale caller is found while the operation can still be repeated.
    const first = await batches.next();
    await call.workspace.transaction(async (tx) => call.audit(tx, 'export', { ...part, format: 'workspace' }));
    return { batches: linesOf(first, batches, line) };
  },
});

async function* linesOf(
  first: IteratorResult<readonly Row[]>,
  rest: AsyncIterator<readonly Row[]>,
  line: (row: Row) => JsonObject,
): WholePart['batches'] {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value.map(line);
  } finally {
    await rest.return?.();
  }
}

function planOf(call: Call, part: Part, people: People): { query: Sql; line(row: Row): JsonObject } {
  if ('object' in part) return planLines(call, namingOf(call, objectOf(call, part.object), people));
  return part.part === 'lists'
    ? { query: listsQuery(call), line: (row) => listLine(row, people) }
    : { query: entriesQuery(call), line: (row) => entryLine(call, row, people) };
}

function peopleRead(call: Call): Promise<People> {
  return peopleOf(call, async (query) => (await call.workspace.read(statement(query, call.model.version)))[0]);
}

/** Throws INVALID_OBJECT for an object that is not part of `partsOfWhole`. */
function objectOf({ model }: Call, name: string): ObjectDef {
  const known = inOrder(model).map(({ object }) => object);
  const object = known.find((candidate) => candidate.name === name);
  if (object) return object;
  const names = known.map((candidate) => candidate.name);
  throw errors.invalidObject(name, names, objectHint(name, names));
}

export const takeInPart = defineOperation({
  id: 'whole.takeIn',
  summary: "Create or change the objects of a folder's lines",
  input: Type.Object(
    {
      part: PartIn,
      lines: Type.Unsafe<readonly Json[]>(Type.Unknown()),
      later: Type.Array(Type.String()),
      pass: Type.Unsafe<'first' | 'second'>(Type.String()),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({}),
  effect: 'write',
  cost: 'bulk',
  source: 'import',
  adminOnly: 'Importing a workspace',
  run: (call, { part, lines, later, pass }): Promise<TakenIn> =>
    call.workspace.transaction(async (tx) => {
      if (!('object' in part)) {
        const people = await peopleOf(call, (query) => tx.run(query));
        call.audit(tx, 'import', { ...part, format: 'workspace', lines: lines.length });
        return (part.part === 'lists' ? takeInLists : takeInEntries)(call, tx, lines, people);
      }
      const object = objectOf(call, part.object);
      const taken = await takeInLines(call, tx, { object, lines, later: new Set(later), pass });
      if (taken.created >= manyRecords) await askAfterImport(call, tx, object);
      call.audit(tx, 'import', {
        object: object.name,
        format: 'workspace',
        lines: lines.length,
        created: taken.created,
      });
      return taken;
    }),
});
