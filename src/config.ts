/**
 * Every environment variable, parsed once. An empty one counts as unset; what `.env` says counts where the environment
 * says nothing. `settings.ts` has the list that documentation and error messages go by.
 */
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { KithError } from './errors.ts';
import { didYouMean } from './lib/nearest.ts';
import { logLevels } from './lib/log.ts';
import type { LogLevel } from './lib/log.ts';
import { readGivenSync } from './lib/given-file.ts';
import { readPlain } from './lib/plain-file.ts';
import { secretProblem } from './lib/root-secret.ts';
import { codeOf, messageOf } from './lib/thrown.ts';
import { isTrustedOwner, othersCanWrite } from './lib/trusted.ts';
import type { Rights } from './lib/trusted.ts';
import { parsePolicies } from './limits/policies.ts';
import type { Policies } from './limits/policies.ts';
import { isLocal } from './lib/local-url.ts';
import { parsePrivateHost, type PrivateHost } from './outgoing/private-hosts.ts';
import { settings, type Setting, type SettingName } from './settings.ts';
import { storeUrl } from './store/url.ts';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined: an embedded PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Undefined: rate limits are counted in the service itself. */
  readonly redisUrl: string | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  /** Undefined: the secret kept in `dataDir`. */
  readonly secretKey: string | undefined;
  readonly oldSecretKeys: readonly string[];
  readonly rateLimits: Policies | 'off';
  /** Whether a first start on an empty database makes the demo organization. */
  readonly demo: boolean;
  /** Whether this service carries out jobs. */
  readonly jobs: boolean;
  readonly logLevel: LogLevel;
  /** Addresses, networks or `loopback`, `linklocal`, `uniquelocal`: whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  /** What the service may connect to for tenants beside the public internet. */
  readonly privateHosts: readonly PrivateHost[];
  /** Milliseconds between two looks into a connected account. */
  readonly syncMs: number;
  /** The service's address as others see it, without a slash at its end; undefined: where it listens. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may call the service, as browsers write them. */
  readonly corsOrigins: readonly string[];
  /** With it, others than this machine may read `/metrics`. */
  readonly metricsToken: string | undefined;
  /** The model of the assistant inside; undefined: there is none. */
  readonly model: ModelConfig | undefined;
  readonly mail: MailConfig;
  /** Processes that serve requests. */
  readonly workers: number;
  /** What commands go by; the service does not. */
  readonly client: Client;
}

export interface ModelConfig {
  /** Up to the version, without a slash at its end. */
  readonly url: string;
  readonly name: string;
  readonly key: string | undefined;
}

export interface MailConfig {
  /** The operator's mail server; undefined: mails are written to files in `dataDir`. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
}

export interface Client {
  /** Id or name of an organization. */
  readonly org: string | undefined;
  /** Base URL of a service. */
  readonly url: string | undefined;
  readonly token: string | undefined;
}

/** A value that cannot be used; the message is one sentence for the operator, without the values of secrets. */
export class ConfigError extends Error {
  /** What the process ends with: wrong usage. */
  readonly exitCode = 2;
}

/** Each has five connections to the database at least, and a server takes a hundred where nobody changed that. */
const maxWorkersUnlessTold = 16;
const maxWorkers = 32;
/** Of what a setting names in a file: secrets and addresses. */
const mostInFile = 64 * 1024;

export interface ReadConfig {
  readonly config: Config;
  /** For the operator, one sentence each. */
  readonly warnings: readonly string[];
}

/** The configuration that `env` and the file `.env` in `directory` describe. Throws ConfigError. */
export function readConfig(env: NodeJS.ProcessEnv = process.env, directory: string = process.cwd()): ReadConfig {
  const { fromFile, value } = givenBy(env, directory);
  const databaseUrl = valueOrFile('DATABASE_URL', 'DATABASE_URL_FILE', value, directory);
  const redisUrl = valueOrFile('REDIS_URL', 'REDIS_URL_FILE', value, directory);
  const secretKey = valueOrFile('KITH_SECRET_KEY', 'KITH_SECRET_KEY_FILE', value, directory);
  const secretName =
    value('KITH_SECRET_KEY_FILE') === undefined ? 'KITH_SECRET_KEY' : 'What KITH_SECRET_KEY_FILE names';
  const config: Config = {
    host: value('HOST') ?? settings.HOST.default,
    port: parsePort(value('PORT') ?? settings.PORT.default),
    databaseUrl: databaseUrl === undefined ? undefined : parseDatabaseUrl(databaseUrl),
    redisUrl: redisUrl === undefined ? undefined : parseRedisUrl(redisUrl),
    dataDir: resolve(directory, value('KITH_DATA_DIR') ?? settings.KITH_DATA_DIR.default),
    secretKey: secretKey === undefined ? undefined : parseSecret(secretName, secretKey),
    oldSecretKeys: list(value('KITH_SECRET_KEYS_OLD')).map((secret) =>
      parseSecret('One of KITH_SECRET_KEYS_OLD', secret),
    ),
    rateLimits: parseRateLimits(value('KITH_RATE_LIMITS') ?? settings.KITH_RATE_LIMITS.default),
    demo: oneOf('KITH_DEMO', ['on', 'off'], value('KITH_DEMO') ?? (databaseUrl === undefined ? 'on' : 'off')) === 'on',
    jobs: oneOf('KITH_JOBS', ['on', 'off'], value('KITH_JOBS') ?? settings.KITH_JOBS.default) === 'on',
    logLevel: oneOf('KITH_LOG_LEVEL', logLevels, value('KITH_LOG_LEVEL') ?? settings.KITH_LOG_LEVEL.default),
    trustedProxies: list(value('KITH_TRUSTED_PROXIES')).map(parseProxy),
    privateHosts: list(value('KITH_PRIVATE_HOSTS')).map(parsePrivate),
    syncMs: parseSyncSeconds(value('KITH_SYNC_SECONDS') ?? settings.KITH_SYNC_SECONDS.default) * 1_000,
    publicUrl: parsePublicUrl(value('KITH_PUBLIC_URL')),
    corsOrigins: list(value('KITH_CORS_ORIGINS')).map(parseOrigin),
    metricsToken: parseMetricsToken(valueOrFile('KITH_METRICS_TOKEN', 'KITH_METRICS_TOKEN_FILE', value, directory)),
    model: parseModel(
      value('KITH_MODEL_URL'),
      value('KITH_MODEL_NAME'),
      valueOrFile('KITH_MODEL_KEY', 'KITH_MODEL_KEY_FILE', value, directory),
    ),
    mail: parseMail(valueOrFile('KITH_SMTP_URL', 'KITH_SMTP_URL_FILE', value, directory), value('KITH_MAIL_FROM')),
    workers: parseWorkers(value('KITH_WORKERS'), databaseUrl === undefined || isLocal(databaseUrl)),
    client: { org: value('KITH_ORG'), url: value('KITH_URL'), token: value('KITH_TOKEN') },
  };
  const empty = secretKey === undefined && [env, fromFile].some((from) => from['KITH_SECRET_KEY']?.trim() === '');
  return {
    config,
    warnings: [...unknownNames([...Object.keys(env), ...Object.keys(fromFile)]), ...(empty ? [emptySecret] : [])],
  };
}

const emptySecret =
  'KITH_SECRET_KEY is empty and counts as unset: the secret in the data directory is used; leave the variable out, or give it its value';

interface Given {
  readonly fromFile: NodeJS.Dict<string>;
  value(name: SettingName): string | undefined;
  inEnvironment(name: SettingName): boolean;
}

function givenBy(env: NodeJS.ProcessEnv, directory: string): Given {
  const fromFile = readEnvFile(resolve(directory, '.env'));
  return {
    fromFile,
    value: (name) => nonEmpty(env[name]) ?? nonEmpty(fromFile[name]),
    inEnvironment: (name) => nonEmpty(env[name]) !== undefined,
  };
}

export interface SettingInForce {
  readonly name: SettingName;
  /** Secrets are masked; null where there is none. */
  readonly value: string | null;
  /** `file`: the one that the setting's `…_FILE` names. */
  readonly source: 'environment' | '.env' | 'file' | 'default';
  readonly default: string;
  readonly meaning: string;
}

/** Every setting with the value that `readConfig` works with, as it was written. Throws ConfigError. */
export function settingsInForce(
  env: NodeJS.ProcessEnv = process.env,
  directory: string = process.cwd(),
): readonly SettingInForce[] {
  const { config } = readConfig(env, directory);
  const given = givenBy(env, directory);
  // Of these the default is worked out.
  const inForce: Partial<Record<SettingName, string>> = {
    KITH_DEMO: config.demo ? 'on' : 'off',
    KITH_WORKERS: String(config.workers),
  };
  return settingNames.map((name) => {
    const setting: Setting = settings[name];
    const file = settingNames.find((candidate) => candidate === `${name}_FILE` && given.value(candidate));
    const source = sourceOf(given, name, file);
    const text = inForce[name] ?? given.value(name) ?? (file ? '' : setting.default);
    const value = setting.secret && source !== 'default' ? masked(text) : text;
    return { name, value: value === '' ? null : value, source, default: setting.default, meaning: setting.meaning };
  });
}

const settingNames = Object.keys(settings) as SettingName[];

function sourceOf(given: Given, name: SettingName, file: SettingName | undefined): SettingInForce['source'] {
  if (file !== undefined) return 'file';
  if (given.inEnvironment(name)) return 'environment';
  return given.value(name) === undefined ? 'default' : '.env';
}

/** Of an address, everything but what opens it. */
function masked(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === '') return '***';
  if (url.password !== '') url.password = '***';
  for (const name of url.searchParams.keys()) if (/pass/i.test(name)) url.searchParams.set(name, '***');
  return url.href;
}

function readEnvFile(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readPlain(path, (found) => refuseOthers(path, found)));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    if (error instanceof KithError) throw new ConfigError(error.message);
    throw error instanceof ConfigError ? error : new ConfigError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/** In a directory that all users share, anybody could have laid one ready. */
function refuseOthers(path: string, found: Rights): void {
  if (isTrustedOwner(found) && !othersCanWrite(found)) return;
  throw new ConfigError(
    `${path} is, or can be changed by, another account's: remove it, or start Kith in another folder`,
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

function valueOrFile(
  name: SettingName,
  fileName: SettingName,
  value: (name: SettingName) => string | undefined,
  directory: string,
): string | undefined {
  const path = value(fileName);
  if (path === undefined) return value(name);
  if (value(name) !== undefined) throw new ConfigError(`${name} and ${fileName} are both set: leave one out`);
  let text: string;
  try {
    text = readGivenSync(resolve(directory, path), {
      maxBytes: mostInFile,
      tooLong: 'it is longer than 64 KiB',
    }).toString();
  } catch (error) {
    if (error instanceof KithError) throw new ConfigError(`${fileName} names ${path}: ${error.message}`);
    throw new ConfigError(`${fileName} names a file that cannot be read: ${path}`);
  }
  if (nonEmpty(text) === undefined) throw new ConfigError(`${fileName} names an empty file: ${path}`);
  return nonEmpty(text);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Infinity;
  if (port > 65_535) throw new ConfigError(`PORT must be a number from 0 to 65535, not ${JSON.stringify(text)}`);
  return port;
}

function parseSyncSeconds(text: string): number {
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds < 5 || seconds > 86_400)
    throw new ConfigError(`KITH_SYNC_SECONDS must be a number from 5 to 86400, not ${JSON.stringify(text)}`);
  return seconds;
}

/** A PostgreSQL on this machine needs cores of its own: with as many processes as cores, each request costs half as much again. */
function parseWorkers(text: string | undefined, besidePostgres: boolean): number {
  const cores = availableParallelism();
  if (text === undefined)
    return Math.min(maxWorkersUnlessTold, besidePostgres ? Math.max(1, Math.floor(cores / 2)) : cores);
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (workers < 1 || workers > maxWorkers)
    throw new ConfigError(`KITH_WORKERS must be a number from 1 to ${maxWorkers}, not ${JSON.stringify(text)}`);
  return workers;
}

function parseSecret(name: string, secret: string): string {
  const problem = secretProblem(secret);
  if (problem !== undefined) throw new ConfigError(`${name} ${problem}`);
  return secret;
}

function parseDatabaseUrl(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return text;
  throw new ConfigError('DATABASE_URL must look like postgres://user:password@host:5432/database');
}

function parseRedisUrl(text: string): string {
  const url = storeUrl(text);
  if (url !== undefined) return url;
  throw new ConfigError('REDIS_URL must look like redis://user:password@host:6379, or rediss:// for TLS');
}

function parseMail(smtpUrl: string | undefined, from: string | undefined): MailConfig {
  const url = smtpUrl === undefined ? null : URL.parse(smtpUrl);
  if (smtpUrl !== undefined && !(url && /^smtps?:$/.test(url.protocol) && url.hostname !== ''))
    throw new ConfigError('KITH_SMTP_URL must look like smtp://user:password@host:587, or smtps:// for TLS');
  if (smtpUrl !== undefined && from === undefined)
    throw new ConfigError('KITH_MAIL_FROM must be the address that mails come from, since KITH_SMTP_URL is set');
  if (from !== undefined && !/^(?:[^<>\r\n"]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(from))
    throw new ConfigError('KITH_MAIL_FROM must be an address, such as Kith <kith@crm.example>');
  return { smtpUrl, from: from ?? settings.KITH_MAIL_FROM.default };
}

function parseModel(text: string | undefined, name: string | undefined, key: string | undefined): Config['model'] {
  if (text === undefined || name === undefined) {
    if (text === undefined && name === undefined && key === undefined) return undefined;
    throw new ConfigError(
      'KITH_MODEL_URL and KITH_MODEL_NAME belong together: set both, or neither and no KITH_MODEL_KEY',
    );
  }
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (!isPlain) throw new ConfigError('KITH_MODEL_URL must look like https://models.example/v1');
  if (key !== undefined && !/^[\x21-\x7e]{1,4000}$/.test(key))
    throw new ConfigError('KITH_MODEL_KEY must be visible characters of ASCII: it goes into a header');
  return { url: url.href.replace(/\/+$/, ''), name, key };
}

function parseRateLimits(text: string): Policies | 'off' {
  try {
    return parsePolicies(text);
  } catch (error) {
    throw new ConfigError(`KITH_RATE_LIMITS ${messageOf(error)}`);
  }
}

/** It has to fit into a header, and is guessed at without a limit. */
function parseMetricsToken(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]{16,1000}$/.test(text)) return text;
  throw new ConfigError('KITH_METRICS_TOKEN must have at least 16 characters, visible ones of ASCII');
}

function oneOf<const T extends string>(name: SettingName, allowed: readonly T[], text: string): T {
  const found = allowed.find((candidate) => candidate === text.toLowerCase());
  if (found !== undefined) return found;
  const meant = didYouMean(text, allowed);
  throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not ${JSON.stringify(text)}${meant}`);
}

function parseProxy(text: string): string {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return text;
  const [address = '', bits = '0', ...rest] = text.split('/');
  const widest = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= widest) return text;
  throw new ConfigError(`KITH_TRUSTED_PROXIES must list addresses or networks, and ${JSON.stringify(text)} is neither`);
}

function parsePrivate(text: string): PrivateHost {
  const host = parsePrivateHost(text);
  if (host !== undefined) return host;
  throw new ConfigError(
    `KITH_PRIVATE_HOSTS must list names, addresses or networks, such as mail.corp, mail.corp:25, [fd00::1]:443 or 10.0.0.0/8, and ${JSON.stringify(text)} is none`,
  );
}

function parsePublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new ConfigError(`KITH_PUBLIC_URL must look like https://crm.example, not ${JSON.stringify(text)}`);
}

/** As browsers write it: an address without anything behind its host. */
function parseOrigin(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')) return url.origin;
  throw new ConfigError(
    `KITH_CORS_ORIGINS names origins such as https://app.example, without a path, not ${JSON.stringify(text)}`,
  );
}

function list(text: string | undefined): string[] {
  return (text ?? '').split(',').flatMap((part) => nonEmpty(part) ?? []);
}

function unknownNames(names: readonly string[]): string[] {
  const unknown = new Set(
    names.filter((name) => name.startsWith('KITH_') && !settingNames.includes(name as SettingName)),
  );
  return [...unknown].map((name) => `${name} is not a setting of Kith${didYouMean(name, settingNames)}`);
}
