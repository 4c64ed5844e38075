/**
 * Resolves names of objects and ids of records in a request. What a role may not know of looks like what does not
 * exist.
 */
import { mayKnow, type Policies } from '../../access/policies.ts';
import { errors, type KithError } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { objectHint } from '../../lib/other-names.ts';
import { restPrefix } from '../../lib/url-paths.ts';
import type { Model, ObjectDef } from '../../model/model.ts';

/** The object with that name, among the accepted ones; throws INVALID_OBJECT. */
export function objectNamed(
  model: Model,
  policies: Policies,
  name: string,
  isAskedFor: (object: ObjectDef) => boolean = isTold,
): ObjectDef {
  const object = model.objects.get(name);
  if (object && isAskedFor(object)) return object;
  throw unknownObject(model, policies, name, isAskedFor);
}

/** INVALID_OBJECT, with the objects that the caller may know of, and a suggestion. */
export function unknownObject(model: Model, policies: Policies, name: string, isAskedFor = isTold): KithError {
  const objects = [...model.objects.values()].filter((object) => isAskedFor(object) && mayKnow(object, policies));
  const known = objects.map((object) => object.name);
  const isManaged = model.objects.get(name)?.kind === 'managed';
  return errors.invalidObject(name, known, isManaged ? ownOperations(name) : objectHint(name, known));
}

/** Internal objects are listed only where a request includes hidden ones. */
function isTold({ kind }: ObjectDef): boolean {
  return kind !== 'internal';
}

const isUnset = ': the id is empty; perhaps a variable is not set';

/** Where those of tasks and notes are. */
const ownOperations = (name: string) => ` here: it has operations of its own, at ${restPrefix}/${name}`;

/**
 * The internal object with that name. Throws NOT_SUPPORTED in an organization that uses the name for its own object.
 */
export function internalObject({ model }: { readonly model: Model }, name: string): ObjectDef {
  const object = model.objects.get(name);
  if (object?.kind === 'internal') return object;
  throw errors.notSupported(`This organization has an object of its own called ${name}: its admin has to rename it`);
}

/** The id in the database's form; throws RECORD_NOT_FOUND for invalid ones. */
export function recordId(object: ObjectDef, id: string): string {
  if (!isUuid(id))
    throw errors.recordNotFound(
      object.name,
      id,
      id === '' ? isUnset : ': ids are UUIDs, such as 0190f6c1-5b1e-7c3a-9d2f-3e8a61b7c904',
    );
  return id.toLowerCase();
}
