/** The schema of credentials: accepted in requests, never returned. */
import { Type } from 'typebox';

/** A write-only string, whose value no error message repeats. */
export function Secret(maxLength = 8_192) {
  return Type.String({ minLength: 1, maxLength, writeOnly: true });
}
