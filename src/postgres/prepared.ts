/**
 * Which statements a connection keeps prepared. A backend keeps the plan of each, and what it has seen of tables is never
 * given back: what is asked once is not prepared, what was asked longest ago is forgotten, and in the end the connection goes.
 */
import { registerCache, type CacheSize } from '../lib/caches.ts';
import { Lru } from '../lib/lru.ts';
import type { Statement } from './sql.ts';

/** So many plans; each is 150 KiB for a page of records. */
const mostPrepared = 500;
/** Characters of them together. Each takes the backend 70 to 130 bytes: some 50 MiB in all. */
const mostText = 512 * 1024;
/** What is longer is parsed each time, so that it does not push out all others. */
export const longestPrepared = 32 * 1024;
const seenBytes = 512 * 1024;
/** Sent to be parsed, again or anew: by then a backend has seen the tables of a thousand organizations, about 100 KiB of each. */
const mostParsed = 5_000;

/** In `/metrics` it is told by the texts that the backend keeps, and by the names that this process has seen. */
export class Prepared implements CacheSize {
  readonly maxBytes = mostText + seenBytes;
  /** The length of each text by its name, the latest last. */
  readonly #lengths = new Map<string, number>();
  #seen = noNames();
  #text = 0;
  #parsed = 0;

  constructor() {
    registerCache('prepared_statements', this);
  }

  get bytes(): number {
    return this.#text + this.#seen.bytes;
  }

  get entries(): number {
    return this.#lengths.size;
  }

  /** The connection should be replaced at the next occasion. */
  get isWorn(): boolean {
    return this.#parsed >= mostParsed;
  }

  /** The statement as it is to be sent: without its name where it is the first of its shape, or too long to be kept. */
  admit(statement: Statement): Statement {
    const { name, text, values } = statement;
    if (name !== undefined && this.#lengths.delete(name)) {
      this.#lengths.set(name, text.length);
      return statement;
    }
    this.#parsed++;
    if (name === undefined || text.length > longestPrepared || this.#isFirst(name)) return { text, values };
    this.#lengths.set(name, text.length);
    this.#text += text.length;
    return statement;
  }

  #isFirst(name: string): boolean {
    if (this.#seen.get(name)) return false;
    this.#seen.set(name, true);
    return true;
  }

  /** Names that are too many, or of too much text, to be closed before anything else is sent. */
  surplus(): readonly string[] {
    const oldest: string[] = [];
    for (const [name, length] of this.#lengths) {
      if (this.#lengths.size <= mostPrepared && this.#text <= mostText) break;
      this.#lengths.delete(name);
      this.#text -= length;
      oldest.push(name);
    }
    return oldest;
  }

  /** The connection is gone, and with it what it kept. */
  clear(): void {
    this.#lengths.clear();
    this.#seen = noNames();
    this.#text = 0;
  }
}

function noNames(): Lru<string, true> {
  return new Lru({ maxBytes: seenBytes, bytesOf: () => 150 });
}
