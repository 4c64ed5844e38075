/**
 * PostgreSQL's COPY in text form, chunk by chunk: whole tables are read and written without parsing values. There is
 * backpressure both ways.
 */
import { once } from 'node:events';
import type { Connection, Submittable } from 'pg';

/** Takes some rows; the next follow when it has resolved. The taker owns the bytes. */
export type TakeRows = (rows: Buffer) => Promise<void>;

interface Message {
  readonly chunk: Buffer;
}

interface Complete {
  readonly text: string;
}

const chunkBytes = 65_536;

/** A running COPY; `rows` resolves with their number, or rejects with the failure. */
export interface Copy extends Submittable {
  readonly rows: Promise<number>;
}

/** `text` is `copy … to stdout`. When `take` fails, cut the connection: the server would go on sending. */
export function copyOut(text: string, take: TakeRows): Copy {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let pending: Buffer[] = [];
  let bytes = 0;
  let taking: Promise<void> = Promise.resolve();
  let tag = '';
  const hand = (connection: Connection) => {
    const rows = Buffer.concat(pending);
    pending = [];
    bytes = 0;
    connection.stream.pause();
    const taken = taking.then(() => take(rows));
    taking = taken;
    taken.then(() => taking === taken && connection.stream.resume(), reject);
  };
  return {
    rows: promise,
    submit: (connection) => connection.query(text),
    handleCopyData({ chunk }: Message, connection: Connection) {
      pending.push(Buffer.from(chunk)); // the driver reuses its buffer
      bytes += chunk.length;
      if (bytes >= chunkBytes) hand(connection);
    },
    handleCommandComplete: (message: Complete) => void (tag = message.text),
    handleError: reject,
    handleReadyForQuery(connection: Connection) {
      if (bytes > 0) hand(connection);
      taking.then(() => resolve(countOf(tag)), reject);
    },
  } as Copy;
}

/** `text` is `copy … from stdin`; `feed` writes the rows. When it throws, the statement fails with its error. */
export function copyIn(text: string, feed: (write: TakeRows) => Promise<void>): Copy {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let fedBadly: { readonly error: unknown } | undefined;
  let tag = '';
  const fail = (error: unknown) => {
    failed.reject(error);
    reject(fedBadly ? fedBadly.error : error);
  };
  const run = async ({ stream }: Connection) => {
    const write: TakeRows = async (rows) => {
      if (stream.write(frame('d', rows))) return;
      await Promise.race([once(stream, 'drain'), failed.promise]);
    };
    try {
      await Promise.race([feed(write), failed.promise]);
      stream.write(frame('c'));
    } catch (error) {
      fedBadly = { error };
      stream.write(frame('f', Buffer.from('The rows ended early\0')));
    }
  };
  return {
    rows: promise,
    submit: (connection) => connection.query(text),
    handleCopyInResponse: (connection: Connection) => void run(connection),
    handleCommandComplete: (message: Complete) => void (tag = message.text),
    handleError: fail,
    handleReadyForQuery: () => resolve(countOf(tag)),
  } as Copy;
}

/** A message of the wire protocol. */
function frame(kind: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

/** Parses `COPY 12`. */
function countOf(tag: string): number {
  return Number(tag.split(' ')[1] ?? 0);
}
