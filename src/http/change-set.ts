/** The `Change-Set` header: writes that belong together, so that they are undone together. */
import { errors, quoted } from '../errors.ts';
import { isUuid } from '../lib/id.ts';

/** The id in the header, undefined without one. Throws VALIDATION_ERROR for what is no UUID. */
export function readChangeSet(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const id = String(header).trim();
  if (!isUuid(id)) throw errors.validation(`The Change-Set header must be a UUID, not ${quoted(id)}`);
  return id.toLowerCase();
}
