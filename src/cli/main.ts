/** The process of the command line: its arguments, and output streams that may close early. */
import { systemFailure } from '../lib/system-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { note, run } from './run.ts';

// The reader may have closed the pipe (`kith org list | head -1`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  note(`error: ${systemFailure(error, 'standard output') ?? error.message}`);
  process.exit(exitCodes.failure);
});
// If the error cannot be printed, the exit code tells it.
process.stderr.on('error', () => {});
process.exitCode = await run(process.argv.slice(2));
