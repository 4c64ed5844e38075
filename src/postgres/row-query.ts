/**
 * Statements on the wire: some at once, with one end for all of them, and without asking for the columns' names and types.
 * Nobody here looks at those, and for a page of records they are as long as the answer.
 */
import { Query } from 'pg';
import type { Connection } from 'pg';
import { bindMessage, type EncodedValues } from './bind.ts';
import type { Cell, Row, Rows } from './database.ts';
import { Messages } from './messages.ts';
import { longestPrepared } from './prepared.ts';
import type { Statement } from './sql.ts';

/** The part of the driver's connection that statements are sent through. */
interface Wire extends Pick<Connection, 'stream'> {
  /** What the driver keeps of a statement; a name says all of its text. */
  readonly parsedStatements: { [name: string]: string };
  /** Sent to be parsed, not answered yet. */
  readonly submittedNamedStatements: { [name: string]: string };
}

/** Takes the rows of a single statement as they come. */
export interface Parts {
  /** As soon as there are so many bytes, nothing more is read until they are taken. */
  readonly bytes: number;
  take(rows: readonly Row[]): Promise<void>;
}

/** What goes with statements. */
export interface Sending {
  /** Names of prepared statements that the server need not keep. */
  readonly forgotten?: readonly string[];
  /** The values of each statement where they are long. */
  readonly encoded?: readonly (EncodedValues | undefined)[];
  /** With it, `answer` has the last rows alone. */
  readonly parts?: Parts;
}

/** Given to a client's `query`; `answer` settles with the rows of each statement, or with the first failure. */
export class RowQuery extends Query {
  readonly answer: Promise<readonly Rows[]>;
  /** The driver calls it when all is answered, or one statement has failed. */
  readonly callback: (error: Error | null | undefined) => void;
  readonly #statements: readonly Statement[];
  readonly #forgotten: readonly string[];
  readonly #encoded: readonly (EncodedValues | undefined)[];
  readonly #results: Rows[] = [];
  readonly #parts: Parts | undefined;
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

  /** The name of the statement whose answer comes next. */
  current(): string | undefined {
    return this.#statements[this.#results.length]?.name;
  }

  override submit = (connection: Connection): null => {
    const wire = connection as unknown as Wire; // the driver's types know an older one
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

  #hand({ bytes, take }: Parts, fields: readonly Cell[]): void {
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

  /** What follows a failure is not looked at by the server, not even to be parsed. */
  handleError(error: Error, { submittedNamedStatements }: Wire): void {
    for (const { name } of this.#statements.slice(this.#results.length)) {
      if (name !== undefined) delete submittedNamedStatements[name];
    }
    this.callback(error);
  }
}

/** Whose name and text a driver's query has. */
interface Named {
  /** Of the statement whose answer comes next. */
  current(): string | undefined;
}

// The driver keeps its books of parsed statements by the name and text of the one whose answer comes next: texts would fill the
// memory, and a name is a digest of its text. What the driver's own query sets there says nothing.
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

/** Has all that is sent in one turn of the loop go out in one write: each costs a tenth of what a record costs to read. */
function sendTogether(stream: Wire['stream']): void {
  if (holding.has(stream)) return;
  holding.add(stream);
  stream.cork();
  setImmediate(() => {
    holding.delete(stream);
    stream.uncork();
  });
}

/** Of the one query that is being sent: that is done at one go. */
const messages = new Messages();

function write({ stream }: Wire): void {
  const bytes = messages.take();
  if (stream.writable) stream.write(bytes);
}

/** Comes before the statements, so that a failure of theirs cannot keep the server from it. */
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
  // A backend keeps an unnamed statement until the next one comes: of such a length it may hold hundreds of megabytes.
  if (name === undefined && text.length > longestPrepared) messages.close('');
}
