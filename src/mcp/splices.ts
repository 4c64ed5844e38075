/**
 * JSON text of ours within that of the protocol. The library writes an answer from objects; where the engine has the text
 * already, a mark stands in its place meanwhile. So no digit of a number is lost, and megabytes are not parsed to be written anew.
 */
import { randomUUID } from 'node:crypto';
import { piecesOf, type LongText } from '../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';

/** The texts of one exchange. Nobody can know its marks before: they are random. */
export class Splices {
  readonly #secret = randomUUID();
  readonly #texts: LongText[] = [];

  /** A text that becomes `text`. */
  asText(text: LongText): string {
    return `text ${this.#mark(text)}`;
  }

  /** An object that becomes the one that `text` is. */
  asObject(text: LongText): { readonly [mark: string]: true } {
    return { [`json ${this.#mark(text)}`]: true };
  }

  /** What was written, with the texts in their places, in pieces. */
  async *within(written: string): AsyncGenerator<string, void, undefined> {
    const marks = new RegExp(`"text ${this.#secret} (\\d+)"|\\{"json ${this.#secret} (\\d+)":true\\}`, 'g');
    let at = 0;
    for (const { index, 0: mark, 1: asText, 2: asObject } of written.matchAll(marks)) {
      yield written.slice(at, index) + (asText === undefined ? '' : '"');
      for (const piece of piecesOf(this.#texts[Number(asText ?? asObject)] ?? '')) {
        if (sliceIsOver()) await nextSlice();
        yield asText === undefined ? piece : JSON.stringify(piece).slice(1, -1);
      }
      if (asText !== undefined) yield '"';
      at = index + mark.length;
    }
    yield written.slice(at);
  }

  #mark(text: LongText): string {
    return `${this.#secret} ${this.#texts.push(text) - 1}`;
  }
}
