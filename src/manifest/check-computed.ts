/** CALCULATED and ROLLUP fields: their inputs are there, fit, and do not lean on the outcome. */
import { outcomeKind } from '../fields/calculated.ts';
import { called } from '../fields/expression-kinds.ts';
import { inputs, partsOf, type Expression } from '../fields/expression-tree.ts';
import type { FieldDef } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import type { Model, ObjectDef } from '../model/model.ts';
import { resolveAttribute } from '../query/attributes.ts';
import { objectScope } from '../query/object-scope.ts';
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
    if (leaningsOf(model, { object, field }).some((node) => node.field === field)) {
      problems.add(placeIn(field, place), `leans on ${field.name} itself`);
    }
  }
  problems.refuse();
  const measure = measureOf(model);
  // What a field is made of is made of less: it is measured first, so that no chain of fields is walked at once.
  const leanings = new Map(computed.map(({ object, field }) => [field, leaningsOf(model, { object, field }).length]));
  const inward = computed.toSorted((a, b) => (leanings.get(a.field) ?? 0) - (leanings.get(b.field) ?? 0));
  const written = new Map<ObjectDef, number>();
  for (const { object, field, place } of inward) {
    const size = measure({ object, field });
    const together = (written.get(object) ?? 0) + size.parts;
    written.set(object, together);
    const problem = sizeProblem(size, together);
    if (problem) problems.add(placeIn(field, place), problem);
  }
  problems.refuse();
  const unfit = new Map(computed.map(({ object, field }) => [field, misfit(model, object, field)]));
  for (const { object, field, place } of computed) {
    const message = unfit.get(field);
    // What leans on a mistake has none of its own.
    const leans = leaningsOf(model, { object, field }).some((node) => unfit.get(node.field));
    if (message && !leans) problems.add(below(place, message.key), message.text);
  }
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

/** Everything that a field is made of, directly or not. */
function leaningsOf(model: Model, node: Node): readonly Node[] {
  const found = new Map<FieldDef, Node>();
  const open = leansOn(model, node);
  for (let next = open.pop(); next; next = open.pop()) {
    if (found.has(next.field)) continue;
    found.set(next.field, next);
    open.push(...leansOn(model, next));
  }
  return [...found.values()];
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

/** How much a field is, with all that it is made of written out: that is what PostgreSQL has to read. */
interface Measure {
  readonly parts: number;
  readonly depth: number;
  /** ROLLUPs within ROLLUPs. */
  readonly sums: number;
}

const most: Measure = { parts: 2_000, depth: 300, sums: 3 };
/** A ROLLUP counts as so many parts. */
const partsOfSum = 20;

function measureOf(model: Model): (node: Node) => Measure {
  const known = new Map<FieldDef, Measure>();
  const measure = (node: Node): Measure => {
    let found = known.get(node.field);
    if (!found) known.set(node.field, (found = find(node)));
    return found;
  };
  const find = ({ object, field }: Node): Measure => {
    if (field.calculation) return measureTree(field.calculation.parsed, object);
    const [summed] = leansOn(model, { object, field });
    if (!field.rollup) return { parts: 1, depth: 1, sums: 0 };
    const inner = summed ? measure(summed) : { parts: 0, depth: 0, sums: 0 };
    return { parts: partsOfSum + inner.parts, depth: 1 + inner.depth, sums: 1 + inner.sums };
  };
  const measureTree = (tree: Expression, object: ObjectDef): Measure => {
    const input = tree.kind === 'field' ? resolveAttribute(object, tree.name) : undefined;
    const parts = input ? [measure({ object, field: input })] : partsOf(tree).map((part) => measureTree(part, object));
    return {
      parts: 1 + parts.reduce((sum, part) => sum + part.parts, 0),
      depth: 1 + Math.max(0, ...parts.map((part) => part.depth)),
      sums: Math.max(0, ...parts.map((part) => part.sums)),
    };
  };
  return measure;
}

/** A record shows all of its fields at once. */
const mostTogether = 20_000;

function sizeProblem({ parts, depth, sums }: Measure, together: number): string | undefined {
  const withAll = 'with the computed fields that it is made of';
  if (sums > most.sums) return `is a ROLLUP within more than ${most.sums - 1} others`;
  if (depth > most.depth) return `is nested deeper than ${most.depth} levels ${withAll}`;
  if (parts > most.parts) return `has more than ${most.parts.toLocaleString('en')} parts ${withAll}`;
  if (together > mostTogether) {
    return `brings the computed fields of its object to more than ${mostTogether.toLocaleString('en')} parts`;
  }
  return undefined;
}

/** What does not fit in a computed field whose inputs are there, and at which of its keys. */
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
