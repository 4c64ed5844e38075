/** A relay in front of PostgreSQL that counts statements, and lets a test act at the n-th: before it, or when it was answered. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net';

/** `before`: the statement never arrives. `after`: it was carried out, but its answer never arrives. `beside`: it passes. */
export type Moment = 'before' | 'after' | 'beside';

export interface StatementProxy {
  /** The database's address through the relay. */
  readonly url: string;
  /** Acts at the n-th statement from now on, once. */
  arm(n: number, moment: Moment, act: () => void): void;
  /** How many statements there were since it was armed. */
  disarm(): number;
  /** Breaks all connections; new ones are taken. */
  cut(): void;
  close(): void;
}

interface Trap {
  readonly n: number;
  readonly moment: Moment;
  readonly act: () => void;
}

export async function statementProxy(databaseUrl: string): Promise<StatementProxy> {
  const sockets = new Set<Socket>();
  let trap: Trap | undefined;
  let count = 0;
  const server = createServer((near) => {
    const far = connect(targetOf(new URL(databaseUrl)));
    let held = false;
    let due: Trap | undefined;
    const statements = statementReader();
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (bytes) => {
      const before = count;
      count += statements(bytes);
      const hit = trap && before < trap.n && count >= trap.n ? trap : undefined;
      if (hit) trap = undefined;
      if (hit?.moment === 'before') held = true;
      if (hit?.moment === 'after') due = hit;
      else hit?.act();
      if (!held) far.write(bytes);
    });
    far.on('data', (bytes) => {
      if (!due) {
        near.write(bytes);
        return;
      }
      held = true;
      due.act();
      due = undefined;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    arm(n, moment, act) {
      count = 0;
      trap = { n, moment, act };
    },
    disarm() {
      trap = undefined;
      return count;
    },
    cut,
    close() {
      server.close();
      cut();
    },
  };
}

/** Counts in a client's bytes the messages that carry out a statement: Execute and simple Query. */
function statementReader(): (bytes: Buffer) => number {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let found = 0;
    for (;;) {
      // Only the first message has no letter before its length.
      const letter = started ? 1 : 0;
      if (rest.length < letter + 4) return found;
      const end = letter + rest.readInt32BE(letter);
      if (rest.length < end) return found;
      if (started && (rest[0] === 0x45 || rest[0] === 0x51)) found++;
      started = true;
      rest = rest.subarray(end);
    }
  };
}

function targetOf(url: URL): NetConnectOpts {
  const host = url.searchParams.get('host') ?? url.hostname;
  const port = Number(url.port || 5432);
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
