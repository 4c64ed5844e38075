/** What tests need that start a PostgreSQL of their own. */
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { superuser } from '../../src/postgres/embedded/initdb.ts';
import type { Settings } from '../../src/postgres/embedded/server.ts';
import type { ServerAddress } from '../../src/postgres/session.ts';

/** For servers that live as long as a test: nothing of theirs has to survive the machine. */
export const unsafeAndFast: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** How the supervisor connects: for what the service itself may not do, such as making databases. */
export function asSuperuser(connection: ServerAddress, dataDir: string): ServerAddress {
  const password = readFileSync(path.join(dataDir, 'postgres-password'), 'utf8').trim();
  return { ...connection, user: superuser, password };
}

/** A fresh directory that PostgreSQL can enter when the tests run as root and it does not. */
export function temporaryDir(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'kith-test-'));
  chmodSync(directory, 0o711);
  return directory;
}
