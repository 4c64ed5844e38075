/** A service for tests to kill: starts the server of a data directory, says so, and waits. */
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import { errorLog } from '../support/log.ts';

const dataDir = process.argv[2] ?? '';
await startEmbedded({ dataDir, log: errorLog, settings: { fsync: 'off' } });
console.log('ready');
