/**
 * Long text: a string, or the list of strings that it consists of. Joining megabytes at once would block the process,
 * and senders, sealers and hashers take pieces anyway.
 */

export type LongText = string | readonly string[];

/** Maximum characters of a piece. */
const defaultPiece = 262_144;

/** Whether `text` is longer than a piece. */
export function isLong(text: LongText): boolean {
  return typeof text !== 'string' || text.length > defaultPiece;
}

/** The concatenation of `parts`. */
export function together(...parts: readonly LongText[]): LongText {
  return joined(parts);
}

/** The parts joined with `divider`. */
export function joined(parts: Iterable<LongText>, divider = ''): LongText {
  const long: string[] = [];
  let text = '';
  const add = (part: string) => {
    if (text.length + part.length > defaultPiece && text !== '') {
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

/** The text as one string. */
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

/** The pieces of `text`; none ends inside a surrogate pair. */
export function* piecesOf(text: LongText, pieceLength = defaultPiece): Generator<string, void, undefined> {
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
