/**
 * Sends several statements with one Sync, without requesting the columns' names and types, which nobody uses and
 * which are as long as a page of records.
 */
import { Query } from 'pg';
import type { Connection } from 'pg';
import { bindMessage, type EncodedValues } from './bind.ts';
import type { Cell, Row, Rows } from './database.ts';
import { Messages } from './messages.ts';
import { longestPrepared } from './prepared.ts';
import type { Statement } from './sql.ts';

/** The part of the driver's connection used to send statements. */
interface Wire extends Pick<Connection, 'stream'> {
  /** Text of parsed statements by name; here the name itself, which identifies the text. */
  readonly parsedStatements: { [name: string]: string };
  /** Sent to be parsed, and not yet answered. */
  readonly submittedNamedStatements: { [name: string]: string };
}

/** Takes the rows of a single statement in parts. */
export interface PartConsumer {
  /** Once so many bytes have arrived, reading pauses until they are taken. */
  readonly bytes: number;
  take(rows: readonly Row[]): Promise<void>;
}

/** Options of sending. */
export interface Sending {
  /** Names of prepared statements to close. */
  readonly forgotten?: readonly string[];
  /** The encoded values of each statement with long ones. */
  readonly encoded?: readonly (EncodedValues | undefined)[];
  /** If set, `answer` resolves with the last rows alone. */
  readonly parts?: PartConsumer;
}

/** A query for the driver's client; `answer` settles with the rows of each statement, or with the first failure. */
export class RowQuery extends Query {
  readonly answer: Promise<readonly Rows[]>;
  /** Called by the driver when everything is answered, or a statement has failed. */
  readonly callback: (error: Error | null | undefined) => void;
  readonly #statements: readonly Statement[];
  readonly #forgotten: readonly string[];
  readonly #encoded: readonly (EncodedValues | undefined)[];
  readonly #results: Rows[] = [];
  readonly #parts: PartConsumer | undefined;
  #rows: Cell[][] = [];
  #bytes = 0;
  #wire: Wire | undefined;

  constructor(statements: readonly Statement[], { forgotten = [], encoded = [], parts }: Sending = {}) {
    super('');
    this.#statements = statements;
    this.#forgotten = forgotten;
    this.#encoded = encoded;
    this.#parts = parts;
    const { promise, resolve, reject } = Promise.withResolvers<readonly Rows[]>();
    this.answer = promise;
    this.callback = (error) => (error ? reject(error) : resolve(this.#results));
  }

  /** The name of the statement answered next. */
  current(): string | undefined {
    return this.#statements[this.#results.length]?.name;
  }

  override submit = (connection: Connection): null => {
    const wire = connection as unknown as Wire; // the driver's types describe an older one
    this.#wire = wire;
    sendTogether(wire.stream);
    messages.clear();
    for (const name of this.#forgotten) forget(wire, name);
    for (const [at, statement] of this.#statements.entries()) send(wire, statement, this.#encoded[at]);
    messages.sync();
    write(wire);
    return null;
  };

  handleDataRow({ fields }: { readonly fields: Cell[] }): void {
    this.#rows.push(fields);
    if (this.#parts) this.#hand(this.#parts, fields);
  }

  #hand({ bytes, take }: PartConsumer, fields: readonly Cell[]): void {
    for (const field of fields) this.#bytes += field?.length ?? 0;
    const stream = this.#wire?.stream;
    if (this.#bytes < bytes || !stream || stream.isPaused()) return;
    stream.pause();
    const rows = this.#rows;
    this.#rows = [];
    this.#bytes = 0;
    void take(rows).then(() => stream.resume());
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#results.push({ rows: this.#rows, count: Number(text.slice(text.lastIndexOf(' ') + 1)) || 0 });
    this.#rows = [];
  }

  /** The server ignores the statements after a failure, so these are not parsed either. */
  handleError(error: Error, { submittedNamedStatements }: Wire): void {
    for (const { name } of this.#statements.slice(this.#results.length)) {
      if (name !== undefined) delete submittedNamedStatements[name];
    }
    this.callback(error);
  }
}

/** The name and text that the driver reads from a query. */
interface Named {
  /** The name of the statement answered next. */
  current(): string | undefined;
}

// The driver records parsed statements by the name and text of the query answered next. Texts would fill the memory,
// and a name is a digest of its text, so the name stands for both.
Object.defineProperties(RowQuery.prototype, {
  name: {
    get(this: Named) {
      return this.current();
    },
    set() {},
  },
  text: {
    get(this: Named) {
      return this.current() ?? '';
    },
    set() {},
  },
});

const holding = new WeakSet<Wire['stream']>();

/**
 * Corks the stream, so that everything sent in one turn of the loop is one write: each costs a tenth of reading a
 * record.
 */
function sendTogether(stream: Wire['stream']): void {
  if (holding.has(stream)) return;
  holding.add(stream);
  stream.cork();
  setImmediate(() => {
    holding.delete(stream);
    stream.uncork();
  });
}

/** Shared, since a query is written synchronously. */
const messages = new Messages();

function write({ stream }: Wire): void {
  const bytes = messages.take();
  if (stream.writable) stream.write(bytes);
}

/** Sent before the statements, so that their failure cannot prevent it. */
function forget(wire: Wire, name: string): void {
  messages.close(name);
  delete wire.parsedStatements[name];
  delete wire.submittedNamedStatements[name];
}

function send(wire: Wire, { name, text, values }: Statement, encoded: EncodedValues | undefined): void {
  const { parsedStatements, submittedNamedStatements } = wire;
  if (name === undefined || (parsedStatements[name] ?? submittedNamedStatements[name]) === undefined) {
    messages.parse(name, text);
    if (name !== undefined) submittedNamedStatements[name] = name;
  }
  if (encoded) {
    write(wire);
    for (const piece of bindMessage(name, encoded)) wire.stream.write(piece);
  } else messages.bind(name, values);
  messages.execute();
  // A backend keeps an unnamed statement until the next one; a long one may hold hundreds of megabytes.
  if (name === undefined && text.length > longestPrepared) messages.close('');
}
