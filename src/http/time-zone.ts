/** The `Time-Zone` header: the time zone of a request's days. */
import { errors, quoted } from '../errors.ts';
import { bytesOfText, Lru } from '../lib/lru.ts';
import { isTimeZone } from '../lib/standards.ts';

// Creating a formatter costs as much as a small request.
const known = new Lru<string, true>({ name: 'time_zones', maxBytes: 128 * 1024, bytesOf: bytesOfText });

/** The IANA name in the header; undefined without one. Throws VALIDATION_ERROR for anything else, including an offset. */
export function readTimeZone(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const name = String(header).trim();
  if (known.get(name)) return name;
  if (!isTimeZone(name)) {
    throw errors.validation(`The Time-Zone header must be an IANA name such as Europe/Berlin, not ${quoted(name)}`);
  }
  known.set(name, true);
  return name;
}
