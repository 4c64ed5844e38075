/** Limits on the size of a workspace. */
import { writeJson } from '../lib/json-writer.ts';
import { lengthOf as charactersOf } from '../lib/long-text.ts';
import { caps } from '../model/caps.ts';
import type { StoredModel, StoredObject } from '../model/definition.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { below } from './shape.ts';

/** Adds a problem for each limit that the manifest exceeds; an excess that existed before may stay. */
export async function checkCaps(before: StoredModel, draft: Draft, problems: Problems): Promise<void> {
  const { model } = draft;
  const check = (place: string, now: number, was: number, most: number, what: string) => {
    if (now <= most || now <= was) return;
    const [count, limit] = [now, most].map((number) => number.toLocaleString('en'));
    problems.add(place, `would be ${count} ${what}; at most ${limit} are possible`);
  };
  check('objects', ownObjects(model), ownObjects(before), caps.objects, 'objects beside the built-in ones');
  check('objects', fieldsOf(model), fieldsOf(before), caps.fields, 'fields of all objects together');
  const length = await lengthOf(model);
  if (length > caps.characters) {
    const what = 'characters of JSON, with all that fields, pipelines and roles say';
    check('objects', length, await lengthOf(before), caps.characters, what);
  }
  check('roles', model.roles.length, before.roles.length, caps.roles, 'roles');
  for (const object of model.objects) {
    const was = before.objects.find(({ id }) => id === object.id);
    const place = placeOf(draft, object.id, object.name);
    check(below(place, 'fields'), object.fields.length, was?.fields.length ?? 0, caps.fieldsOfObject, 'fields');
    const inARow = longestChain(object);
    const wereInARow = was ? longestChain(was) : 0;
    check(below(place, 'fields'), inARow, wereInARow, caps.dependentInARow, 'dependent relations in a row');
    const inLinks = linkFieldsOf(object);
    const wereInLinks = was ? linkFieldsOf(was) : 0;
    const what = 'fields of links: MANY_TO_MANY, with their junction fields';
    check(below(place, 'fields'), inLinks, wereInLinks, caps.linkFieldsOfObject, what);
    const pipelines = ({ pipelines: all }: StoredModel) => all.filter(({ object_id: id }) => id === object.id).length;
    check('pipelines', pipelines(model), pipelines(before), caps.pipelinesOfObject, `pipelines of ${object.name}`);
  }
  for (const pipeline of model.pipelines) {
    const was = before.pipelines.find(({ id }) => id === pipeline.id);
    const place = below(placeOf(draft, pipeline.id, pipeline.name), 'steps');
    check(place, pipeline.steps.length, was?.steps.length ?? 0, caps.stepsOfPipeline, 'steps');
  }
}

async function lengthOf({ objects, pipelines, roles }: StoredModel): Promise<number> {
  return charactersOf(await writeJson({ objects, pipelines, roles }));
}

function ownObjects({ objects }: StoredModel): number {
  return objects.filter(({ definition }) => !definition.isSystem).length;
}

function fieldsOf({ objects }: StoredModel): number {
  const count = ({ fields }: StoredObject) =>
    fields.reduce((sum, { definition }) => sum + 1 + (definition.junctionFields?.length ?? 0), 0);
  return objects.reduce((sum, object) => sum + count(object), 0);
}

function linkFieldsOf({ fields }: StoredObject): number {
  const links = fields.filter(({ definition }) => definition.type === 'MANY_TO_MANY');
  return links.reduce((sum, { definition }) => sum + 1 + (definition.junctionFields?.length ?? 0), 0);
}

/** The longest chain of dependent relations of the object. Cycles are refused elsewhere. */
function longestChain({ fields }: StoredObject): number {
  const parents = new Map(fields.map(({ name, definition }) => [name, definition.dependsOn]));
  const lengths = new Map<string, number>();
  for (const { name } of fields) {
    const above: string[] = [];
    let at: string | undefined = name;
    for (; at !== undefined && parents.get(at) !== undefined && !lengths.has(at); at = parents.get(at)) {
      lengths.set(at, 0);
      above.push(at);
    }
    let length = (at !== undefined && lengths.get(at)) || 0;
    for (const child of above.toReversed()) lengths.set(child, ++length);
  }
  return Math.max(0, ...lengths.values());
}
