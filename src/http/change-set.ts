/** The `Change-Set` header: writes that belong together, so that they are undone together. */
import { errors, quoted } from '../errors.ts';
import { isUuid } from '../lib/id.ts';

/** The id in the header, undefined without one. Throws VALIDATION_ERROR for what is no UUID, and for the nil one. */
export function readChangeSet(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const id = String(header).trim();
  if (!isUuid(id)) throw errors.validation(`The Change-Set header must be a UUID, not ${quoted(id)}`);
  if (isNil(id)) throw errors.validation('The Change-Set header must be a UUID of your own, not the nil one');
  return id.toLowerCase();
}

/** The id of nothing, which programs send that have none: it would put together what nobody wants together. */
function isNil(id: string): boolean {
  return /^[0-]+$/.test(id);
}
