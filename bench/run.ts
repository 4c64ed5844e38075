/**
 * `npm run bench`: how much processor time a request costs, of Kith and of the floor, on one PostgreSQL and the same rows.
 * README.md says how to read the table.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { findPlace } from '../src/postgres/embedded/place.ts';
import { startEmbedded } from '../src/postgres/embedded/supervisor.ts';
import { fill, startKith, type KithService } from './kith-service.ts';
import type { Ask, Job, Outcome } from './load-generator.ts';
import { processorSeconds, residentMiB } from './processes.ts';
import { workloadsFor } from './workloads.ts';

const { values: options } = parseArgs({
  options: {
    contacts: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '16' },
    only: { type: 'string', default: '' },
    port: { type: 'string', default: '7990' },
  },
});

interface Target {
  readonly pid: number;
  readonly port: number;
  readonly authorization: string;
}

/** Milliseconds of processor time for one answer. */
interface Cost {
  readonly service: number;
  readonly postgres: number;
  readonly medianMs: number;
}

async function measure(target: Target, postgres: number, asks: readonly Ask[]): Promise<Cost> {
  const generator = fork(fileURLToPath(new URL('load-generator.ts', import.meta.url)));
  const measuredMs = Number(options.seconds) * 1000;
  const { port, authorization } = target;
  const connections = Number(options.connections);
  generator.send({ port, authorization, connections, warmupMs: 1500, measuredMs, asks } satisfies Job);
  await once(generator, 'message');
  const before = [processorSeconds(target.pid), processorSeconds(postgres)] as const;
  const [{ answers, failure, medianMs }] = (await once(generator, 'message')) as [Outcome];
  if (failure !== undefined) throw new Error(`${asks[0]?.method} ${asks[0]?.path}: ${failure}`);
  const cost = (now: number, then: number) => ((now - then) / answers) * 1000;
  return {
    service: cost(processorSeconds(target.pid), before[0]),
    postgres: cost(processorSeconds(postgres), before[1]),
    medianMs,
  };
}

async function startFloor(url: string, schema: string): Promise<Target & { stop(): void }> {
  const child = fork(fileURLToPath(new URL('floor.ts', import.meta.url)), [url, schema]);
  const [port] = await once(child, 'message');
  return { pid: child.pid ?? 0, port: Number(port), authorization: 'none', stop: () => child.kill() };
}

/** The floor writes to a copy; both have been analyzed. */
async function settle(url: string, schema: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const copy = `"${schema}"._floor_contacts`;
  await client.query(`create table ${copy} (like "${schema}".contacts including all)`);
  await client.query(`insert into ${copy} select * from "${schema}".contacts`);
  await client.query('vacuum analyze');
  await client.end();
}

async function compare(kith: KithService, url: string, postgres: number): Promise<void> {
  const idle = residentMiB(kith.pid);
  const filled = await fill(kith, Number(options.contacts));
  await settle(url, kith.schema);
  const floor = await startFloor(url, kith.schema);
  try {
    console.log(
      `${options.contacts} contacts; started in ${kith.startMs} ms, ${Math.round(idle)} MiB before the first request`,
    );
    console.log('ms of processor time per request: service + PostgreSQL (median ms)\n');
    console.log('| | Kith | floor | Kith : floor |\n|---|---|---|---|');
    for (const { name, ...asks } of await workloadsFor(kith, filled)) {
      if (!name.includes(options.only)) continue;
      const costs: Record<'kith' | 'floor', Cost[]> = { kith: [], floor: [] };
      for (let round = 0; round < Number(options.rounds); round++) {
        costs.kith.push(await measure(kith, postgres, asks.kith));
        costs.floor.push(await measure(floor, postgres, asks.floor));
      }
      const [ours, theirs] = [mean(costs.kith), mean(costs.floor)];
      const ratio = (ours.service + ours.postgres) / (theirs.service + theirs.postgres);
      console.log(`| ${name} | ${told(ours)} | ${told(theirs)} | ${ratio.toFixed(2)} |`);
    }
  } finally {
    floor.stop();
  }
}

function mean(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost) => costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
  return { service: of('service'), postgres: of('postgres'), medianMs: of('medianMs') };
}

function told({ service, postgres, medianMs }: Cost): string {
  return `${service.toFixed(3)} + ${postgres.toFixed(3)} (${medianMs.toFixed(1)})`;
}

const directory = mkdtempSync(path.join(tmpdir(), 'kith-bench-'));
chmodSync(directory, 0o711); // PostgreSQL may run as another account
const dataDir = path.join(directory, 'postgres');
const log = { debug() {}, info() {}, warn: console.error, error: console.error };
const embedded = await startEmbedded({ dataDir, log, settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
try {
  const { host, port, user, password, database } = embedded.connection;
  const secret = encodeURIComponent(password);
  const url = `postgres://${user}:${secret}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  const pidFile = path.join(findPlace(dataDir).clusterDir, 'postmaster.pid');
  const postgres = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const kith = await startKith(url, path.join(directory, 'kith'), Number(options.port));
  try {
    await compare(kith, url, postgres);
  } finally {
    await kith.stop();
  }
} finally {
  await embedded.stop();
  rmSync(directory, { recursive: true, force: true });
}
