/** The process of the command line: what it was asked, and streams that may be gone before it has answered. */
import { systemFailure } from '../lib/system-failure.ts';
import { exitCodes } from './exit-codes.ts';
import { note, run } from './run.ts';

// Whoever reads the output may have seen enough (`kith org list | head -1`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  note(`error: ${systemFailure(error, 'standard output') ?? error.message}`);
  process.exit(exitCodes.failure);
});
// Where what is told of a failure cannot be written either, the exit code says it.
process.stderr.on('error', () => {});
process.exitCode = await run(process.argv.slice(2));
