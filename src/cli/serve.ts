/** `kith serve`: the service, until a signal ends it. */
import type { Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';

export function addServeCommand(program: Command): void {
  const command = program.command('serve').description('run the service');
  withExamples(command, ['kith serve', 'PORT=8080 DATABASE_URL=postgres://kith@db/kith kith serve']);
  command.action(serve);
}

async function serve(): Promise<void> {
  const stopping = Promise.withResolvers<void>();
  let signals = 0;
  // The first signal lets requests in flight finish; whoever asks twice does not want to wait.
  const onSignal = () => (signals++ === 0 ? stopping.resolve() : process.exit(exitCodes.interrupted));
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  const { startService } = await import('../app.ts');
  const { readConfig } = await import('../config.ts');
  const service = await startService(readConfig().config);
  await stopping.promise;
  await service.stop();
}
