/** CALCULATED and ROLLUP fields: their inputs are there, fit, and do not lean on the outcome. */
import { inputs } from '../fields/expression.ts';
import type { FieldDef, FieldTypeName } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import type { OperandKind } from '../fields/operators/operator.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { resolveAttribute } from '../query/attributes.ts';
import { objectScope } from '../query/row-scope.ts';
import { everything } from './check-context.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { notThere } from './renames.ts';
import { below } from './shape.ts';

export function checkComputed(model: Model, draft: Draft, problems: Problems): void {
  const computed = [...model.objects.values()].flatMap((object) =>
    object.fields
      .filter((field) => field.calculation || field.rollup)
      .map((field) => ({ object, field, place: placeOf(draft, field.id, `${object.name}.${field.name}`) })),
  );
  for (const { object, field, place } of computed) {
    checkInputs(object, field, place, problems);
    if (field.rollup) checkRollup(model, object, field.rollup, below(place, 'rollup'), problems);
  }
  problems.refuse();
  for (const { object, field, place } of computed) {
    const at = field.calculation ? `${place}.calculation.expression` : `${place}.rollup.field`;
    if (leansOnItself(model, object, field)) problems.add(at, `leans on ${field.name} itself`);
  }
  problems.refuse();
  for (const { object, field, place } of computed) checkOutcome(model, object, field, place, problems);
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
  if (!source) {
    problems.add(below(place, 'objectName'), notThere('object', objectName, model.objects.keys()));
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

function leansOnItself(model: Model, object: ObjectDef, field: FieldDef): boolean {
  const seen = new Set<FieldDef>();
  const open: Node[] = leansOn(model, { object, field });
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.field === field) return true;
    if (seen.has(node.field)) continue;
    seen.add(node.field);
    open.push(...leansOn(model, node));
  }
  return false;
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

function checkOutcome(model: Model, object: ObjectDef, field: FieldDef, place: string, problems: Problems): void {
  if (!field.calculation) return;
  const { outputType } = field.calculation;
  try {
    const { kind } = objectScope(everything(model), object, 'r').operand(field.name);
    const wanted = kinds[outputType] ?? 'number';
    if (kind !== wanted)
      problems.add(`${place}.calculation.outputType`, `is ${outputType}, but the expression gives a ${kind}`);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    problems.add(`${place}.calculation.expression`, error.message);
  }
}

/** Every other type that an outcome may have is a number. */
const kinds: Partial<Record<FieldTypeName, OperandKind>> = {
  TEXT: 'text',
  LONG_TEXT: 'text',
  BOOLEAN: 'boolean',
  DATE: 'date',
  DATETIME: 'datetime',
};
