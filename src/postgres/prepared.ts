/**
 * The prepared statements of a connection. A backend keeps a plan for each, and never frees its knowledge of tables:
 * a statement is prepared at its second use, the oldest are forgotten, and eventually the connection is replaced.
 */
import { registerCache, type CacheSize } from '../lib/caches.ts';
import { Lru } from '../lib/lru.ts';
import type { Statement } from './sql.ts';

/** Plans per connection; a page of records takes 150 KiB. */
const mostPrepared = 500;
/** Characters of their texts. Each costs the backend 70 to 130 bytes: about 50 MiB in all. */
const mostText = 512 * 1024;
/** Longer statements are parsed each time, so that they do not evict all others. */
export const longestPrepared = 32 * 1024;
const seenBytes = 512 * 1024;
/** Parses per connection: by then a backend has seen the tables of a thousand organizations, about 100 KiB each. */
const mostParsed = 5_000;

/** `/metrics` reports the texts kept by the backend, and the names seen by this process. */
export class Prepared implements CacheSize {
  readonly maxBytes = mostText + seenBytes;
  /** The length of each text by name, most recent last. */
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

  /** Whether the connection should be replaced soon. */
  get isWorn(): boolean {
    return this.#parsed >= mostParsed;
  }

  /** The statement to send: unnamed at the first use of its shape, or if it is too long to keep. */
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

  /** Names to close before the next statement, since they or their texts are too many. */
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

  /** Resets after the connection was lost. */
  clear(): void {
    this.#lengths.clear();
    this.#seen = noNames();
    this.#text = 0;
  }
}

function noNames(): Lru<string, true> {
  return new Lru({ maxBytes: seenBytes, bytesOf: () => 150 });
}
