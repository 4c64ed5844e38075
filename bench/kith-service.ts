/** Kith as everybody has it: set up by its command line, started by it, filled through its interface. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { company, contact, messageLine } from './dataset.ts';

const launcher = fileURLToPath(new URL('../bin/kith.js', import.meta.url));
const rowsPerImport = 5_000;

export interface KithService {
  readonly pid: number;
  readonly port: number;
  readonly authorization: string;
  /** Where the organization lies in the database. */
  readonly schema: string;
  readonly startMs: number;
  /** Carries out a command on its organization, and gives what it prints. */
  command(args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

/** Makes an organization in the empty database at `databaseUrl` and serves it in one process without limits. */
export async function startKith(databaseUrl: string, dataDir: string, port: number): Promise<KithService> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    KITH_DATA_DIR: dataDir,
    KITH_DEMO: 'off',
    KITH_RATE_LIMITS: 'off',
    KITH_WORKERS: '1',
    HOST: '127.0.0.1',
    PORT: String(port),
  };
  const command = [
    launcher,
    'org',
    'create',
    '--name',
    'Bench',
    '--admin-name',
    'Ada',
    '--admin-email',
    'ada@kith.test',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [...command, '--json'], { env });
  const { organizationId, token } = JSON.parse(stdout);
  const began = performance.now();
  const child = spawn(process.execPath, [launcher, 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await isReady(port))) {
    if (child.exitCode !== null) throw new Error('Kith did not start');
    await sleep(20);
  }
  return {
    pid: child.pid ?? 0,
    port,
    authorization: `Bearer ${token}`,
    schema: `org_${String(organizationId).replaceAll('-', '')}`,
    startMs: Math.round(performance.now() - began),
    async command(args) {
      const org = ['--org', String(organizationId), '--json'];
      return (await promisify(execFile)(process.execPath, [launcher, ...args, ...org], { env })).stdout;
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
  } catch {
    return false;
  }
}

/** What Kith answers, parsed; throws where it refuses. */
export async function ask<Answer>(service: KithService, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1${path}`, {
    method,
    headers: { authorization: service.authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

/** Fills the organization; the ids of its companies and contacts, in the order of their rows. */
export async function fill(
  service: KithService,
  contacts: number,
): Promise<Record<'companies' | 'contacts', string[]>> {
  const companies = await importRows(service, 'companies', contacts / 10, company);
  return { companies, contacts: await importRows(service, 'contacts', contacts, (row) => contact(row, companies)) };
}

/** What people work with beside contacts: deals, and a message to each contact in turn. */
export interface Work {
  readonly deals: readonly string[];
  /** Ids of two steps that a deal can go back and forth between. */
  readonly steps: readonly [string, string];
}

const messages = 20_000;
const deals = 1_000;

/** Fills in deals and conversations. `directory` is for a file. */
export async function fillWork(service: KithService, directory: string, contacts: number): Promise<Work> {
  const lines = Array.from({ length: messages }, (_, n) => JSON.stringify(messageLine(n, contacts)));
  const file = path.join(directory, 'messages.jsonl');
  await writeFile(file, lines.join('\n'));
  await service.command(['ingest', '--file', file]);
  await rm(file);
  const { pipelines } = await ask<{ pipelines: { steps: { id: string }[] }[] }>(service, 'GET', '/pipelines');
  const [first, second] = pipelines[0]?.steps ?? [];
  return {
    deals: await importRows(service, 'opportunities', deals, (row) => ({ name: `Deal ${row}`, amount: row })),
    steps: [first?.id ?? '', second?.id ?? ''],
  };
}

/** Imports `count` rows, and gives the ids of their records in the order of the rows. */
export async function importRows(
  service: KithService,
  object: string,
  count: number,
  make: (row: number) => object,
): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const first = ids.length;
    const records = Array.from({ length: Math.min(rowsPerImport, count - first) }, (_, index) => make(first + index));
    const answer = await ask<{ created_ids: string[] }>(service, 'POST', `/import/${object}`, { records });
    if (answer.created_ids.length < records.length) throw new Error(`Only ${answer.created_ids.length} were imported`);
    ids.push(...answer.created_ids);
  }
  return ids;
}
