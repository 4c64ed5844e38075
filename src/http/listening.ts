/** Whether a service can listen where it is told to, and what to do where it cannot. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf } from '../lib/thrown.ts';

/** Throws with one sentence for the operator when something else listens there, before anything else is begun. */
export async function requireFree(host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenProblem(error, host, port);
  }
  server.close();
  await once(server, 'close');
}

/** What to tell of an attempt to listen. */
export function listenProblem(error: unknown, host: string, port: number): Error {
  const code = codeOf(error) ?? '';
  return new Error(problems(host, port)[code] ?? `Cannot listen on ${host}: ${String(error)}`, { cause: error });
}

function problems(host: string, port: number): { readonly [code: string]: string } {
  return {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the other program, or choose another with --port or PORT`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one it has`,
    ENOTFOUND: `There is no address ${host}: set HOST to one that this machine has`,
    EACCES: `Port ${port} needs more rights than this process has: set PORT to 1024 or more`,
  };
}
