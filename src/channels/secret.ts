/** What proves to a provider who asks: it comes in, and is told to nobody. */
import { Type } from 'typebox';

/** The schema of a secret, whose value no refusal repeats. */
export function Secret(maxLength = 8_192) {
  return Type.String({ minLength: 1, maxLength, writeOnly: true });
}
