/** A process for tests that tries to own a data directory: says whether it does, and lives until it is killed. */
import { own } from '../../src/postgres/embedded/ownership.ts';

const [dataDir = '', clusterDir = ''] = process.argv.slice(2);
console.log((await own(dataDir, clusterDir)) ? 'owner' : 'taken');
setInterval(() => {}, 1000);
