/** What a request names: an object by its name, a record by its id. What a role may not know of is as unknown as what does not exist. */
import { mayKnow, type Policies } from '../../access/policies.ts';
import { errors, type KithError } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { objectHint } from '../../lib/other-names.ts';
import type { Model, ObjectDef } from '../../model/model.ts';

/** The object by its name; throws INVALID_OBJECT. */
export function objectNamed(model: Model, policies: Policies, name: string): ObjectDef {
  const object = model.objects.get(name);
  if (!object) throw unknownObject(model, policies, name);
  return object;
}

/** INVALID_OBJECT, with the objects that the caller may know of and what may have been meant. */
export function unknownObject(model: Model, policies: Policies, name: string): KithError {
  const known = [...model.objects.values()].filter((object) => mayKnow(object, policies)).map((object) => object.name);
  return errors.invalidObject(name, known, objectHint(name, known));
}

/** The id as the database writes it; throws RECORD_NOT_FOUND for what is no id. */
export function recordId(object: ObjectDef, id: string): string {
  if (!isUuid(id))
    throw errors.recordNotFound(object.name, id, ': ids are UUIDs, such as 0190f6c1-5b1e-7c3a-9d2f-3e8a61b7c904');
  return id.toLowerCase();
}
