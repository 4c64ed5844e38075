import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  jobs: true,
  logLevel: 'info',
  trustedProxies: [],
  privateHosts: [],
  syncMs: 60_000,
  corsOrigins: [],
  metricsToken: undefined,
  model: undefined,
  mail: { smtpUrl: undefined, from: 'kith@localhost' },
  workers: Math.min(16, Math.max(1, Math.floor(availableParallelism() / 2))),
  client: { org: undefined, url: undefined, token: undefined },
};
/** With a database on another machine. */
const workers = Math.min(16, availableParallelism());
const url = 'postgres://kith:pw@db:5432/kith';
const secret = (name: string) => name.padEnd(32, '-');
const tooShort = secret('short').slice(1);

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
    [{ KITH_JOBS: 'off' }, { jobs: false }],
    [
      {
        KITH_MODEL_URL: 'http://model.corp:11434/v1/',
        KITH_MODEL_NAME: 'large',
        KITH_MODEL_KEY_FILE: file('key', 'k-1\n'),
      },
      { model: { url: 'http://model.corp:11434/v1', name: 'large', key: 'k-1' } },
    ],
    [
      { KITH_SMTP_URL: 'smtps://kith:pw@mail.corp', KITH_MAIL_FROM: 'Kith <kith@crm.test>' },
      { mail: { smtpUrl: 'smtps://kith:pw@mail.corp', from: 'Kith <kith@crm.test>' } },
    ],
    [{ KITH_DATA_DIR: 'data' }, { dataDir: join(directory, 'data') }],
    [{ KITH_DATA_DIR: '/srv/kith' }, { dataDir: '/srv/kith' }],
    [
      { KITH_SECRET_KEY: secret('new'), KITH_SECRET_KEYS_OLD: ` ${secret('old')},, ${secret('older')} ,` },
      { secretKey: secret('new'), oldSecretKeys: [secret('old'), secret('older')] },
    ],
    [{ KITH_SECRET_KEY_FILE: file('secret', `${secret('file')}\n`) }, { secretKey: secret('file') }],
    [
      { KITH_TOKEN: 'svc_x', KITH_URL: 'http://127.0.0.1:3000', KITH_ORG: 'Acme' },
      { client: { org: 'Acme', url: 'http://127.0.0.1:3000', token: 'svc_x' } },
    ],
    [{ DATABASE_URL_FILE: file('url', `${url}\n`) }, { databaseUrl: url, demo: false, workers }],
    ...['localhost', '127.0.0.2:6543', '[::1]', '%2Frun%2Fpostgresql'].map((host): [NodeJS.ProcessEnv, object] => {
      const databaseUrl = `postgres://kith@${host}/kith`;
      return [{ DATABASE_URL: databaseUrl }, { databaseUrl, demo: false }];
    }),
    [{ KITH_METRICS_TOKEN: 'sixteen-visible!' }, { metricsToken: 'sixteen-visible!' }],
    [{ KITH_METRICS_TOKEN_FILE: file('metrics', 'sixteen-visible!\n') }, { metricsToken: 'sixteen-visible!' }],
    [
      { KITH_CORS_ORIGINS: 'https://app.example, http://localhost:5173/' },
      { corsOrigins: ['https://app.example', 'http://localhost:5173'] },
    ],
    [{ KITH_WORKERS: '32' }, { workers: 32 }],
    [{ KITH_RATE_LIMITS: 'off' }, { rateLimits: 'off' }],
    [{ REDIS_URL: 'redis://127.0.0.1:6379/2' }, { redisUrl: 'redis://127.0.0.1:6379/2' }],
    [{ REDIS_URL: 'rediss://kith:pw@store' }, { redisUrl: 'rediss://kith:pw@store' }],
    [{ REDIS_URL: 'valkeys://:pw@store:1' }, { redisUrl: 'rediss://:pw@store:1' }],
    [{ REDIS_URL_FILE: file('redis', 'valkey://store\n') }, { redisUrl: 'redis://store' }],
    [{ KITH_LOG_LEVEL: 'DEBUG' }, { logLevel: 'debug' }],
    [
      { KITH_TRUSTED_PROXIES: '10.0.0.0/8, ::1,loopback,fd00::/8' },
      { trustedProxies: ['10.0.0.0/8', '::1', 'loopback', 'fd00::/8'] },
    ],
    [
      { KITH_PRIVATE_HOSTS: 'Mail.corp, mail.corp:25,10.0.0.0/8,[fd00::1]:443' },
      {
        privateHosts: [
          { name: 'mail.corp' },
          { name: 'mail.corp', port: 25 },
          { network: '10.0.0.0', bits: 8 },
          { network: 'fd00::1', bits: 128, port: 443 },
        ],
      },
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
    [{ REDIS_URL: 'http://kith:pw@store' }, /^REDIS_URL must look like redis:/],
    [{ REDIS_URL: 'redis:///pw' }, /^REDIS_URL must look like redis:/],
    [{ REDIS_URL: 'pw' }, /^REDIS_URL must look like redis:/],
    [{ DATABASE_URL: url, DATABASE_URL_FILE: 'url' }, /DATABASE_URL and DATABASE_URL_FILE are both set/],
    [{ KITH_SECRET_KEY_FILE: 'nowhere' }, /KITH_SECRET_KEY_FILE names a file that cannot be read: nowhere/],
    [{ KITH_SECRET_KEY_FILE: file('empty', '\n') }, /KITH_SECRET_KEY_FILE names an empty file/],
    ...['fifteen-visible', 'sixteen visible!', 'sixteen-visiblé!'].map((token): [NodeJS.ProcessEnv, RegExp] => [
      { KITH_METRICS_TOKEN: token },
      /^KITH_METRICS_TOKEN must have at least 16 characters, visible ones of ASCII$/,
    ]),
    [{ KITH_SECRET_KEY: tooShort }, /^KITH_SECRET_KEY is too short: a root secret has at least 32 characters/],
    [{ KITH_SECRET_KEY_FILE: file('short', `${tooShort}\n`) }, /^What KITH_SECRET_KEY_FILE names is too short/],
    [{ KITH_SECRET_KEYS_OLD: `${secret('old')},${tooShort}` }, /^One of KITH_SECRET_KEYS_OLD is too short/],
    [{ KITH_CORS_ORIGINS: '*' }, /^KITH_CORS_ORIGINS names origins such as .*, not "\*"$/],
    [{ KITH_CORS_ORIGINS: 'https://app.example/path' }, /^KITH_CORS_ORIGINS names origins/],
    [{ KITH_DEMO: 'yes' }, /KITH_DEMO must be one of on, off, not "yes"/],
    [{ KITH_LOG_LEVEL: 'trace' }, /KITH_LOG_LEVEL must be one of debug, info/],
    [{ KITH_RATE_LIMITS: '{"api:globl":{}}' }, /KITH_RATE_LIMITS names no policy .*did you mean "api:global"/],
    [{ KITH_TRUSTED_PROXIES: 'proxy.example' }, /KITH_TRUSTED_PROXIES must list addresses/],
    [{ KITH_TRUSTED_PROXIES: '10.0.0.0/33' }, /KITH_TRUSTED_PROXIES must list addresses/],
    [
      { KITH_PRIVATE_HOSTS: 'mail.corp,*.corp' },
      /^KITH_PRIVATE_HOSTS must list names, addresses or networks, such as .*, and "\*\.corp" is none$/,
    ],
    [{ KITH_MODEL_URL: 'https://m.test/v1' }, /^KITH_MODEL_URL and KITH_MODEL_NAME belong together/],
    [{ KITH_MODEL_KEY: 'k' }, /^KITH_MODEL_URL and KITH_MODEL_NAME belong together/],
    [{ KITH_MODEL_URL: 'https://me:pw@m.test', KITH_MODEL_NAME: 'm' }, /^KITH_MODEL_URL must look like/],
    [
      { KITH_MODEL_URL: 'https://m.test', KITH_MODEL_NAME: 'm', KITH_MODEL_KEY: 'a\nb' },
      /^KITH_MODEL_KEY must be visible/,
    ],
  ])('refuses %j', (env, message) => {
    expect(() => readConfig(env, directory)).toThrow(ConfigError);
    expect(() => readConfig(env, directory)).toThrow(message);
  });

  it('never repeats a secret', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://kith:hunter2@db/kith' }, directory)).not.toThrow(/hunter2/);
    expect(() => readConfig({ KITH_SECRET_KEY: 'hunter2' }, directory)).not.toThrow(/hunter2/);
  });

  it('warns of an empty secret, which counts as unset', () => {
    const own = mkdtempSync(join(directory, 'empty-'));
    const warning = expect.stringContaining('KITH_SECRET_KEY is empty and counts as unset');
    expect(readConfig({ KITH_SECRET_KEY: ' ' }, own)).toMatchObject({
      config: { secretKey: undefined },
      warnings: [warning],
    });
    writeFileSync(join(own, '.env'), 'KITH_SECRET_KEY=\n');
    expect(readConfig({}, own).warnings).toEqual([warning]);
    expect(readConfig({ KITH_SECRET_KEY: secret('given') }, own).warnings).toEqual([]);
  });

  it('takes .env where the environment says nothing', () => {
    const own = mkdtempSync(join(directory, 'env-'));
    writeFileSync(join(own, '.env'), 'PORT=4000\nHOST=0.0.0.0\nKITH_DEMO="off"\nKITH_PROT=1\n');
    const { config, warnings } = readConfig({ PORT: '5000', HOST: '' }, own);
    expect(config).toMatchObject({ port: 5000, host: '0.0.0.0', demo: false });
    expect(warnings).toEqual(['KITH_PROT is not a setting of Kith']);
  });

  it('takes no .env that somebody else could have laid ready', () => {
    const own = mkdtempSync(join(directory, 'laid-'));
    const path = join(own, '.env');
    writeFileSync(path, 'PORT=4000\n');
    chmodSync(path, 0o666);
    const refusal = /\.env is, or can be changed by, another account's: remove it/;
    expect(() => readConfig({}, own)).toThrow(refusal);
    chmodSync(path, 0o644);
    expect(readConfig({}, own).config.port).toBe(4000);
    if (process.getuid?.() !== 0) return;
    chmodSync(path, 0o664);
    expect(readConfig({}, own).config.port).toBe(4000);
    chownSync(path, 0, 65_533);
    expect(() => readConfig({}, own)).toThrow(refusal);
    chmodSync(path, 0o644);
    chownSync(path, 65_533, 65_533);
    expect(() => readConfig({}, own)).toThrow(refusal);
  });

  it('takes no .env that leads elsewhere, and waits for none', () => {
    const own = mkdtempSync(join(directory, 'linked-'));
    const path = join(own, '.env');
    const refusal = /\.env is a link or no plain file: put the file itself there, or remove it$/;
    writeFileSync(join(own, 'own'), 'PORT=4000\n');
    symlinkSync('own', path);
    expect(() => readConfig({}, own)).toThrow(refusal);
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(() => readConfig({}, own)).toThrow(refusal);
    expect(() => readConfig({}, own)).toThrow(ConfigError);
  });

  it('follows the links of files that a setting names, as containers give secrets', () => {
    symlinkSync(file('kept', `${secret('kept')}\n`), join(directory, 'given'));
    expect(readConfig({ KITH_SECRET_KEY_FILE: 'given' }, directory).config.secretKey).toBe(secret('kept'));
  });

  it('warns of unknown names, with the nearest one', () => {
    const { warnings } = readConfig({ KITH_SECRET_KEYS: 'x', PATH: '/bin' }, directory);
    expect(warnings).toEqual(['KITH_SECRET_KEYS is not a setting of Kith (did you mean "KITH_SECRET_KEY"?)']);
    expect(readConfig({ KITH_TOKNE: 'x' }, directory).warnings).toEqual([
      'KITH_TOKNE is not a setting of Kith (did you mean "KITH_TOKEN"?)',
    ]);
  });
});
