/** What a request names: an object by its name, a record by its id. What a role may not know of is as unknown as what does not exist. */
import { mayKnow, type Policies } from '../../access/policies.ts';
import { errors, type KithError } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { objectHint } from '../../lib/other-names.ts';
import { restPrefix } from '../../lib/rest-prefix.ts';
import type { Model, ObjectDef } from '../../model/model.ts';

/** The object by its name, of those that are asked for; throws INVALID_OBJECT. */
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

/** INVALID_OBJECT, with the objects that the caller may know of and what may have been meant. */
export function unknownObject(model: Model, policies: Policies, name: string, isAskedFor = isTold): KithError {
  const objects = [...model.objects.values()].filter((object) => isAskedFor(object) && mayKnow(object, policies));
  const known = objects.map((object) => object.name);
  const isManaged = model.objects.get(name)?.kind === 'managed';
  return errors.invalidObject(name, known, isManaged ? ownOperations(name) : objectHint(name, known));
}

/** The service's own objects are told to nobody who does not ask for hidden ones. */
function isTold({ kind }: ObjectDef): boolean {
  return kind !== 'internal';
}

const isUnset = ': the id is empty; perhaps a variable is not set';

/** Where those of tasks and notes are. */
const ownOperations = (name: string) => ` here: it has operations of its own, at ${restPrefix}/${name}`;

/** The service's own object of that name. Throws NOT_SUPPORTED in an organization that gave the name to an object of its own. */
export function internalObject({ model }: { readonly model: Model }, name: string): ObjectDef {
  const object = model.objects.get(name);
  if (object?.kind === 'internal') return object;
  throw errors.notSupported(`This organization has an object of its own called ${name}: its admin has to rename it`);
}

/** The id as the database writes it; throws RECORD_NOT_FOUND for what is no id. */
export function recordId(object: ObjectDef, id: string): string {
  if (!isUuid(id))
    throw errors.recordNotFound(
      object.name,
      id,
      id === '' ? isUnset : ': ids are UUIDs, such as 0190f6c1-5b1e-7c3a-9d2f-3e8a61b7c904',
    );
  return id.toLowerCase();
}
