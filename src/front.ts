/** The HTTP side of a process that serves: the only one of a service, or one of its workers. */
import type { Config } from './config.ts';
import type { SharedMetrics } from './http/metrics.ts';
import { routes } from './http/routes.ts';
import { createServer } from './http/server.ts';
import type { Kernel } from './kernel.ts';
import type { Log } from './lib/log.ts';
import { ownVersion } from './lib/own-version.ts';
import { codeOf } from './lib/thrown.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Database } from './postgres/database.ts';

export interface FrontParts {
  readonly config: Config;
  readonly main: Database;
  readonly kernel: Kernel;
  /** Undefined where limits are off. */
  readonly limiter: Limiter | undefined;
  readonly log: Log;
  readonly sharedMetrics?: SharedMetrics;
}

/** Listens; closed with `resources`. Resolves to the base URL, throws with one sentence for the operator. */
export async function openFront(parts: FrontParts, resources: AsyncDisposableStack): Promise<string> {
  const { config, main, kernel, limiter, log, sharedMetrics } = parts;
  const server = createServer({
    routes,
    sessions: kernel.sessions,
    perform: kernel.perform,
    limiter,
    log,
    ready: () => main.ping(),
    version: ownVersion(),
    trustedProxies: config.trustedProxies,
    sharedMetrics,
  });
  resources.defer(kernel.keepHandingOver());
  resources.defer(() => server.close());
  return listen(server, config);
}

async function listen(
  server: { listen(host: string, port: number): Promise<string> },
  { host, port }: Config,
): Promise<string> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    const code = codeOf(error) ?? '';
    throw new Error(listenProblems(host, port)[code] ?? `Cannot listen on ${host}: ${String(error)}`, { cause: error });
  }
}

function listenProblems(host: string, port: number): { readonly [code: string]: string } {
  return {
    EADDRINUSE: `Port ${port} of ${host} is in use: stop the other program, or set PORT`,
    EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one it has`,
    ENOTFOUND: `There is no address ${host}: set HOST to one that this machine has`,
    EACCES: `Port ${port} needs more rights than this process has: set PORT to 1024 or more`,
  };
}
