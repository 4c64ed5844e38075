/** Checks objects: display fields and unique keys. */
import { quoted } from '../errors.ts';
import type { StoredObject } from '../model/definition.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { isFixed, notThere } from './renames.ts';
import { below } from './shape.ts';

/** Types whose values cannot name a record. */
const unspeaking: ReadonlySet<string> = new Set([
  'EMAILS',
  'PHONES',
  'MULTI_SELECT',
  'MANY_TO_MANY',
  'ADDRESS',
  'PIPELINE',
  'MORPH_RELATION',
]);

const always: readonly string[] = ['id', 'created_at', 'updated_at'];

/** Adds the problems of the objects' display fields and keys. */
export function checkObjects(draft: Draft, problems: Problems): void {
  for (const object of draft.model.objects) {
    checkDisplay(object, draft, problems);
    checkKeys(object, draft, problems);
  }
}

function checkDisplay(object: StoredObject, draft: Draft, problems: Problems): void {
  const { displayField } = object.definition;
  if (always.includes(displayField)) return;
  const place = below(placeOf(draft, object.id, object.name), 'displayField');
  const field = object.fields.find((candidate) => candidate.name === displayField);
  if (!field) {
    const names = object.fields.map((candidate) => candidate.name);
    problems.add(place, notThere(`field of ${object.name}`, displayField, names));
  } else if (unspeaking.has(field.definition.type) || field.definition.relationConfig?.relationType === 'HAS_MANY') {
    problems.add(place, `is ${quoted(displayField)}, a ${field.definition.type}, which cannot name a record`);
  }
}

function checkKeys(object: StoredObject, draft: Draft, problems: Problems): void {
  const types = new Map(object.fields.map((field) => [field.name, field.definition]));
  const pipelines = object.fields.filter((field) => field.definition.type === 'PIPELINE');
  for (const field of pipelines.slice(1)) {
    const place = placeOf(draft, field.id, `${object.name}.${field.name}`);
    problems.add(below(place, 'type'), `is the second PIPELINE of ${object.name}: an object has one at most`);
  }
  for (const field of object.fields) {
    const place = placeOf(draft, field.id, `${object.name}.${field.name}`);
    if (isFixed(field.name) && field.definition.type !== 'USERS') {
      problems.add(below(place, 'type'), `must be USERS: every object has ${field.name}`);
    }
    const base = types.get(field.name.replace(/_display$/, ''));
    if (field.name.endsWith('_display') && base && hasDisplay(base)) {
      problems.add(below(place, 'name'), `must be another name: ${quoted(field.name)} is shown beside the relation`);
    }
  }
}

function hasDisplay({ type, relationConfig }: StoredObject['fields'][number]['definition']): boolean {
  return type === 'USERS' || (relationConfig !== undefined && type !== 'MANY_TO_MANY');
}
