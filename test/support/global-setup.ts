/** One PostgreSQL for the whole test run: the server of KITH_TEST_DATABASE_URL, or an embedded one that is thrown away. */
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import type { Connection } from '../../src/postgres/session.ts';
import { temporaryDir, unsafeAndFast } from './embedded.ts';
import { errorLog } from './log.ts';

declare module 'vitest' {
  interface ProvidedContext {
    kithTestConnection: Connection;
  }
}

export default async function setUp(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const external = process.env['KITH_TEST_DATABASE_URL'];
  if (external) {
    project.provide('kithTestConnection', external);
    return undefined;
  }
  const base = temporaryDir();
  const remove = () => rmSync(base, { recursive: true });
  try {
    const embedded = await startEmbedded({ dataDir: base, log: errorLog, settings: unsafeAndFast });
    project.provide('kithTestConnection', embedded.connection);
    return () => embedded.stop().finally(remove);
  } catch (error) {
    remove();
    throw error;
  }
}
