import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../src/app.ts';
import type { Service } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Config } from '../../src/config.ts';
import { expectDescribed, type Document } from '../describe/document.ts';
import { testDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { gateTo } from './gate.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'kith-service-'));
let database: TestDatabase;
let service: Service | undefined;
let printed = '';

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  await service?.stop();
  service = undefined;
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

function configOf(changes: NodeJS.ProcessEnv): Config {
  const env = {
    KITH_DATA_DIR: dataDir,
    PORT: '0',
    KITH_LOG_LEVEL: 'silent',
    KITH_WORKERS: '1',
    DATABASE_URL: database.url,
    ...changes,
  };
  return readConfig(env, dataDir).config;
}

async function start(changes: NodeJS.ProcessEnv = {}): Promise<string> {
  printed = '';
  service = await startService(configOf(changes), [], (text) => {
    printed += text;
  });
  return service.url;
}

describe('a start', () => {
  it('on an empty database makes the demo, and prints a request that works', async () => {
    const url = await start({ KITH_DEMO: 'on' });
    expect(printed).toContain(`serves ${url}`);
    expect(printed).toContain(`data       ${dataDir}`);
    expect(printed).toContain('demo       on');
    const [, address, authorization] = /curl -s '([^']+)' -H 'Authorization: ([^']+)'/.exec(printed) ?? [];
    const first = await fetch(address!, { headers: { authorization: authorization! } });
    expect([first.status, await first.json()]).toMatchObject([200, { data: [{}, {}] }]);
    await service?.stop();

    const again = await start({ KITH_DEMO: 'on' });
    expect(printed).toContain(authorization);
    const organizations = await database.database.run('test', {
      text: 'select count(*) from kith.organizations',
      values: [],
    });
    expect(organizations.rows).toEqual([['1']]);
    const second = await fetch(`${again}/api/v1/me`, { headers: { authorization: authorization! } });
    expect([second.status, await second.json()]).toMatchObject([200, { isAdmin: true }]);
  });

  it('without the demo says so', async () => {
    await start({ KITH_DEMO: 'off' });
    expect(printed).toContain('demo       off');
    expect(printed).not.toContain('svc_');
  });

  it('on a port that is in use says what to do, and leaves nothing behind', async () => {
    const url = new URL(await start());
    await expect(startService(configOf({ PORT: url.port }), [], () => undefined)).rejects.toThrow(
      `Port ${url.port} of 127.0.0.1 is in use: stop the other program, or choose another with --port or PORT`,
    );
    expect((await fetch(new URL('/health/ready', url))).status).toBe(200);
  });

  it('on a port that is in use makes no database, either', async () => {
    const url = new URL(await start());
    const unmade = join(dataDir, 'unmade');
    const config = configOf({ PORT: url.port, KITH_DATA_DIR: unmade, DATABASE_URL: '' });
    await expect(startService(config, [], () => undefined)).rejects.toThrow('is in use');
    expect(existsSync(unmade)).toBe(false);
  });

  it('waits for a database that comes later', async () => {
    const gate = gateTo(database);
    await gate.open();
    gate.shut();
    const starting = start({ DATABASE_URL: gate.url() });
    await Promise.race([starting, pause(100)]);
    await gate.open();
    const url = await starting;
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await service?.stop();
    gate.shut();
  });
});

describe('a database that goes away', () => {
  it('makes requests 503 until it is back, in the same process', async () => {
    const gate = gateTo(database);
    await gate.open();
    const url = await start({ DATABASE_URL: gate.url(), KITH_DEMO: 'on' });
    const [, authorization] = /Authorization: ([^']+)'/.exec(printed) ?? [];
    const get = (path: string) => fetch(url + path, { headers: { authorization: authorization! } });
    expect((await get('/api/v1/records/contacts')).status).toBe(200);
    const document = (await (await get('/api/v1/openapi.json')).json()) as Document;

    gate.shut();
    const ready = await get('/health/ready');
    expect([ready.status, await ready.json()]).toEqual([503, { status: 'unavailable' }]);
    expect((await get('/health/live')).status).toBe(200);
    const response = await get('/api/v1/records/contacts');
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
    const json = await response.json();
    expect(json).toMatchObject({ error: 'Internal server error', code: 'INTERNAL_ERROR' });
    expectDescribed(document, 'listContacts', { status: 503, text: '', json });
    expect(response.headers.get('x-ratelimit-policy')).toBe('api:global');

    await gate.open();
    await expect.poll(async () => (await get('/health/ready')).status, { timeout: 10_000 }).toBe(200);
    expect((await get('/api/v1/records/contacts')).status).toBe(200);
    await service?.stop();
    gate.shut();
  });
});
