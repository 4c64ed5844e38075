/** Checks whether the address is free, and words the error if not. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { codeOf } from '../lib/thrown.ts';

/** How long to wait for a connection to a program that may listen there. */
const patienceMs = 1_000;

/**
 * Throws an error worded for the operator if another program listens there. It connects instead of listening, since the
 * system would reset connections of a listener that closes.
 */
export async function requireFree(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port: 0 });
    await once(server, 'listening');
  } catch (error) {
    throw listenProblem(error, host, port);
  }
  server.close();
  await once(server, 'close');
  if (port !== 0 && (await isAnswered(host, port))) throw new Error(problems(host, port).EADDRINUSE);
}

/** Whether a program accepts connections there. One that does not answer is found when the service listens. */
async function isAnswered(host: string, port: number): Promise<boolean> {
  const connection = connect({ host: reachable(host), port });
  try {
    await once(connection, 'connect', { signal: AbortSignal.timeout(patienceMs) });
    return connection.localPort !== port; // a connection to a free port may get that port and connect to itself
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

/** The name to reach a listener at `host`: this machine's if it listens everywhere. */
export function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'localhost' : host;
}

/** The error for a failed attempt to listen. */
export function listenProblem(error: unknown, host: string, port: number): Error {
  const code = codeOf(error) ?? '';
  const known: { readonly [code: string]: string } = problems(host, port);
  return new Error(known[code] ?? `Cannot listen on ${host}: ${String(error)}`, { cause: error });
}

function problems(host: string, port: number) {
  return {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the other program, or choose another with --port or PORT`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one it has`,
    ENOTFOUND: `There is no address ${host}: set HOST to one that this machine has`,
    EACCES: `Port ${port} needs more rights than this process has: set PORT to 1024 or more`,
  };
}
