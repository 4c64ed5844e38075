/** The servers of the whole test run: that of KITH_TEST_DATABASE_URL, or an embedded one that is thrown away. */
import { rmSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import { asSuperuser, temporaryDir, unsafeAndFast } from './embedded.ts';
import { errorLog } from './log.ts';
import { closeServer, order, testServer, type TestServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    kithTestServer: TestServer;
    /** Where tests put what should be on another cluster; the same unless KITH_TEST_SECOND_DATABASE_URL names one. */
    kithSecondTestServer: TestServer;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const external = process.env['KITH_TEST_DATABASE_URL'];
  if (!external) return embedded(project);
  const first = await testServer(external);
  project.provide('kithTestServer', first);
  const url = process.env['KITH_TEST_SECOND_DATABASE_URL'];
  const second = url ? await testServer(url) : first;
  project.provide('kithSecondTestServer', second);
  return async () => {
    for (const server of new Set([first, second])) await closeServer(server);
  };
}

async function embedded(project: TestProject): Promise<() => Promise<void>> {
  const base = temporaryDir();
  const remove = () => rmSync(base, { recursive: true });
  try {
    const server = await startEmbedded({ dataDir: base, log: errorLog, settings: unsafeAndFast });
    const { user, password } = server.connection;
    const above = asSuperuser(server.connection, base);
    const ready = { ...(await testServer(above)), owner: { user, password } };
    await order(above, `grant pg_read_all_stats to ${user}`); // tests look at what sessions hold in memory
    project.provide('kithTestServer', ready);
    project.provide('kithSecondTestServer', ready);
    return () => server.stop().finally(remove);
  } catch (error) {
    remove();
    throw error;
  }
}
