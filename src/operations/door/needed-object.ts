/** Checks the right on an object that a record operation requires. */
import type { Call } from '../../access/call.ts';
import { mayDo, takes, type DescribedOperation } from '../../describe/endpoint.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { objectNamed } from '../../records/reading/named.ts';

/**
 * Finds the object `name` and checks the right. Whether the caller may update or delete a record is judged with the record,
 * which may be invisible to it. Throws INVALID_OBJECT, PERMISSION_DENIED.
 */
export function neededObject({ model, visibility }: Call, operation: DescribedOperation, name: string): ObjectDef {
  const object = objectNamed(model, visibility, name, (candidate) => takes(operation, candidate));
  const first = operation.needs === 'create' ? 'create' : 'view';
  if (!mayDo(visibility, first, object.name))
    throw errors.permissionDenied(`Your role may not ${first} ${object.name}`);
  return object;
}
