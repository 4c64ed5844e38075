/** Who may touch an object: the gates that operations on records begin with. */
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import type { ObjectDef } from '../model/model.ts';
import { objectNamed, unknownObject } from '../records/reading/named.ts';

/** The object, for whoever may see some of its rows. Throws INVALID_OBJECT, PERMISSION_DENIED. */
export function viewableObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name);
  if (call.visibility.rows(object.name) === 'none')
    throw errors.permissionDenied(`Your role may not view ${object.name}`);
  return object;
}

/** The object, for whoever may create records of it. Throws INVALID_OBJECT, PERMISSION_DENIED. */
export function creatableObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name);
  if (!call.visibility.mayCreate(object.name)) throw errors.permissionDenied(`Your role may not create ${object.name}`);
  return object;
}

/** The object, for whoever may export some of its rows; to others it is as unknown as what does not exist. Throws INVALID_OBJECT. */
export function exportableObject(call: Call, name: string): ObjectDef {
  const object = objectNamed(call.model, call.visibility, name);
  if (call.visibility.rows(object.name) === 'none') throw unknownObject(call.model, call.visibility, name);
  return object;
}
