/**
 * Which statements a connection keeps prepared. A backend keeps the plan of each, and what it has seen of tables is never
 * given back: what is asked once is not prepared, what was asked longest ago is forgotten, and in the end the connection goes.
 */
import { Lru } from '../lib/lru.ts';
import type { Statement } from './sql.ts';

/** So many plans, of some 60 KiB each. */
const mostPrepared = 500;
const mostSeen = 2_000;
/** Sent to be parsed, again or anew: by then a backend has seen the tables of a thousand organizations, about 100 KiB of each. */
const mostParsed = 5_000;

export class Prepared {
  readonly #names = new Set<string>();
  readonly #seen = new Lru<string, true>(mostSeen);
  #parsed = 0;

  /** The connection should be replaced at the next occasion. */
  get isWorn(): boolean {
    return this.#parsed >= mostParsed;
  }

  /** The statement as it is to be sent: without its name where it is the first of its shape. */
  admit(statement: Statement): Statement {
    const { name, text, values } = statement;
    if (name !== undefined && this.#names.delete(name)) {
      this.#names.add(name);
      return statement;
    }
    this.#parsed++;
    if (name === undefined) return statement;
    if (this.#seen.get(name) === undefined) {
      this.#seen.set(name, true);
      return { text, values };
    }
    this.#names.add(name);
    return statement;
  }

  /** Names that are too many, to be closed before anything else is sent. */
  surplus(): readonly string[] {
    if (this.#names.size <= mostPrepared) return [];
    const oldest = [...this.#names].slice(0, this.#names.size - mostPrepared);
    for (const name of oldest) this.#names.delete(name);
    return oldest;
  }
}
