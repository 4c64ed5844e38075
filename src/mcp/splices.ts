/**
 * Inserts JSON text of the engine into protocol answers. The library encodes objects; a mark stands for each text until
 * then. So numbers keep all digits, and megabytes are not parsed and encoded again.
 */
import { randomUUID } from 'node:crypto';
import { piecesOf, type LongText } from '../lib/long-text.ts';
import { nextSlice, sliceIsOver } from '../lib/slices.ts';

/** The inserted texts of one exchange, under random marks that nobody can predict. */
export class Splices {
  readonly #secret = randomUUID();
  readonly #texts: LongText[] = [];

  /** A string that becomes `text`. */
  asText(text: LongText): string {
    return `text ${this.#mark(text)}`;
  }

  /** An object that becomes the object of `text`. */
  asObject(text: LongText): { readonly [mark: string]: true } {
    return { [`json ${this.#mark(text)}`]: true };
  }

  /** The encoded answer with the texts inserted, in pieces. */
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
