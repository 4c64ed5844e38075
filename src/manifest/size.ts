/** Limits the size of a manifest. */
import { errors } from '../errors.ts';
import { isObject, type Json } from '../lib/json.ts';

/** Ten thousand fields have eighty thousand values. Reading this many takes some ten milliseconds. */
const mostValues = 150_000;

/** Throws VALIDATION_ERROR for a manifest with more values. */
export function refuseHugeManifest(manifest: Json): void {
  const open: Json[] = [manifest];
  let count = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const inside = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    count += inside.length;
    if (count > mostValues)
      throw errors.validation(
        `The manifest has more than ${mostValues.toLocaleString('en')} values: apply it in parts, some objects at a time`,
      );
    for (const item of inside) open.push(item);
  }
}
