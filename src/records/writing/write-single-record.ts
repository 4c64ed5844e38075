/**
 * Writes a single record by one statement that commits by itself. The statement is built once per caller's rights,
 * object and form of the row, which determine its text; caller and values are bound through slots.
 */
import type { Call } from '../../access/call.ts';
import type { CallerIdentity } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { bytesOfText } from '../../lib/lru.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell, Row } from '../../postgres/database.ts';
import { template, type Statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { selectRecord, type Selection } from '../../query/selection.ts';
import { timelessMemory, watch, type Watch } from '../../query/timeless.ts';
import { visibleRow } from '../../query/where.ts';
import type { Written } from '../reading/read-written.ts';
import { alterationOf } from './alteration.ts';
import type { GivenRow, SentRows } from './given.ts';
import { insertionOf } from './insertion.ts';
import { authorOf, type SentAuthor } from './leave.ts';
import { judgedIn, leadingColumns, answerColumns, statementInOne } from './one-statement.ts';
import { unmeasured } from './record-size.ts';
import { targetOf } from './references.ts';
import { refusalsOf, throwRefusal, unexplained, type RowWrite } from './row-write.ts';
import { searchParts, type Searchable } from './search-parts.ts';

/** A row without link changes, which are written beside it. */
interface LoneRow extends GivenRow, Searchable {
  readonly links: null;
}

/** The parameters of the statement's slots. */
interface Sent extends CallerIdentity, SentAuthor, SentRows<LoneRow> {}

interface Plan {
  /** The number of checks. */
  readonly checks: number;
  readonly selection: Selection;
  readonly statementOf: (sent: Sent) => Statement;
}

const writes = {
  create: (call: Call, object: ObjectDef, row: LoneRow) => insertionOf(call, object, [row]),
  update: (call: Call, object: ObjectDef, row: LoneRow) =>
    alterationOf(call, object, [row], { isJudged: false, locks: false }),
  lockedUpdate: (call: Call, object: ObjectDef, row: LoneRow) =>
    alterationOf(call, object, [row], { isJudged: false, locks: true }),
} satisfies Readonly<Record<string, (call: Call, object: ObjectDef, row: LoneRow) => RowWrite>>;

type WriteKind = keyof typeof writes;

/** What is tried in turn: an update locks only where another write came between its reading and its writing. */
const attempts = { create: ['create'], update: ['update', 'lockedUpdate'] } as const;

const compiled = timelessMemory<Plan>('writes');

/** A plan's size beside its text; the selection is cached elsewhere. */
const smallParts = 5_000;

/**
 * Writes the record, and returns it as read afterwards, where `isReadWithItsWrite`. Neither links nor unique sets may
 * be given: those take a transaction. Throws the refusal, and StaleCaller.
 */
export async function writeSingleRecord(
  call: Call,
  object: ObjectDef,
  action: keyof typeof attempts,
  given: GivenRow,
): Promise<Written> {
  const row: LoneRow = { ...given, links: null, searchParts: await searchParts(object, given.cells) };
  const sent: Sent = { caller: call.caller, now: call.now, author: authorOf(call), rows: [row] };
  for (const kind of attempts[action]) {
    const plan = planOf(call, object, kind, row, sent);
    const { rows } = await call.workspace.write(plan.statementOf(sent), (answer) => !isOvertaken(plan, answer));
    const [found] = rows;
    if (found?.[answerColumns.written] === 't') return readAnswer(found, plan);
    if (isOvertaken(plan, rows)) continue;
    // rebuilt for the meaning of its checks, which most writes do not need
    const write = writes[kind](call, object, row);
    throwRefusal(refusalsOf(write, judgedIn(write, rows)));
  }
  throw unexplained();
}

/** Whether every check holds, and nothing was written: another write came first. */
function isOvertaken({ checks }: Plan, [found]: readonly Row[]): boolean {
  if (!found || found[answerColumns.written] === 't') return false;
  return (
    found[answerColumns.id] !== null &&
    found.slice(leadingColumns, leadingColumns + checks).every((held) => held === 't')
  );
}

/** The record as it is shown; null where the caller no longer sees it. */
async function readAnswer(found: Row, { checks, selection }: Plan): Promise<Written> {
  const at = leadingColumns + checks;
  if (found[at] !== 't') return null;
  return { json: await selection.jsonInSlices(found, at + 1), tag: (await selection.tag(found, at + 1)) ?? '' };
}

/** The plan for rows of this form, cached where it does not depend on the time. */
function planOf(call: Call, object: ObjectDef, kind: WriteKind, row: LoneRow, sent: Sent): Plan {
  const form = call.isPast ? undefined : formOf(call, row);
  if (!form) return compile(call, object, kind, row, sent);
  const name = `${kind} ${call.caller.tokenId === null ? 'user' : 'token'} ${form.name}`;
  const found = compiled.recall(call, object, name);
  if (found) return found;
  const watching = watch(call);
  // Built from the form alone, so that no value of the row can be in it.
  const plan = compile(watchedCall(call, watching), object, kind, form.row, sent);
  compiled.remember(call, object, name, plan, smallParts + bytesOfText(plan.statementOf(sent).text), watching);
  return plan;
}

function compile(call: Call, object: ObjectDef, kind: WriteKind, row: LoneRow, { author }: SentAuthor): Plan {
  const write = writes[kind](call, object, row);
  const selection = selectRecord(object, call, 'written', 'detail');
  const isVisible = visibleRow(objectScope(call, object, 'written'));
  const query = statementInOne(call, author, write, [isVisible, ...selection.columns]);
  return { checks: write.checks.length, selection, statementOf: template(query, call.model.version) };
}

function watchedCall(call: Call, { watched }: Watch): Call {
  return Object.defineProperties({ ...call }, Object.getOwnPropertyDescriptors(watched));
}

/** Placeholder of a value. */
const something = '?';

/**
 * Reduces the row to what its statement depends on: which fields are set, which to null, which by a step, and which
 * references it has, without ids. Undefined for a row whose size must be checked.
 */
function formOf({ me }: Call, row: LoneRow): { readonly row: LoneRow; readonly name: string } | undefined {
  const cells = new Map<FieldDef, readonly Cell[]>();
  let name = '';
  for (const [field, own] of row.cells) {
    if (own.some((cell) => cell !== null && cell.length > unmeasured)) return undefined;
    const target = targetOf(field, own);
    const isMe = target === 'user' && own[0] === me;
    const form = own.map((cell, at) =>
      cell === null ? null : isMe ? me : at === 1 && target === own[1] ? cell : something,
    );
    const kinds = form.map((cell) => (cell === null ? '-' : cell === me ? 'me' : cell));
    name += `${field.name}${row.byStep.has(field) ? '!' : ':'}${kinds.join(',')} `;
    cells.set(field, form);
  }
  const searchTexts = Object.fromEntries(Object.keys(row.searchParts).map((key) => [key, something]));
  return { row: { ...row, id: something, cells, searchParts: searchTexts }, name };
}
