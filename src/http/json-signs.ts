/** The signs of JSON: the same numbers as bytes of UTF-8 and as characters of a text. */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
export const closeList = 0x5d;
const openObject = 0x7b;
export const closeObject = 0x7d;

/** Whether a list or an object begins with it. */
export function opens(sign: number | undefined): boolean {
  return sign === openList || sign === openObject;
}

/** Whether a list or an object ends with it. */
export function closes(sign: number | undefined): boolean {
  return sign === closeList || sign === closeObject;
}
