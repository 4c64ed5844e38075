/**
 * `npm run bench`: how much processor time a request costs, of Kith and of the floor, on one PostgreSQL and the same rows.
 * README.md says how to read the table.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { fill, fillWork, startKith, type KithService } from './kith-service.ts';
import { measure, type Cost, type Target } from './measure.ts';
import { withPostgres } from './postgres.ts';
import { residentMiB } from './processes.ts';
import { workloadsFor, type Workload } from './workloads.ts';

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

const load = { connections: Number(options.connections), measuredMs: Number(options.seconds) * 1000 };

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

async function compare(kith: KithService, url: string, postgres: number, directory: string): Promise<void> {
  const idle = residentMiB(kith.pid);
  const filled = await fill(kith, Number(options.contacts));
  const work = await fillWork(kith, directory, filled.contacts.length);
  await settle(url, kith.schema);
  const floor = await startFloor(url, kith.schema);
  try {
    console.log(
      `${options.contacts} contacts; started in ${kith.startMs} ms, ${Math.round(idle)} MiB before the first request`,
    );
    console.log('ms of processor time per request: service + PostgreSQL (median ms)\n');
    console.log('| | Kith | floor | Kith : floor |\n|---|---|---|---|');
    for (const { name, ...asks } of await workloadsFor(kith, filled, work)) {
      if (!name.includes(options.only)) continue;
      // One that is refused at this load is told, and the rest goes on.
      const cells = await cellsOf(kith, floor, postgres, asks).catch((error: unknown) => `${String(error)} | | |`);
      console.log(`| ${name} | ${cells}`);
    }
  } finally {
    floor.stop();
  }
}

async function cellsOf(
  kith: Target,
  floor: Target,
  postgres: number,
  asks: Pick<Workload, 'kith' | 'floor'>,
): Promise<string> {
  const costs: Record<'kith' | 'floor', Cost[]> = { kith: [], floor: [] };
  for (let round = 0; round < Number(options.rounds); round++) {
    costs.kith.push(await measure(kith, postgres, asks.kith, load));
    if (asks.floor) costs.floor.push(await measure(floor, postgres, asks.floor, load));
  }
  const ours = mean(costs.kith);
  if (!asks.floor) return `${told(ours)} | | |`;
  const theirs = mean(costs.floor);
  const ratio = (ours.service + ours.postgres) / (theirs.service + theirs.postgres);
  return `${told(ours)} | ${told(theirs)} | ${ratio.toFixed(2)} |`;
}

function mean(costs: readonly Cost[]): Cost {
  const of = (key: keyof Cost) => costs.reduce((sum, cost) => sum + cost[key], 0) / costs.length;
  return { service: of('service'), postgres: of('postgres'), medianMs: of('medianMs') };
}

function told({ service, postgres, medianMs }: Cost): string {
  return `${service.toFixed(3)} + ${postgres.toFixed(3)} (${medianMs.toFixed(1)})`;
}

await withPostgres(async ({ url, pid, directory }) => {
  const kith = await startKith(url, path.join(directory, 'kith'), Number(options.port));
  try {
    await compare(kith, url, pid, directory);
  } finally {
    await kith.stop();
  }
});
