/** Whether a service can listen where it is told to, and what to do where it cannot. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { codeOf } from '../lib/thrown.ts';

/** How long to wait for a program that may listen there. */
const patienceMillis = 1_000;

/**
 * Throws with one sentence for the operator when something else listens there, before anything else is begun. Nothing listens
 * at that port for the sake of it: the system would reset who connects in that moment.
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

/** Whether somebody takes connections there. Who does not answer is found when the service listens. */
async function isAnswered(host: string, port: number): Promise<boolean> {
  const connection = connect({ host: reachable(host), port });
  try {
    await once(connection, 'connect', { signal: AbortSignal.timeout(patienceMillis) });
    return connection.localPort !== port; // a connection to a port that is free may get that port itself, and meet itself
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}

/** By which name this machine reaches who listens at `host`: of one that listens everywhere, its own. */
export function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? 'localhost' : host;
}

/** What to tell of an attempt to listen. */
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
