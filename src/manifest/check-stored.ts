/** Checks a stored workspace from outside, such as a backup: a manifest could have made it. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../lib/json.ts';
import { isUuid } from '../lib/id.ts';
import { currencyProblem, timeZoneProblem } from '../lib/standards.ts';
import { builtInObjects, heldBy, storedObject } from '../model/built-ins.ts';
import type { ObjectDefinition, OrganizationRef, StoredModel, StoredObject } from '../model/definition.ts';
import { checkedModel } from './check.ts';
import { readWhole } from './manifest.ts';
import { Problems } from './problems.ts';
import { manifestOf } from './pull.ts';
import { entry, flag, list, text, textThat, type Shape } from './shape.ts';

const uuid = textThat((given) => (isUuid(given) ? undefined : 'must be a UUID'));
const count = textThat((given) => (/^\d{1,18}$/.test(given) ? undefined : 'must be a number'));

const anObject: Shape<JsonObject> = (value, place, problems) => {
  if (isObject(value)) return value;
  problems.add(place, 'must be an object');
  return undefined;
};

const position: Shape<number> = (value, place, problems) => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  problems.add(place, 'must be a number');
  return undefined;
};

const junctionFields = list(entry({ id: text(), name: text(), definition: anObject }, {}));

const fieldDefinition: Shape<JsonObject> = (value, place, problems) => {
  const definition = anObject(value, place, problems);
  const junction = definition?.['junctionFields'];
  if (junction !== undefined) junctionFields(junction, `${place}.junctionFields`, problems);
  return definition;
};

const stored = entry(
  {
    name: text(),
    currency: textThat(currencyProblem),
    timezone: textThat(timeZoneProblem),
    version: count,
    epoch: count,
    objects: list(
      entry(
        {
          id: uuid,
          name: text(),
          definition: anObject,
          fields: list(entry({ id: uuid, name: text(), definition: fieldDefinition }, {})),
        },
        {},
      ),
    ),
    pipelines: list(
      entry(
        {
          id: uuid,
          object_id: uuid,
          name: text(),
          is_default: flag,
          steps: list(entry({ id: uuid, name: text(), order_index: position, definition: anObject }, {})),
        },
        {},
      ),
    ),
    roles: list(entry({ id: uuid, name: text(), is_admin: flag, permissions: anObject }, {})),
  },
  {},
);

/** The checked workspace. Throws VALIDATION_ERROR with all problems and their places. */
export async function checkStored(organization: OrganizationRef, value: Json): Promise<StoredModel> {
  const problems = new Problems({ boundsLists: false });
  stored(value, '', problems);
  problems.refuse();
  // Its frame was read above; the definitions are read as a manifest's.
  const model = value as unknown as StoredModel;
  refuseSharedIds(model, problems);
  refuseForeignTraits(model, problems);
  readWhole(manifestOf(model));
  await checkedModel(organization, { model, places: new Map() }, problems);
  return model;
}

/** Refuses keys of built-in objects: they choose the table, and hide rows from all roles. */
function refuseForeignTraits({ objects }: StoredModel, problems: Problems): void {
  for (const object of objects) {
    const { name, definition } = object;
    const declared = definition.isSystem ? builtInObjects.find((one) => one.name === name) : undefined;
    const isAsDeclared = isDeepStrictEqual(traitsOf(definition), traitsOf(declared ?? {}));
    if (!isAsDeclared || (declared?.kind && !isOfRelease(object, storedObject(declared))))
      problems.add(name, 'is not the built-in object that it says it is');
  }
  problems.refuse();
}

/**
 * Whether an earlier release could have made the object: its fields are among the present ones, with the same storage.
 * Other keys are updated.
 */
function isOfRelease(object: StoredObject, release: StoredObject): boolean {
  const known = new Map(release.fields.map((field) => [field.name, field]));
  return object.fields.every((field) => {
    const own = known.get(field.name);
    return own !== undefined && isDeepStrictEqual(heldBy(field), heldBy(own));
  });
}

function traitsOf({ kind, table, ownFields, condition }: Partial<ObjectDefinition>): Partial<ObjectDefinition> {
  return {
    ...(kind && { kind }),
    ...(table !== undefined && { table }),
    ...(ownFields && { ownFields }),
    ...(condition && { condition }),
  };
}

/** Ids must be unique, since names of tables and indexes contain them. */
function refuseSharedIds({ objects, pipelines, roles }: StoredModel, problems: Problems): void {
  const seen = new Set<string>();
  const parts = [
    ...objects.flatMap((object) => [object, ...object.fields]),
    ...pipelines.flatMap((pipeline) => [pipeline, ...pipeline.steps]),
    ...roles,
  ];
  for (const { id, name } of parts) {
    if (seen.has(id)) problems.add(name, 'has the id of something else');
    seen.add(id);
  }
  problems.refuse();
}
