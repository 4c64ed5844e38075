/** The list of environment variables that documentation and error messages go by. */
import { logLevels } from './lib/log.ts';

/** An environment variable. */
export interface Setting {
  /** As the documentation says it. */
  readonly default: string;
  readonly meaning: string;
  readonly secret?: true;
}

/** All that there are, by their names. */
export const settings = {
  PORT: { default: '3000', meaning: 'Port to listen on; 0 takes any free one' },
  HOST: { default: '127.0.0.1', meaning: 'Address to listen on' },
  DATABASE_URL: {
    default: '',
    meaning: 'An external PostgreSQL 15 or later; without it, an embedded one in the data directory',
    secret: true,
  },
  DATABASE_URL_FILE: { default: '', meaning: 'A file that holds DATABASE_URL' },
  KITH_DATA_DIR: { default: '.kith', meaning: 'Directory of the embedded database and the generated secret' },
  KITH_SECRET_KEY: {
    default: '',
    meaning:
      'Root secret of token signatures and encryption, of 32 characters or more; without it, one is made and kept in the data directory',
    secret: true,
  },
  KITH_SECRET_KEY_FILE: { default: '', meaning: 'A file that holds KITH_SECRET_KEY' },
  KITH_SECRET_KEYS_OLD: {
    default: '',
    meaning: 'Earlier root secrets, separated by commas, that still verify and decrypt',
    secret: true,
  },
  REDIS_URL: {
    default: '',
    meaning:
      'A Redis or Valkey that counts rate limits for all processes and machines: redis://user:password@host:6379, or rediss:// for TLS; without it, each service counts by itself',
    secret: true,
  },
  REDIS_URL_FILE: { default: '', meaning: 'A file that holds REDIS_URL' },
  KITH_RATE_LIMITS: {
    default: 'on',
    meaning: 'on, off, or JSON that overrides single policies: {"api:global":{"limit":100000,"windowSeconds":60}}',
  },
  KITH_DEMO: {
    default: 'on with the embedded database, off with DATABASE_URL',
    meaning:
      'on or off: whether a first start on an empty database makes the demo organization, and later ones complete it where one was broken off',
  },
  KITH_JOBS: {
    default: 'on',
    meaning:
      'on or off: whether this service does what is done beside requests; off where another one on the same database does it',
  },
  KITH_LOG_LEVEL: { default: 'info', meaning: `${logLevels.join(', ')}: the least that is logged` },
  KITH_TRUSTED_PROXIES: {
    default: '',
    meaning: 'Addresses or networks, separated by commas, whose X-Forwarded-For names the client',
  },
  KITH_PRIVATE_HOSTS: {
    default: '',
    meaning:
      'Hosts and networks, separated by commas, that the service may connect to for its users, or for its model, although they are not public',
  },
  KITH_SYNC_SECONDS: {
    default: '60',
    meaning: 'Seconds between two looks into a connected account; new mail comes sooner where the server tells of it',
  },
  KITH_PUBLIC_URL: {
    default: 'where it listens',
    meaning:
      "The service's address as others see it, such as https://crm.example; agents may call it by that name, and with https Telegram calls in there",
  },
  KITH_CORS_ORIGINS: {
    default: '',
    meaning:
      'Origins, separated by commas, whose pages may call the service from a browser with a bearer token: https://app.example',
  },
  KITH_SMTP_URL: {
    default: '',
    meaning:
      'The mail server that links to sign in are sent by: smtp://user:password@host:587, or smtps:// for TLS from the start; without it, mails are written to files in the data directory',
    secret: true,
  },
  KITH_SMTP_URL_FILE: { default: '', meaning: 'A file that holds KITH_SMTP_URL' },
  KITH_MAIL_FROM: {
    default: 'kith@localhost',
    meaning: 'The address that mails come from, such as Kith <kith@crm.example>; needed with KITH_SMTP_URL',
  },
  KITH_MODEL_URL: {
    default: '',
    meaning:
      'The address of the model that the assistant inside asks, which speaks chat completions, up to its version: https://models.example/v1; without it there is no assistant',
  },
  KITH_MODEL_NAME: {
    default: '',
    meaning: 'The name of that model, as its server knows it; needed with KITH_MODEL_URL',
  },
  KITH_MODEL_KEY: { default: '', meaning: 'What the model is asked with, as a bearer token', secret: true },
  KITH_MODEL_KEY_FILE: { default: '', meaning: 'A file that holds KITH_MODEL_KEY' },
  KITH_METRICS_TOKEN: {
    default: '',
    meaning: 'A token of 16 or more visible characters with which others than this machine may read /metrics',
    secret: true,
  },
  KITH_METRICS_TOKEN_FILE: { default: '', meaning: 'A file that holds KITH_METRICS_TOKEN' },
  KITH_WORKERS: {
    default: 'one per core, half as many where the database is on the same machine; at most 16',
    meaning: 'Processes that serve requests, up to 32; with 1, the service is a single process',
  },
  KITH_ORG: { default: '', meaning: 'Organization of commands that name none: an id or a name' },
  KITH_URL: { default: '', meaning: 'Service that clients talk to: http://127.0.0.1:3000' },
  KITH_TOKEN: { default: '', meaning: 'API token that clients act with', secret: true },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
