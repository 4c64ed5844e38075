/** The `Change-Set` header: writes with the same id are undone together. */
import { errors, quoted } from '../errors.ts';
import { isUuid } from '../lib/id.ts';

/** The id in the header, or undefined without one. Throws VALIDATION_ERROR for an invalid UUID and for the nil UUID. */
export function readChangeSet(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const id = String(header).trim();
  if (!isUuid(id)) throw errors.validation(`The Change-Set header must be a UUID, not ${quoted(id)}`);
  if (isNil(id)) throw errors.validation('The Change-Set header must not be the nil UUID; generate a new one');
  return id.toLowerCase();
}

/** Programs without an id send the nil UUID; it would join unrelated writes. */
function isNil(id: string): boolean {
  return /^[0-]+$/.test(id);
}
