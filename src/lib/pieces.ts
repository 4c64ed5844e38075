/** Long text in pieces, each of which is encoded or sealed soon. */

/** Characters. */
const usualLength = 262_144;

/** Whether `text` is longer than a piece. */
export function isLong(text: string): boolean {
  return text.length > usualLength;
}

/** Pieces which together are `text`; none of them ends in the middle of a surrogate pair. */
export function* piecesOf(text: string, pieceLength = usualLength): Generator<string, void, undefined> {
  for (let at = 0; at < text.length;) {
    let end = Math.min(text.length, at + pieceLength);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
    yield text.slice(at, end);
    at = end;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
