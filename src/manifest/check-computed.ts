/** Checks CALCULATED and ROLLUP fields: their inputs exist, fit, and do not depend on the result. */
import { outcomeKind } from '../fields/types/calculated.ts';
import { called } from '../fields/expressions/kinds.ts';
import { inputs } from '../fields/expressions/tree.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import { inSlices, mapInSlices } from '../lib/slices.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { resolveAttribute } from '../query/attributes.ts';
import { sizeOfField, type FieldSize } from '../query/measure.ts';
import { objectScope } from '../query/object-scope.ts';
import { everything } from './check-context.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { notThere } from './renames.ts';
import { below } from './shape.ts';

/** In slices, as thousands of fields with hundreds of inputs each take a while. */
export async function checkComputed(model: Model, draft: Draft, problems: Problems): Promise<void> {
  const computed = [...model.objects.values()].flatMap((object) =>
    object.fields
      .filter((field) => field.calculation || field.rollup)
      .map((field) => ({ object, field, place: placeOf(draft, field.id, `${object.name}.${field.name}`) })),
  );
  await inSlices(computed, ({ object, field, place }) => {
    checkInputs(object, field, place, problems);
    if (field.rollup) checkRollup(model, object, field.rollup, below(place, 'rollup'), problems);
  });
  problems.refuse();
  const leanings = new Map<FieldDef, number>();
  await inSlices(computed, ({ object, field, place }) => {
    const found = leaningsOf(model, { object, field });
    leanings.set(field, found.size);
    if (found.has(field)) problems.add(placeIn(field, place), `leans on ${field.name} itself`);
  });
  problems.refuse();
  // Fields with fewer dependencies first, so that no long chain is walked recursively.
  const inward = computed.toSorted((a, b) => (leanings.get(a.field) ?? 0) - (leanings.get(b.field) ?? 0));
  await inSlices(inward, ({ object, field, place }) => {
    const problem = sizeProblem(sizeOfField(model, object, field));
    if (problem) problems.add(placeIn(field, place), problem);
  });
  problems.refuse();
  const unfit = new Map(
    await mapInSlices(computed, ({ object, field }) => [field, misfit(model, object, field)] as const),
  );
  await inSlices(computed, ({ object, field, place }) => {
    const message = unfit.get(field);
    // Fields that depend on a wrong one are not reported.
    const leans = message && [...leaningsOf(model, { object, field })].some((other) => unfit.get(other));
    if (message && !leans) problems.add(below(place, message.key), message.text);
  });
}

function placeIn(field: FieldDef, place: string): string {
  return field.calculation ? `${place}.calculation.expression` : `${place}.rollup.field`;
}

function checkInputs(object: ObjectDef, field: FieldDef, place: string, problems: Problems): void {
  for (const name of field.calculation ? inputs(field.calculation.parsed) : []) {
    if (!resolveAttribute(object, name)) {
      problems.add(
        `${place}.calculation.expression`,
        notThere(`field of ${object.name}`, name, object.attributes.keys()),
      );
    }
  }
}

function checkRollup(
  model: Model,
  object: ObjectDef,
  { objectName, relationField, function: name, field }: NonNullable<FieldDef['rollup']>,
  place: string,
  problems: Problems,
): void {
  const source = model.objects.get(objectName);
  if (!source || (source.kind === 'internal' && object.kind !== 'internal')) {
    const told = [...model.objects.values()].filter(({ kind }) => kind !== 'internal').map(({ name }) => name);
    problems.add(below(place, 'objectName'), notThere('object', objectName, told));
    return;
  }
  const relation = source.attributes.get(relationField)?.relationConfig;
  if (relation?.relationType !== 'BELONGS_TO_ONE' || relation.targetObjectName !== object.name) {
    problems.add(below(place, 'relationField'), `must be a relation of ${objectName} that leads to ${object.name}`);
  }
  if (field === undefined) {
    if (name !== 'COUNT') problems.add(below(place, 'field'), `is required for ${name}`);
  } else if (!resolveAttribute(source, field)) {
    problems.add(below(place, 'field'), notThere(`field of ${objectName}`, field, source.attributes.keys()));
  }
}

interface Node {
  readonly object: ObjectDef;
  readonly field: FieldDef;
}

/** All direct and indirect inputs of a field. */
function leaningsOf(model: Model, node: Node): ReadonlySet<FieldDef> {
  const found = new Set<FieldDef>();
  const open = leansOn(model, node);
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next.field)) continue;
    found.add(next.field);
    open.push(...leansOn(model, next));
  }
  return found;
}

function leansOn(model: Model, { object, field }: Node): Node[] {
  const nodes = (owner: ObjectDef | undefined, names: readonly string[]): Node[] =>
    names.flatMap((name) => {
      const found = owner && resolveAttribute(owner, name);
      return owner && found ? [{ object: owner, field: found }] : [];
    });
  const { calculation, rollup } = field;
  if (calculation) return nodes(object, inputs(calculation.parsed));
  if (rollup) return nodes(model.objects.get(rollup.objectName), rollup.field === undefined ? [] : [rollup.field]);
  return [];
}

const most = { parts: 2_000, depth: 300, sums: 3 };

function sizeProblem({ parts, depth, sums }: FieldSize): string | undefined {
  const withAll = 'with the computed fields that it is made of';
  if (sums > most.sums) return `is a ROLLUP within more than ${most.sums - 1} others`;
  if (depth > most.depth) return `is nested deeper than ${most.depth} levels ${withAll}`;
  if (parts > most.parts) return `has more than ${most.parts.toLocaleString('en')} parts ${withAll}`;
  return undefined;
}

/** The key and problem of a computed field whose inputs exist. */
function misfit(model: Model, object: ObjectDef, field: FieldDef): { key: string; text: string } | undefined {
  const { calculation, rollup } = field;
  try {
    const { kind } = objectScope(everything(model), object, 'r').operand(field.name);
    if (!calculation || kind === outcomeKind(calculation.outputType)) return undefined;
    const text = `is ${calculation.outputType}, but the expression gives a ${called(kind)}`;
    return { key: 'calculation.outputType', text };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    const text = `${error.message}${error.availableValues ? `: one of ${error.availableValues.join(', ')}` : ''}`;
    return { key: rollup ? 'rollup.function' : 'calculation.expression', text };
  }
}
