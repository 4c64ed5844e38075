/** JSON text with indents, made from text without: digits, escapes and the order of keys stay as they are. */
import { lengthOf, piecesOf, type LongText } from '../lib/long-text.ts';
import { backslash, closes, colon, comma, opens, quote } from './json-signs.ts';

const space = 0x20;

const step = '  ';
/** Characters that are indented at once: deep in lists of short values, each becomes a line of a hundred. */
const pieceLength = 16_384;

/** Whether `text` is work for several slices. */
export function isLongToIndent(text: LongText): boolean {
  return lengthOf(text) > pieceLength;
}

/** What `JSON.stringify(…, null, 2)` would make of JSON `text`, and a line end, in pieces that are short work each. */
export function* indentedPieces(text: LongText): Generator<string, void, undefined> {
  const indenting = new Indenting();
  for (const piece of piecesOf(text, pieceLength)) yield indenting.next(piece);
  yield '\n';
}

/** The same at once, for what is short. */
export function indented(text: string): string {
  return [...indentedPieces(text)].join('');
}

/** Where in the text the last piece ended. */
class Indenting {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Behind a bracket: what has nothing in it stays on its line. */
  #hasOpened = false;

  next(piece: string): string {
    let made = '';
    /** What comes before is in `made`. */
    let copied = 0;
    for (let at = 0; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (this.#isInText) {
        this.#passText(code);
      } else if (code <= space) {
        made += piece.slice(copied, at);
        copied = at + 1;
      } else if (code === comma || code === colon) {
        made += piece.slice(copied, at) + (code === colon ? ': ' : `,${this.#line()}`);
        copied = at + 1;
      } else if (closes(code)) {
        made += piece.slice(copied, at);
        copied = at;
        this.#depth--;
        if (!this.#hasOpened) made += this.#line();
        this.#hasOpened = false;
      } else {
        if (this.#hasOpened) {
          made += piece.slice(copied, at) + this.#line();
          copied = at;
        }
        this.#hasOpened = opens(code);
        if (this.#hasOpened) this.#depth++;
        this.#isInText = code === quote;
      }
    }
    return made + piece.slice(copied);
  }

  #passText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === backslash) this.#isEscaped = true;
    else if (code === quote) this.#isInText = false;
  }

  #line(): string {
    return `\n${step.repeat(this.#depth)}`;
  }
}
