/** Indents JSON text directly, so that digits, escapes and key order are kept. */
import { lengthOf, piecesOf, type LongText } from '../lib/long-text.ts';
import { backslash, closes, colon, comma, opens, quote } from './json-signs.ts';

const space = 0x20;

const step = '  ';
/** Characters per slice: in deep lists of short values, each can become a line of a hundred. */
const pieceLength = 16_384;

/** Whether `text` takes more than one slice. */
export function isLongToIndent(text: LongText): boolean {
  return lengthOf(text) > pieceLength;
}

/** The text as `JSON.stringify(…, null, 2)` would format it, with a final line end, in short pieces of work. */
export function* indentedPieces(text: LongText): Generator<string, void, undefined> {
  const indenting = new Indenting();
  for (const piece of piecesOf(text, pieceLength)) yield indenting.next(piece);
  yield '\n';
}

/** As `indentedPieces`, at once for a short text. */
export function indented(text: string): string {
  return [...indentedPieces(text)].join('');
}

/** The state at the end of the last piece. */
class Indenting {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Whether the last character opened a list or object: an empty one stays on its line. */
  #hasOpened = false;

  next(piece: string): string {
    let made = '';
    /** The end of what was copied to `made`. */
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
