/** Characters of JSON: the same codes in UTF-8 bytes and text. */

export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const colon = 0x3a;
export const openList = 0x5b;
export const closeList = 0x5d;
const openObject = 0x7b;
export const closeObject = 0x7d;

/** Whether it begins a list or object. */
export function opens(sign: number | undefined): boolean {
  return sign === openList || sign === openObject;
}

/** Whether it ends a list or object. */
export function closes(sign: number | undefined): boolean {
  return sign === closeList || sign === closeObject;
}
