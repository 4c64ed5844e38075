/**
 * Resolves changes of pipeline positions under the records' locks: the target of each move, and the values that it
 * sets.
 */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { errors, KithError, Mistakes, type FieldError } from '../../errors.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { PipelineStepDef } from '../../fields/field-type.ts';
import { nextSlice, sliceIsOver } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { identifier, instant, sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { compileRule } from '../../query/where.ts';
import { lookAhead } from './alteration.ts';
import { withSameFields, type Change } from './change.ts';
import { writingOf, type Writing } from './decode.ts';
import { pipelineFields, type PipelineFields } from './pipeline-fields.ts';
import { firstStep, standingAt } from './pipeline-position.ts';
import { setByStep } from './step-values.ts';
import { requiredFields, witnessesOf, type Transition, type Witness } from './transition.ts';

/** A row of `_pipeline_step_history` for a record's move. */
export interface Witnessed extends Witness {
  readonly recordId: string;
  /** When the record entered the step; null if unknown. */
  readonly enteredAt: string | null;
  /** When it left; null for a step that it entered. */
  readonly leftAt: string | null;
}

export interface SettledSteps {
  /** The allowed changes, completed by what the move sets; changes that only repeat the current step are left out. */
  readonly changes: readonly Change[];
  readonly witnessed: readonly Witnessed[];
  /** MISSING_REQUIRED_FIELDS for the others, with the fields that the caller may see. */
  readonly refusals: ReadonlyMap<string, KithError>;
}

/** Whether a change names a step or a pipeline. */
export function namesStep(object: ObjectDef, { cells }: Pick<Change, 'cells'>): boolean {
  const fields = pipelineFields(object);
  return fields !== undefined && (cells.has(fields.pipeline) || cells.has(fields.step));
}

/** Resolves the moves of locked records. A change that names no step is returned as it is, at no cost. */
export async function settleSteps(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  changes: readonly Change[],
): Promise<SettledSteps> {
  const fields = pipelineFields(object);
  const naming = changes.filter((change) => namesStep(object, change));
  if (!fields || naming.length === 0) return { changes, witnessed: [], refusals: new Map() };
  const moves = new Map((await movesOf(call, tx, object, fields, naming)).map((move) => [move.change.id, move]));
  const empty = await emptyFields(call, tx, object, [...moves.values()]);
  const settled: Change[] = [];
  const witnessed: Witnessed[] = [];
  const refusals = new Map<string, KithError>();
  const { context } = writingOf(call, object);
  for (const change of changes) {
    if (sliceIsOver()) await nextSlice();
    const move = moves.get(change.id);
    if (!move) {
      const rest = namesStep(object, change) ? withoutStep(fields, change) : change;
      if (rest === change || rest.cells.size + rest.links.size > 0) settled.push(rest);
      continue;
    }
    const outcome = await moved(call, object, context, fields, move, empty.get(change.id) ?? new Set());
    if (outcome instanceof KithError) refusals.set(change.id, outcome);
    else {
      settled.push(outcome);
      witnessed.push(...witnessesOf(move).map((witness) => stamped(move, witness)));
    }
  }
  return { changes: settled, witnessed, refusals };
}

interface Move extends Transition {
  readonly change: Change;
  readonly enteredAt: string | null;
  /** Not before the previous move, even if this request is older. */
  readonly movedAt: string;
}

/** The changes that lead to another step than the record's current one. */
async function movesOf(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  { pipeline, step, enteredAt }: PipelineFields,
  changes: readonly Change[],
): Promise<readonly Move[]> {
  const pipelines = call.model.pipelines.filter(({ objectName }) => objectName === object.name);
  const now = instant(call.now);
  const since = sql`t.${identifier(enteredAt.name)}`;
  const { rows } =
    await tx.run(sql`select t.id, greatest(${now}, ${since}), ${since}, t.${identifier(pipeline.name)}, t.${identifier(step.name)}
      from ${call.workspace.table(object.table)} t where t.id = any(${changes.map(({ id }) => id)}::uuid[])`);
  const standing = new Map(rows.map(([id, ...place]) => [id ?? '', place]));
  return changes.flatMap((change) => {
    const [movedAt, enteredLast = null, atPipeline = null, atStep = null] = standing.get(change.id) ?? [];
    const named = change.cells.get(pipeline)?.[0] ?? null;
    // A pipeline alone means its first step, unless the record is already in it.
    const wanted = change.cells.get(step)?.[0] ?? (named === atPipeline ? atStep : firstStep(pipelines, named));
    const to = standingAt(pipelines, wanted);
    if (!to || wanted === atStep) return [];
    return [{ change, from: standingAt(pipelines, atStep), to, enteredAt: enteredLast, movedAt: movedAt ?? '' }];
  });
}

/** The fields, among those that the moves require, that would be empty apart from the values that the step sets. */
async function emptyFields(
  call: Call,
  tx: WorkspaceTransaction,
  object: ObjectDef,
  moves: readonly Move[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const relevant = new Set(
    moves.flatMap((move) => [...requiredFields(move), ...Object.keys(move.to.step.defaultValues)]),
  );
  const names = [...relevant].filter((name) => object.attributes.has(name));
  const empty = new Map<string, ReadonlySet<string>>();
  if (names.length === 0) return empty;
  const will = objectScope(call, object, 'will');
  const facts = names.map((field) => compileRule({ type: 'AND', conditions: [{ field, operator: 'is_empty' }] }, will));
  for (const group of withSameFields(moves.map(({ change }) => change))) {
    const rows = await lookAhead(call, tx, object, group, [sql`was.id`, ...facts]);
    const given = new Map(group.map((change) => [change.id, change.links]));
    for (const [id, ...cells] of rows) {
      const links = given.get(id ?? '');
      const isEmpty = (name: string, at: number) => {
        const wanted = links?.get(object.attributes.get(name)!);
        return wanted ? wanted.length === 0 : cells[at] === 't';
      };
      empty.set(id ?? '', new Set(names.filter(isEmpty)));
    }
  }
  return empty;
}

/**
 * The change with its final position and the values that the step sets: forced values, and defaults for empty fields;
 * or the refusal, where fields of `empty` are required or values of the step are invalid.
 */
async function moved(
  call: Call,
  object: ObjectDef,
  context: Writing['context'],
  fields: PipelineFields,
  move: Move,
  empty: ReadonlySet<string>,
): Promise<Change | KithError> {
  const { change, to, movedAt } = move;
  const missing = [...requiredFields(move)].filter((name) => empty.has(name));
  if (missing.length > 0) return missingForStep(call, object, to.step, missing);
  const cells = new Map(change.cells);
  cells.set(fields.pipeline, [to.pipeline.id]);
  cells.set(fields.step, [to.step.id]);
  cells.set(fields.enteredAt, [movedAt]);
  const settled = { ...change, cells, byStep: new Set<FieldDef>() };
  const mistakes = new Mistakes();
  const isEmpty = ({ name }: FieldDef) => empty.has(name);
  await setByStep(to.step, object, settled, isEmpty, context, mistakes);
  return mistakes.error() ?? settled;
}

/** Removes the position from a change that repeats the record's current one. */
function withoutStep(fields: PipelineFields, change: Change): Change {
  const cells = new Map(change.cells);
  cells.delete(fields.pipeline);
  cells.delete(fields.step);
  return { ...change, cells };
}

function stamped({ change, enteredAt, movedAt }: Move, witness: Witness): Witnessed {
  const [from, to] = witness.kind === 'entered' ? [movedAt, null] : [enteredAt, movedAt];
  return { ...witness, recordId: change.id, enteredAt: from, leftAt: to };
}

function missingForStep(
  call: Call,
  object: ObjectDef,
  { name }: PipelineStepDef,
  missing: readonly string[],
): KithError {
  const visible = missing.filter((field) => call.visibility.shows(object.name, field));
  const problems = visible.map((field): FieldError => ({ field, message: `${field} is required before ${name}` }));
  return errors.missingForStep(name, problems);
}
