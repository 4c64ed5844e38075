/** A PostgreSQL of its own for a run: the one that npm installed, in the temporary folder, removed afterwards. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findClusterFiles } from '../src/postgres/embedded/cluster-files.ts';
import { startEmbedded } from '../src/postgres/embedded/supervisor.ts';

export interface Postgres {
  readonly url: string;
  /** The process above all others of the server. */
  readonly pid: number;
  /** A folder for whatever else the run writes. */
  readonly directory: string;
}

export async function withPostgres(work: (postgres: Postgres) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'kith-bench-'));
  chmodSync(directory, 0o711); // PostgreSQL may run as another account
  const dataDir = path.join(directory, 'postgres');
  const log = { debug() {}, info() {}, warn: console.error, error: console.error };
  const embedded = await startEmbedded({ dataDir, log, settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  try {
    const { host, port, user, password, database } = embedded.connection;
    const secret = encodeURIComponent(password);
    const url = `postgres://${user}:${secret}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
    const pidFile = path.join(findClusterFiles(dataDir).clusterDir, 'postmaster.pid');
    await work({ url, pid: Number(readFileSync(pidFile, 'utf8').split('\n')[0]), directory });
  } finally {
    await embedded.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}
