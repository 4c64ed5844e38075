/**
 * Text that may be long: a string, or the strings that it consists of. To put megabytes together at one go holds everybody
 * up, and whoever sends, seals or hashes text takes it in pieces anyway.
 */

export type LongText = string | readonly string[];

/** Characters of a piece at most. */
const usualLength = 262_144;

/** Whether `text` is longer than a piece. */
export function isLong(text: LongText): boolean {
  return typeof text !== 'string' || text.length > usualLength;
}

/** `parts`, one after the other. */
export function together(...parts: readonly LongText[]): LongText {
  return joined(parts);
}

/** The same with `divider` between them. */
export function joined(parts: Iterable<LongText>, divider = ''): LongText {
  const long: string[] = [];
  let text = '';
  const add = (part: string) => {
    if (text.length + part.length > usualLength && text !== '') {
      long.push(text);
      text = part;
    } else text += part;
  };
  let before = '';
  for (const part of parts) {
    add(before);
    if (typeof part === 'string') add(part);
    else for (const one of part) add(one);
    before = divider;
  }
  return long.length === 0 ? text : [...long, text];
}

/** As one string. */
export function whole(text: LongText): string {
  return typeof text === 'string' ? text : text.join('');
}

/** Characters of `text`. */
export function lengthOf(text: LongText): number {
  return typeof text === 'string' ? text.length : text.reduce((sum, part) => sum + part.length, 0);
}

/** Bytes of `text` in UTF-8. */
export function utf8Length(text: LongText): number {
  return typeof text === 'string'
    ? Buffer.byteLength(text)
    : text.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** Pieces which together are `text`; none of them ends in the middle of a surrogate pair. */
export function* piecesOf(text: LongText, pieceLength = usualLength): Generator<string, void, undefined> {
  for (const part of typeof text === 'string' ? [text] : text) {
    for (let at = 0; at < part.length;) {
      let end = Math.min(part.length, at + pieceLength);
      if (end < part.length && isHighSurrogate(part.charCodeAt(end - 1))) end--;
      yield part.slice(at, end);
      at = end;
    }
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
