/** What tests need that start a PostgreSQL of their own. */
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Settings } from '../../src/postgres/embedded/server.ts';

/** For servers that live as long as a test: nothing of theirs has to survive the machine. */
export const unsafeAndFast: Settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** A fresh directory that PostgreSQL can enter when the tests run as root and it does not. */
export function temporaryDir(): string {
  const directory = mkdtempSync(path.join(tmpdir(), 'kith-test-'));
  chmodSync(directory, 0o711);
  return directory;
}
