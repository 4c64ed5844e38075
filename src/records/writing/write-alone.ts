/**
 * A record that is written alone, by one statement that commits by itself. The statement is made once for what a caller may do, an
 * object, and the form of a row, which is all that its text can depend on; what the caller and the row are goes into its slots.
 */
import type { Call } from '../../access/call.ts';
import type { CallerIdentity } from '../../access/workspace.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { bytesOfText } from '../../lib/lru.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';
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
import { judgedIn, leading, place, statementInOne } from './one-statement.ts';
import { unmeasured } from './record-size.ts';
import { targetOf } from './references.ts';
import { refusalsOf, throwRefusal, unexplained, type RowWrite } from './row-write.ts';
import { searchParts, type Searchable } from './search-parts.ts';

/** A row without changes of links: they are written beside it. */
interface LoneRow extends GivenRow, Searchable {
  readonly links: null;
}

/** What the slots of the statement take from. */
interface Sent extends CallerIdentity, SentAuthor, SentRows<LoneRow> {}

interface Plan {
  /** How many there are. */
  readonly checks: number;
  readonly selection: Selection;
  readonly statementOf: (sent: Sent) => Statement;
}

const writes: Readonly<Record<'create' | 'update', (call: Call, object: ObjectDef, row: LoneRow) => RowWrite>> = {
  create: (call, object, row) => insertionOf(call, object, [row]),
  update: (call, object, row) => alterationOf(call, object, [row], false),
};

const compiled = timelessMemory<Plan>('writes');

/** What a plan takes beside its text; its selection is remembered by itself. */
const smallParts = 5_000;

/**
 * Writes the record, and gives it as it is then, where `isReadWithItsWrite`. Neither links nor values of unique sets are given:
 * those take a transaction. Throws why it was not written, and StaleCaller.
 */
export async function writeAlone(
  call: Call,
  object: ObjectDef,
  action: keyof typeof writes,
  given: GivenRow,
): Promise<Written> {
  const row: LoneRow = { ...given, links: null, searchParts: await searchParts(object, given.cells) };
  const sent: Sent = { caller: call.caller, now: call.now, author: authorOf(call), rows: [row] };
  const { checks, selection, statementOf } = planOf(call, object, action, row, sent);
  const { rows } = await call.workspace.write(statementOf(sent));
  const [found] = rows;
  if (found?.[place.written] !== 't') {
    const write = writes[action](call, object, row); // made anew for what its checks mean: most writes need not know
    throwRefusal(refusalsOf(write, judgedIn(write, rows)));
    throw unexplained();
  }
  const at = leading + checks;
  if (found[at] !== 't') return null;
  return { json: await selection.jsonInSlices(found, at + 1), tag: (await selection.tag(found, at + 1)) ?? '' };
}

/** The plan for rows of this form, remembered where it holds for other times as well. */
function planOf(call: Call, object: ObjectDef, action: keyof typeof writes, row: LoneRow, sent: Sent): Plan {
  const form = call.isPast ? undefined : formOf(call, row);
  if (!form) return compile(call, object, action, row, sent);
  const name = `${action} ${call.caller.tokenId === null ? 'user' : 'token'} ${form.name}`;
  const found = compiled.recall(call, object, name);
  if (found) return found;
  const watching = watch(call);
  // Made of the form alone, so that nothing else of the row can be in it.
  const plan = compile(watchedCall(call, watching), object, action, form.row, sent);
  compiled.remember(call, object, name, plan, smallParts + bytesOfText(plan.statementOf(sent).text), watching);
  return plan;
}

function compile(
  call: Call,
  object: ObjectDef,
  action: keyof typeof writes,
  row: LoneRow,
  { author }: SentAuthor,
): Plan {
  const write = writes[action](call, object, row);
  const selection = selectRecord(object, call, 'written', 'detail');
  const isVisible = visibleRow(objectScope(call, object, 'written'));
  const query = statementInOne(call, author, write, [isVisible, ...selection.columns]);
  return { checks: write.checks.length, selection, statementOf: template(query, call.model.version) };
}

function watchedCall(call: Call, { watched }: Watch): Call {
  return Object.defineProperties({ ...call }, Object.getOwnPropertyDescriptors(watched));
}

/** Stands for a value. */
const something = '?';

/**
 * The row with no more of its values than the text of its statement depends on: which fields are set, which to null, which by a step,
 * and which records and users it refers to, but for their ids. Undefined for a row whose size has to be looked at.
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
