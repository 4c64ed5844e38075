/** [safety: faults] The service with a database of its own, and both of them killed. */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../src/postgres/connect.ts';
import { attachOrStart } from '../../src/postgres/embedded/supervisor.ts';
import { sql } from '../../src/postgres/sql.ts';
import { kithJson } from '../cli/in-process.ts';
import { randomFrom } from '../query/random.ts';
import { temporaryDir } from '../support/embedded.ts';
import { testSecret } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';
import { expectHistory, expectState, storageOf, type Storage } from '../writes/invariants.ts';
import { ask, serve, type ServiceProcess } from './service.ts';

const deep = process.env['KITH_DEEP'] === '1';
const seed = Number(process.env['KITH_SEED'] ?? 20_260_303);

let dataDir: string;
let service: ServiceProcess | undefined;
beforeEach(() => {
  dataDir = temporaryDir();
});
afterEach(async () => {
  service?.kill('SIGTERM');
  await service?.outcome;
  service = undefined;
  rmSync(dataDir, { recursive: true });
});

const env = () => ({ KITH_DATA_DIR: dataDir, KITH_SECRET_KEY: testSecret });

async function organization(): Promise<{ token: string; schema: string }> {
  const args = ['org', 'create', '--name', 'Acme', '--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
  const { json } = await kithJson(args, env());
  return { token: String(json['token']), schema: String(json['schemaName']) };
}

/** Looks into the database of the running service. */
async function look<T>(schema: string, at: (storage: Storage) => Promise<T>): Promise<T> {
  const { connection, attached } = await attachOrStart({ dataDir, log: silentLog });
  expect(attached).toBe(true);
  const database = await connectDatabase({ connection, log: silentLog });
  try {
    return await at(storageOf(database, schema));
  } finally {
    await database.close();
  }
}

describe(`a service that is killed at a random moment (seed ${seed})`, () => {
  it('keeps what it acknowledged, and no half of anything', { timeout: deep ? 600_000 : 60_000 }, async () => {
    const random = randomFrom(seed);
    service = await serve(env());
    const { token, schema } = await organization();
    const kept: string[] = [];
    let size = 1_000;
    const imports = new Map<string, number>();
    for (let round = 0; round < (deep ? 20 : 2); round++) {
      const killed = service;
      const post = (to: string, body: object) => ask(killed.url, token, 'POST', to, body);
      const source = `round ${round}`;
      imports.set(source, ++size);
      const importing = post('/api/v1/import/contacts', {
        records: Array.from({ length: size }, () => ({ job_title: source })),
      });
      const first = Promise.withResolvers<void>();
      const creating = (async () => {
        for (;;) {
          const reply = await post('/api/v1/records/companies', { name: source });
          if (!reply) return;
          expect(reply.status, JSON.stringify(reply.json)).toBe(200);
          kept.push(String(reply.json['id']));
          first.resolve();
        }
      })();
      await first.promise;
      await pause(random.below(300));
      killed.kill('SIGKILL');
      await Promise.all([importing, creating, killed.outcome]);
      service = await serve(env());

      await look(schema, async (storage) => {
        await expectState(storage, ['companies', 'contacts']);
        await expectHistory(storage, 'companies');
        await expectHistory(storage, 'contacts');
        const found = await storage.rows(sql`select id from ${storage.table('companies')}`);
        const ids = new Set(found.map(([id]) => id));
        expect(kept.filter((id) => !ids.has(id))).toEqual([]);
        for (const [title, count] of imports) {
          const [row] = await storage.rows(
            sql`select count(*) from ${storage.table('contacts')} where job_title = ${title}`,
          );
          expect([0, count]).toContain(Number(row?.[0]));
        }
      });
    }
    expect(kept.length).toBeGreaterThan(0);
  });
});

describe('PostgreSQL that is killed', () => {
  it('makes the service unready until it is back, in the same process', { timeout: 60_000 }, async () => {
    service = await serve(env());
    const { url, pid, running } = service;
    const { token } = await organization();
    const create = () => ask(url, token, 'POST', '/api/v1/records/contacts', { first_name: 'x' });
    const readiness = async () => (await fetch(`${url}/health/ready`)).status;
    expect((await create())?.status).toBe(200);

    const cluster = path.join(dataDir, 'pg18');
    const settings = path.join(cluster, 'postgresql.conf');
    renameSync(settings, `${settings}.away`); // it can't be started again before this is undone
    process.kill(Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL');
    await expect.poll(readiness, { timeout: 10_000 }).toBe(503);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    for (const reply of [await create(), await ask(url, token, 'GET', '/api/v1/records/contacts')]) {
      expect([reply?.status, reply?.headers.get('retry-after')]).toEqual([503, '1']);
      expect(reply?.json).toEqual({
        error: 'Internal server error',
        code: 'INTERNAL_ERROR',
        message: expect.any(String),
      });
    }

    renameSync(`${settings}.away`, settings);
    await expect.poll(readiness, { timeout: 20_000 }).toBe(200);
    expect((await create())?.status).toBe(200);
    const listed = await ask(url, token, 'GET', '/api/v1/records/contacts');
    expect(listed?.json['total']).toBe(2);
    expect([running(), pid]).toEqual([true, service.pid]);
  });
});
