/** [safety: COMMIT lost on the wire] Whatever is broken off when, a POST that is sent again with its key is done once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { sql } from '../../src/postgres/sql.ts';
import type { Storage } from '../writes/invariants.ts';
import { serve } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';
import type { StatementProxy } from './statement-proxy.ts';

let stage: FaultStage;
let proxy: StatementProxy;
let storage: Storage;
let token: string;

beforeAll(async () => {
  stage = await faultStage();
  ({ proxy, storage, token } = stage);
});
afterAll(() => stage.drop());

/** Creates a contact of that name under the key of that name; undefined when the connection broke. */
async function create(
  url: string,
  name: string,
): Promise<{ status: number; replayed: boolean; id: string } | undefined> {
  try {
    const response = await fetch(`${url}/api/v1/records/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': name },
      body: JSON.stringify({ last_name: name }),
    });
    const { id } = (await response.json()) as { id: string };
    return { status: response.status, replayed: response.headers.get('idempotent-replayed') === 'true', id };
  } catch {
    return undefined;
  }
}

async function idsOf(name: string): Promise<unknown[]> {
  const rows = await storage.rows(sql`select id from ${storage.table('contacts')} where last_name = ${name}`);
  return rows.map(([id]) => id);
}

describe('a connection that breaks at any statement', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(readConfig(stage.env).config, [], () => {});
  });
  afterAll(() => service.stop());

  it.each(['before', 'after'] as const)('%s it: the request that is sent again makes one record', async (moment) => {
    await create(service.url, randomUUID());
    let broken = 0;
    for (let n = 1, more = true; more; n++) {
      const name = randomUUID();
      more = false;
      proxy.arm(n, moment, () => {
        more = true;
        proxy.cut();
      });
      const first = await create(service.url, name);
      proxy.disarm();
      await stage.untilAlone();
      if (first?.status !== 200) broken++;
      const again = await create(service.url, name);
      expect(again?.status).toBe(200);
      expect(await idsOf(name), `broken ${moment} statement ${n}`).toEqual([again?.id]);
      if (first?.status === 200) expect(again).toEqual({ ...first, replayed: true });
    }
    expect(broken, 'requests that failed').toBeGreaterThan(3);
  });
});

/** The service's own jobs, and new connections, send statements too: of some requests the one with the fewest. */
async function fewestStatements(request: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let tries = 0; tries < 5; tries++) {
    await stage.untilAlone();
    proxy.arm(Infinity, 'beside', () => {});
    await request();
    counts.push(proxy.disarm());
  }
  return Math.min(...counts);
}

it('a service that is killed between write and commit leaves the key free', { timeout: 30_000 }, async () => {
  const first = await serve(stage.env);
  const statements = await fewestStatements(() => create(first.url, randomUUID()));
  const name = randomUUID();
  proxy.arm(statements - 1, 'after', () => first.kill('SIGKILL'));
  expect(await create(first.url, name)).toBeUndefined();
  await first.outcome;
  proxy.disarm();
  proxy.cut();
  await stage.untilAlone();
  expect(await idsOf(name)).toEqual([]);
  const second = await serve(stage.env);
  try {
    const made = await create(second.url, name);
    expect(made).toMatchObject({ status: 200, replayed: false });
    expect(await create(second.url, name)).toEqual({ ...made, replayed: true });
    expect(await idsOf(name)).toEqual([made?.id]);
  } finally {
    second.kill('SIGTERM');
    await second.outcome;
  }
});
