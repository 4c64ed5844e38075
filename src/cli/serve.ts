/** `kith serve`: the service, until a signal ends it. Its worker processes are started with the same command. */
import cluster from 'node:cluster';
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';

/** The service stops within ten seconds by itself; what hangs longer, such as a start without its database, is cut off. */
const patienceMillis = 11_000;

/** With `json`, standard output gets `{ url }` once the service is ready. */
export function addServeCommand(program: Command, json: boolean): void {
  const command = program.command('serve').description('run the service');
  withExamples(command, ['kith serve', 'PORT=8080 DATABASE_URL=postgres://kith@db/kith kith serve']);
  command.action(() => serve(json));
}

async function serve(json: boolean): Promise<void> {
  if (cluster.isWorker) {
    const { work } = await import('../workers/worker.ts');
    return work();
  }
  const stopping = firstSignal();
  const { startService } = await import('../app.ts');
  const { readConfig } = await import('../config.ts');
  const { config, warnings } = readConfig();
  const greeting = json ? process.stderr : process.stdout;
  const service = await startService(config, warnings, (text) => void greeting.write(text));
  if (json) process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
  try {
    await Promise.race([stopping, service.broken]);
  } finally {
    await service.stop();
  }
}

/** Resolves at the first SIGTERM, SIGINT or SIGHUP (a terminal that was closed). Whoever asks twice does not want requests in flight to be finished. */
function firstSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = false;
  const onSignal = () => {
    if (asked) process.exit(exitCodes.interrupted);
    asked = true;
    setTimeout(() => process.exit(exitCodes.failure), patienceMillis).unref();
    resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  return promise;
}
