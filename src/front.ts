/** The HTTP side of a process that serves: the only one of a service, or one of its workers. */
import { createAgentStream } from './agent/agent-stream.ts';
import type { Config } from './config.ts';
import { demoVisitors } from './demo/demo-visitors.ts';
import type { People } from './http/browser/browser-door.ts';
import type { SharedMetrics } from './http/metrics.ts';
import { routes } from './http/routes.ts';
import { createServer, type HttpServer } from './http/server.ts';
import type { AnswerAgent } from './mcp/exchange.ts';
import type { Kernel } from './kernel.ts';
import type { Log } from './lib/log.ts';
import { isLoopback } from './lib/loopback.ts';
import { ownVersion } from './lib/own-version.ts';
import { createTranscripts } from './operations/conversations/transcripts.ts';
import type { Database } from './postgres/database.ts';

export interface FrontParts {
  readonly config: Config;
  readonly main: Database;
  readonly kernel: Kernel;
  readonly log: Log;
  readonly sharedMetrics?: SharedMetrics;
}

export interface Front extends Pick<HttpServer, 'listen' | 'open' | 'take'> {
  /** Tells the address that others serve it at: links lead there, unless the operator has told another. */
  servesAt(url: string): void;
  /** Ends the server and hands on the jobs, within so many milliseconds, nine seconds when it is not said. */
  close(withinMillis?: number): Promise<void>;
}

/** The library of the protocol takes a while to load: beside the rest of a start, and not while the first agent's neighbours wait. */
async function loadAgents({ kernel: { perform, limiter }, log }: FrontParts): Promise<AnswerAgent> {
  const [{ createEndpoint }, { kithOffer }] = await Promise.all([import('./mcp/endpoint.ts'), import('./mcp/kith.ts')]);
  return createEndpoint(kithOffer, { perform, limiter, log });
}

/** Names by which the operator has others call the service. */
function hostsOf({ host, publicUrl }: Config): readonly string[] {
  return publicUrl === undefined ? [host] : [host, new URL(publicUrl).hostname];
}

/** Undefined unless the operator wants a demo, and this machine alone reaches the service: nothing else proves who looks at it. */
function demoOf({ config, kernel }: FrontParts): People['demo'] {
  const { demo, host, publicUrl, trustedProxies } = config;
  const isHere = isLoopback(host) && (publicUrl === undefined || isLoopback(new URL(publicUrl).hostname));
  return demo && isHere && trustedProxies.length === 0 ? demoVisitors(kernel) : undefined;
}

/** How people come in, and programs with a person's consent. */
function peopleOf(parts: FrontParts): People {
  const { signIn, sessions, oauth } = parts.kernel;
  const { publicUrl, mail } = parts.config;
  return { signIn, sessions, oauth, publicUrl, mailsToFiles: mail.smtpUrl === undefined, demo: demoOf(parts) };
}

/** Neither listening nor open yet; closed with `resources`, if not before. */
export function openFront(parts: FrontParts, resources: AsyncDisposableStack): Front {
  const { config, main, kernel, log, sharedMetrics } = parts;
  const agents = loadAgents(parts);
  const { outgoing, limiter } = kernel;
  const { keyring, clock } = kernel.provision;
  const server = createServer({
    routes,
    sessions: kernel.sessions,
    perform: kernel.perform,
    answerAgent: async (request) => (await agents)(request),
    app: {
      sessions: kernel.sessions,
      keyring,
      clock,
      agentStream: createAgentStream({ model: config.model, outgoing, keyring, clock, limiter }),
      transcripts: createTranscripts({ keyring, publicUrl: config.publicUrl }),
    },
    hooked: kernel.sessions,
    people: peopleOf(parts),
    hosts: hostsOf(config),
    origins: config.corsOrigins,
    limiter: kernel.limiter,
    log,
    ready: () => main.ping(),
    version: ownVersion(),
    trustedProxies: config.trustedProxies,
    metricsToken: config.metricsToken,
    sharedMetrics,
  });
  resources.defer(kernel.keepHandingOver());
  const stopJobs = config.jobs ? kernel.carryOutJobs() : async () => {};
  const stopMails = config.jobs ? kernel.deliverMails() : async () => {};
  // Side by side: each takes nearly as long as a stop may take.
  const end = async (withinMillis?: number) =>
    void (await Promise.all([server.close(withinMillis), stopJobs(), stopMails()]));
  let ended: Promise<void> | undefined;
  const close = (withinMillis?: number) => (ended ??= end(withinMillis));
  resources.defer(close);
  const servesAt = (url: string) => {
    if (config.publicUrl === undefined) kernel.signIn.servesAt(url);
  };
  return {
    servesAt,
    async listen(host, port) {
      await agents;
      const url = await server.listen(host, port);
      servesAt(url);
      return url;
    },
    async open() {
      await agents;
      await server.open();
    },
    take: server.take,
    close,
  };
}
