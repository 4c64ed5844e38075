import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../src/config.ts';
import { defaultPolicies } from '../../src/limits/policies.ts';

const directory = mkdtempSync(join(tmpdir(), 'kith-config-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return name;
}

const defaults = {
  host: '127.0.0.1',
  port: 3000,
  databaseUrl: undefined,
  dataDir: join(directory, '.kith'),
  secretKey: undefined,
  oldSecretKeys: [],
  rateLimits: defaultPolicies,
  demo: true,
  logLevel: 'info',
  trustedProxies: [],
  workers: Math.min(32, Math.max(1, Math.floor(availableParallelism() / 2))),
};
/** With a database on another machine. */
const workers = Math.min(32, availableParallelism());
const url = 'postgres://kith:pw@db:5432/kith';

describe('the configuration', () => {
  it.each<[NodeJS.ProcessEnv, object]>([
    [{}, {}],
    [{ PORT: '', HOST: ' ', DATABASE_URL: '', KITH_DEMO: '' }, {}],
    [
      { PORT: '0', HOST: '::' },
      { port: 0, host: '::' },
    ],
    [{ DATABASE_URL: url }, { databaseUrl: url, demo: false, workers }],
    [
      { DATABASE_URL: 'postgresql:///kith?host=/run/postgresql', KITH_DEMO: 'on' },
      { databaseUrl: 'postgresql:///kith?host=/run/postgresql' },
    ],
    [{ KITH_DEMO: 'off' }, { demo: false }],
    [{ KITH_DATA_DIR: 'data' }, { dataDir: join(directory, 'data') }],
    [{ KITH_DATA_DIR: '/srv/kith' }, { dataDir: '/srv/kith' }],
    [
      { KITH_SECRET_KEY: 'new', KITH_SECRET_KEYS_OLD: ' old,, older ,' },
      { secretKey: 'new', oldSecretKeys: ['old', 'older'] },
    ],
    [{ KITH_SECRET_KEY_FILE: file('secret', 'from-file\n') }, { secretKey: 'from-file' }],
    [{ DATABASE_URL_FILE: file('url', `${url}\n`) }, { databaseUrl: url, demo: false, workers }],
    ...['localhost', '127.0.0.2:6543', '[::1]', '%2Frun%2Fpostgresql'].map((host): [NodeJS.ProcessEnv, object] => {
      const databaseUrl = `postgres://kith@${host}/kith`;
      return [{ DATABASE_URL: databaseUrl }, { databaseUrl, demo: false }];
    }),
    [{ KITH_WORKERS: '32' }, { workers: 32 }],
    [{ KITH_RATE_LIMITS: 'off' }, { rateLimits: 'off' }],
    [{ KITH_LOG_LEVEL: 'DEBUG' }, { logLevel: 'debug' }],
    [
      { KITH_TRUSTED_PROXIES: '10.0.0.0/8, ::1,loopback,fd00::/8' },
      { trustedProxies: ['10.0.0.0/8', '::1', 'loopback', 'fd00::/8'] },
    ],
  ])('of %j', (env, expected) => {
    expect(readConfig(env, directory)).toEqual({ config: { ...defaults, ...expected }, warnings: [] });
  });

  it.each<[NodeJS.ProcessEnv, RegExp]>([
    [{ PORT: 'http' }, /^PORT must be a number from 0 to 65535, not "http"$/],
    [{ PORT: '65536' }, /^PORT must/],
    [{ PORT: '-1' }, /^PORT must/],
    [{ DATABASE_URL: 'mysql://kith:pw@db/kith' }, /^DATABASE_URL must look like postgres:/],
    [{ DATABASE_URL: 'pw' }, /^DATABASE_URL must look like postgres:/],
    [{ DATABASE_URL: url, DATABASE_URL_FILE: 'url' }, /DATABASE_URL and DATABASE_URL_FILE are both set/],
    [{ KITH_SECRET_KEY_FILE: 'nowhere' }, /KITH_SECRET_KEY_FILE names a file that cannot be read: nowhere/],
    [{ KITH_SECRET_KEY_FILE: file('empty', '\n') }, /KITH_SECRET_KEY_FILE names an empty file/],
    [{ KITH_DEMO: 'yes' }, /KITH_DEMO must be one of on, off, not "yes"/],
    [{ KITH_LOG_LEVEL: 'trace' }, /KITH_LOG_LEVEL must be one of debug, info/],
    [{ KITH_RATE_LIMITS: '{"api:globl":{}}' }, /KITH_RATE_LIMITS names no policy .*did you mean "api:global"/],
    [{ KITH_TRUSTED_PROXIES: 'proxy.example' }, /KITH_TRUSTED_PROXIES must list addresses/],
    [{ KITH_TRUSTED_PROXIES: '10.0.0.0/33' }, /KITH_TRUSTED_PROXIES must list addresses/],
  ])('refuses %j', (env, message) => {
    expect(() => readConfig(env, directory)).toThrow(ConfigError);
    expect(() => readConfig(env, directory)).toThrow(message);
  });

  it('never repeats a secret', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://kith:hunter2@db/kith' }, directory)).not.toThrow(/hunter2/);
  });

  it('takes .env where the environment says nothing', () => {
    const own = mkdtempSync(join(directory, 'env-'));
    writeFileSync(join(own, '.env'), 'PORT=4000\nHOST=0.0.0.0\nKITH_DEMO="off"\nKITH_PROT=1\n');
    const { config, warnings } = readConfig({ PORT: '5000', HOST: '' }, own);
    expect(config).toMatchObject({ port: 5000, host: '0.0.0.0', demo: false });
    expect(warnings).toEqual(['KITH_PROT is not a setting of Kith']);
  });

  it('warns of unknown names, with the nearest one', () => {
    const { warnings } = readConfig({ KITH_SECRET_KEYS: 'x', PATH: '/bin' }, directory);
    expect(warnings).toEqual(['KITH_SECRET_KEYS is not a setting of Kith (did you mean "KITH_SECRET_KEY"?)']);
  });
});
