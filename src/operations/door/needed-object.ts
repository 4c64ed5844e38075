/** The right on an object that an operation on its records takes: the door holds every such operation to it. */
import type { Call } from '../../access/call.ts';
import { mayDo, takes, type DescribedOperation } from '../../describe/endpoint.ts';
import { errors } from '../../errors.ts';
import type { ObjectDef } from '../../model/model.ts';
import { objectNamed } from '../../records/reading/named.ts';

/**
 * The object called `name`. Whether the caller may update or delete a record is judged with the record: to one that does not
 * see it, it is not there. Throws INVALID_OBJECT, PERMISSION_DENIED.
 */
export function neededObject({ model, visibility }: Call, operation: DescribedOperation, name: string): ObjectDef {
  const object = objectNamed(model, visibility, name, (candidate) => takes(operation, candidate));
  const first = operation.needs === 'create' ? 'create' : 'view';
  if (!mayDo(visibility, first, object.name))
    throw errors.permissionDenied(`Your role may not ${first} ${object.name}`);
  return object;
}
