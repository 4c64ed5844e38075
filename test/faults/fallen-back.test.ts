/** A server that lost commits, as after a failover or a restore: what was remembered of them is not answered, whatever is written next. */
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createRecord, listRecords, updateRecord } from '../../src/operations/records/records.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { startEmbedded } from '../../src/postgres/embedded/supervisor.ts';
import { temporaryDir, unsafeAndFast } from '../support/embedded.ts';
import { createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';
import type { Database } from '../../src/postgres/database.ts';

const dataDir = temporaryDir();
const cluster = path.join(dataDir, 'pg18');
const earlier = path.join(dataDir, 'earlier');
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Starts the server, does `work` in a process that remembers what it has read before, and stops the server. */
async function whileRunning<T>(work: (engine: Engine, database: Database) => Promise<T>): Promise<T> {
  const server = await startEmbedded({ dataDir, log: silentLog, settings: unsafeAndFast });
  const database = await connectDatabase({ connection: server.connection, log: silentLog });
  try {
    return await work(createEngine(database), database);
  } finally {
    await database.close();
    await server.stop();
  }
}

it('shows what is there after commits were lost', async () => {
  const object = 'companies';
  const { token, id } = await whileRunning(async (engine, database) => {
    const made = await firstOrganization(engine, database);
    const company = await engine.perform(made.token, createRecord, { object, values: { name: 'Before' } });
    return { token: made.token, id: company.id };
  });
  const names = async (engine: Engine): Promise<string[]> =>
    (await engine.perform(token, listRecords, { object })).data.map(({ name }: { name: string }) => name);
  const rename = (engine: Engine, name: string) =>
    engine.perform(token, updateRecord, { object, id, values: { name } });

  expect(spawnSync('cp', ['-a', cluster, earlier]).status).toBe(0);
  await whileRunning(async (engine) => {
    await rename(engine, 'Lost');
    for (let time = 1; time <= 3; time++) expect(await names(engine)).toEqual(['Lost']);
  });
  rmSync(cluster, { recursive: true });
  renameSync(earlier, cluster);
  await whileRunning(async (engine) => {
    await rename(engine, 'Next');
    expect(await names(engine)).toEqual(['Next']);
  });
});
