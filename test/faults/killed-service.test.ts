/** [safety: server killed] Broken off at any statement, a write is there as a whole or not at all. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService, type Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Storage } from '../writes/invariants.ts';
import { ask, serve, type ServiceProcess } from './service.ts';
import { faultStage, type FaultStage } from './stage.ts';
import type { StatementProxy } from './statement-proxy.ts';
import { expectWhole, faultyWrites, historyCount, type FaultyWrite, type Send } from './writes.ts';

const deep = process.env['KITH_DEEP'] === '1';

let stage: FaultStage;
let proxy: StatementProxy;
let storage: Storage;
let token: string;

beforeAll(async () => {
  stage = await faultStage();
  ({ proxy, storage, token } = stage);
});
afterAll(() => stage.drop());

const sender =
  (url: string): Send =>
  (method, path, body) =>
    ask(url, token, method, path, body);

describe('a connection that breaks at any statement', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(readConfig(stage.env).config, [], () => {});
  });
  afterAll(() => service.stop());

  /** Whether the write had as many statements as `n`. */
  async function breakAt(write: FaultyWrite, n: number, moment: 'before' | 'after'): Promise<boolean> {
    const send = sender(service.url);
    const request = await write.prepare(send);
    const before = await historyCount(storage);
    let broken = false;
    proxy.arm(n, moment, () => {
      broken = true;
      proxy.cut();
    });
    const reply = await send(...request);
    proxy.disarm();
    await stage.untilAlone();
    expect([200, 503], JSON.stringify(reply?.json)).toContain(reply?.status);
    if (reply?.status === 503)
      expect(reply.json).toMatchObject({ error: 'Internal server error', code: 'INTERNAL_ERROR' });
    await expectWhole(storage, before, write, reply?.status === 200);
    return broken;
  }

  it.each(faultyWrites)('$name', async (write) => {
    for (const moment of ['before', 'after'] as const) {
      let n = 1;
      while (await breakAt(write, n, moment)) n++;
      expect(n, 'statements').toBeGreaterThan(1);
    }
  });
});

describe('a service that is killed at a statement', () => {
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    proxy.disarm();
    service?.kill('SIGTERM');
    await service?.outcome;
  });

  /** Started, and over with what only a first request needs. */
  async function warm(): Promise<ServiceProcess> {
    const started = await serve(stage.env);
    expect((await sender(started.url)('POST', '/api/v1/records/contacts', {}))?.status).toBe(200);
    await stage.untilAlone();
    return started;
  }

  /** Statements of a write, counted on a run that nothing disturbs. */
  async function statementsOf(write: FaultyWrite, send: Send): Promise<number> {
    const request = await write.prepare(send);
    proxy.arm(Infinity, 'beside', () => {});
    expect((await send(...request))?.status).toBe(200);
    return proxy.disarm();
  }

  it.each(faultyWrites)(
    'leaves all of $name or nothing, and starts again',
    { timeout: deep ? 600_000 : 30_000 },
    async (write) => {
      service = await warm();
      const statements = await statementsOf(write, sender(service.url));
      const middle = Math.ceil(statements / 2);
      const points = deep ? Array.from({ length: statements }, (_, index) => index + 1) : [middle];
      for (const n of points) {
        for (const moment of deep ? (['before', 'after'] as const) : (['after'] as const)) {
          const killed = service;
          const send = sender(killed.url);
          const request = await write.prepare(send);
          const before = await historyCount(storage);
          proxy.arm(n, moment, () => killed.kill('SIGKILL'));
          const reply = await send(...request);
          if (n > middle && proxy.disarm() < n) return; // the counted run had opened a connection, with statements of its own
          expect(reply).toBeUndefined();
          expect((await killed.outcome).code).toBeNull();
          proxy.disarm();
          proxy.cut();
          await stage.untilAlone();
          await expectWhole(storage, before, write, false);
          service = await warm();
        }
      }
    },
  );
});

describe('a service that is asked to stop', () => {
  it('finishes what is in flight, takes nothing new, and ends with 0', async () => {
    const service = await serve(stage.env);
    const send = sender(service.url);
    const before = await historyCount(storage);
    const write = faultyWrites.find(({ name }) => name === 'import');
    if (!write) throw new Error('There is no import');
    await send('GET', '/api/v1/me');
    proxy.arm(4, 'beside', () => service.kill('SIGTERM'));
    const reply = await send(...(await write.prepare(send)));
    expect([reply?.status, reply?.json['created']]).toEqual([200, write.records]);
    // What hangs is cut off after eleven seconds, and that is another code.
    expect(await service.outcome).toMatchObject({ code: 0 });
    expect(await send('GET', '/health/live')).toBeUndefined();
    await expectWhole(storage, before, write, true);
  });
});
