/** The HTTP side of a process that serves: the only one of a service, or one of its workers. */
import type { Config } from './config.ts';
import { listenProblem } from './http/listening.ts';
import type { SharedMetrics } from './http/metrics.ts';
import { routes } from './http/routes.ts';
import { createServer } from './http/server.ts';
import type { Kernel } from './kernel.ts';
import type { Log } from './lib/log.ts';
import { ownVersion } from './lib/own-version.ts';
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

export interface Front {
  /** The base URL. */
  readonly url: string;
  /** New connections are refused; open ones are answered as before. */
  stopListening(): Promise<void>;
}

/** Listens; closed with `resources`. Throws with one sentence for the operator. */
export async function openFront(parts: FrontParts, resources: AsyncDisposableStack): Promise<Front> {
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
    metricsToken: config.metricsToken,
    sharedMetrics,
  });
  resources.defer(kernel.keepHandingOver());
  const stopJobs = config.jobs ? kernel.carryOutJobs() : async () => {};
  // Side by side: each takes nearly as long as a stop may take.
  resources.defer(async () => void (await Promise.all([server.close(), stopJobs()])));
  return { url: await listen(server, config), stopListening: server.stopListening };
}

async function listen(
  server: { listen(host: string, port: number): Promise<string> },
  { host, port }: Config,
): Promise<string> {
  try {
    return await server.listen(host, port);
  } catch (error) {
    throw listenProblem(error, host, port);
  }
}
