/** Checks fields by themselves: each has the keys that its type requires, and no others. */
import {
  isComputed,
  mayBeJunction,
  mayBeRequired,
  mayBeSearchable,
  mayBeUnique,
  placesByItself,
  relationTypesOf,
  takesOptions,
} from '../fields/abilities.ts';
import { parseExpression } from '../fields/expressions/parse.ts';
import type { RelationConfig } from '../fields/field-def.ts';
import { FieldProblem } from '../fields/field-problem.ts';
import { caps } from '../model/caps.ts';
import type { FieldDefinition, StoredField, StoredObject } from '../model/definition.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { notThere } from './renames.ts';
import { below } from './shape.ts';

/** Adds the problems of field definitions: keys, junctions, relations, dependencies and expressions. */
export function checkFields(draft: Draft, problems: Problems): void {
  // Managed objects are fixed by Kith, not by a manifest.
  const checked = draft.model.objects.filter(({ definition }) => definition.kind === undefined);
  const told = draft.model.objects.filter(({ definition }) => definition.kind !== 'internal');
  const objects = new Map(told.map((object) => [object.name, object]));
  for (const object of checked) {
    const parents = parentsIn(object);
    for (const field of object.fields) {
      const place = placeOf(draft, field.id, `${object.name}.${field.name}`);
      checkKeys(field.definition, place, problems);
      if (draft.places.has(field.id)) checkFillable(field, place, problems);
      checkJunction(field, place, problems);
      const { relationConfig } = field.definition;
      if (relationConfig) checkRelation(object, relationConfig, objects, place, problems);
      checkDependence(object, field, parents, objects, place, problems);
      checkExpression(field.definition, place, problems);
    }
  }
}

function checkKeys(definition: FieldDefinition, place: string, problems: Problems): void {
  const { type, isRequired, isSearchable, isUnique, options, relationConfig } = definition;
  const declared = { type, ...(relationConfig && { relationConfig }) };
  const wrong = (key: string, message: string) => problems.add(below(place, key), message);
  if (takesOptions(declared) && !options) wrong('options', `is required for ${type}`);
  if (!takesOptions(declared) && options) wrong('options', `cannot be given for ${type}`);
  if (isRequired && !mayBeRequired(declared)) wrong('isRequired', `cannot be true for ${kind(definition)}`);
  if (isUnique && !mayBeUnique(declared)) wrong('isUnique', `cannot be true for ${kind(definition)}`);
  if (isSearchable && !mayBeSearchable(declared)) wrong('isSearchable', `cannot be true for ${kind(definition)}`);
  const types = relationTypesOf({ type });
  if (types.length === 0 && relationConfig) wrong('relationConfig', `cannot be given for ${type}`);
  if (types.length > 0 && !relationConfig) wrong('relationConfig', `is required for ${type}`);
  if (relationConfig && types.length > 0 && !types.includes(relationConfig.relationType)) {
    wrong('relationConfig.relationType', `must be ${types.join(' or ')} for ${type}`);
  }
  for (const [key, only] of Object.entries(onlyFor)) {
    const given = definition[key as keyof typeof onlyFor] !== undefined;
    if (given && type !== only) wrong(key, `can be given for ${only} alone`);
    if (!given && type === only && key !== 'junctionFields') wrong(key, `is required for ${type}`);
  }
}

/** Fields that are set on every new record. */
const filledFields: ReadonlySet<string> = new Set(['owner', 'created_by']);

/** Only for fields that the manifest names: an existing workspace may be moved and restored as it is. */
function checkFillable({ name, definition }: StoredField, place: string, problems: Problems): void {
  const { isRequired, isReadonly, defaultValue = null } = definition;
  const isFilled = defaultValue !== null || filledFields.has(name) || placesByItself(definition);
  if (isRequired && isReadonly && !isFilled && mayBeRequired(definition))
    problems.add(
      below(place, 'isRequired'),
      'cannot be true where isReadonly is, without a defaultValue: no record could be created',
    );
}

const onlyFor = {
  calculation: 'CALCULATED',
  rollup: 'ROLLUP',
  dependsOn: 'DEPENDENT_RELATION',
  junctionFields: 'MANY_TO_MANY',
} as const;

function kind({ type, relationConfig }: FieldDefinition): string {
  return relationConfig ? `${type} (${relationConfig.relationType})` : type;
}

function checkJunction({ definition }: StoredField, place: string, problems: Problems): void {
  if ((definition.junctionFields ?? []).length > caps.linkFieldsOfField)
    problems.add(`${place}.junctionFields`, `are more than ${caps.linkFieldsOfField}, with those that there are`);
  for (const [index, { definition: part, name }] of (definition.junctionFields ?? []).entries()) {
    const at = `${place}.junctionFields[${index}]`;
    if (mayBeJunction({ type: part.type })) checkKeys(part, at, problems);
    else problems.add(below(at, 'type'), `is ${part.type}, which a link cannot carry (${name})`);
  }
}

function checkRelation(
  object: StoredObject,
  config: RelationConfig,
  objects: ReadonlyMap<string, StoredObject>,
  place: string,
  problems: Problems,
): void {
  const at = below(place, 'relationConfig');
  const { relationType, targetObjectName, targetObjectNames, inverseField } = config;
  if (relationType === 'MORPH_RELATION') {
    if (!targetObjectNames || targetObjectNames.length === 0)
      problems.add(below(at, 'targetObjectNames'), 'is required');
    for (const [index, name] of (targetObjectNames ?? []).entries()) {
      if (!objects.has(name))
        problems.add(`${at}.targetObjectNames[${index}]`, notThere('object', name, objects.keys()));
    }
    return;
  }
  if (targetObjectNames) problems.add(below(at, 'targetObjectNames'), 'can be given for MORPH_RELATION alone');
  if (targetObjectName === '') problems.add(below(at, 'targetObjectName'), 'is required');
  else if (!objects.has(targetObjectName)) {
    problems.add(below(at, 'targetObjectName'), notThere('object', targetObjectName, objects.keys()));
  }
  if (relationType !== 'HAS_MANY') {
    if (inverseField !== undefined) problems.add(below(at, 'inverseField'), 'can be given for HAS_MANY alone');
    return;
  }
  const target = objects.get(targetObjectName);
  if (inverseField === undefined) problems.add(below(at, 'inverseField'), 'is required for HAS_MANY');
  else if (target && !relationsTo(target, object.name).includes(inverseField)) {
    problems.add(below(at, 'inverseField'), `must be a relation of ${targetObjectName} that leads to ${object.name}`);
  }
}

function relationsTo(object: StoredObject, target: string): readonly string[] {
  return object.fields
    .filter(
      ({ definition: { relationConfig: config } }) =>
        config?.relationType === 'BELONGS_TO_ONE' && config.targetObjectName === target,
    )
    .map((field) => field.name);
}

/** The target of the child must have a relation to the target of the parent. */
function checkDependence(
  object: StoredObject,
  { name, definition }: StoredField,
  parents: ReadonlyMap<string, string | undefined>,
  objects: ReadonlyMap<string, StoredObject>,
  place: string,
  problems: Problems,
): void {
  const { dependsOn, relationConfig } = definition;
  if (dependsOn === undefined || !relationConfig) return;
  const at = below(place, 'dependsOn');
  const parent = object.fields.find((field) => field.name === dependsOn);
  const parentTarget = parent?.definition.relationConfig;
  if (!parent)
    problems.add(
      at,
      notThere(
        `field of ${object.name}`,
        dependsOn,
        object.fields.map((field) => field.name),
      ),
    );
  else if (parentTarget?.relationType !== 'BELONGS_TO_ONE') problems.add(at, 'must be a relation to one record');
  else if (leadsBack(parents, name)) problems.add(at, 'leads back to the field itself');
  else {
    const target = objects.get(relationConfig.targetObjectName);
    if (target && relationsTo(target, parentTarget.targetObjectName).length === 0) {
      problems.add(
        at,
        `leads to ${parentTarget.targetObjectName}, to which ${target.name} has no relation: no record could fit`,
      );
    }
  }
}

function parentsIn({ fields }: StoredObject): ReadonlyMap<string, string | undefined> {
  return new Map(fields.map(({ name, definition }) => [name, definition.dependsOn]));
}

function leadsBack(parents: ReadonlyMap<string, string | undefined>, name: string): boolean {
  const seen = new Set<string>();
  let current: string | undefined = name;
  while (current !== undefined && !seen.has(current)) {
    seen.add(current);
    current = parents.get(current);
  }
  return current === name;
}

function checkExpression({ calculation, type }: FieldDefinition, place: string, problems: Problems): void {
  if (!calculation || !isComputed({ type })) return;
  try {
    parseExpression(calculation.expression);
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    problems.add(`${place}.calculation.expression`, error.message);
  }
}
