/**
 * `node bench/import-job.ts [rows]`: what an import of a file costs, from its analysis to the last row, beside a floor that inserts
 * the same rows by one statement for each thousand. Prints milliseconds of processor time for a thousand rows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import Papa from 'papaparse';
import pg from 'pg';
import { company, contact } from './dataset.ts';
import { ask, importRows, startKith, type KithService } from './kith-service.ts';
import { withPostgres } from './postgres.ts';
import { processorSeconds } from './processes.ts';

const rows = Number(process.argv[2] ?? 100_000);
const companies = 1_000;
const floorRows = 1_000;
const port = 7_991;

interface Job {
  readonly import_job_id: string;
  readonly status: string;
  readonly outcome: { readonly created: number } | null;
}

/** The file that people bring: a column for each field. */
function fileOf(made: readonly ReturnType<typeof contact>[]): string {
  const flat = made.map(({ emails, phones, tags, ...rest }) => ({
    ...rest,
    emails: emails.map(({ email }) => email).join(', '),
    phones: phones.map(({ phone }) => phone).join(', '),
    tags: tags.join(', '),
  }));
  return Papa.unparse(flat);
}

async function importFile(service: KithService, file: string, told: (phase: string) => Promise<void>): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}/api/v1/import-jobs?object_name=contacts`, {
    method: 'POST',
    headers: { authorization: service.authorization, 'content-type': 'text/csv' },
    body: file,
  });
  const { import_job_id: id } = (await response.json()) as Job;
  await told('analyze');
  await ask(service, 'POST', `/import-jobs/${id}/preview`, {});
  await told('preview');
  await ask(service, 'POST', `/import-jobs/${id}/execute`, {});
  let job: Job;
  do {
    await sleep(200);
    job = await ask<Job>(service, 'GET', `/import-jobs/${id}`);
  } while (!/^(completed|failed|cancelled)/.test(job.status));
  if (job.outcome?.created !== rows) throw new Error(`Of ${rows} rows came in ${JSON.stringify(job.outcome)}`);
  await told('execute');
}

/** Parses the same file and inserts its rows into a copy of the table, in this process. */
async function floor(url: string, schema: string, file: string, told: () => void): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const table = `"${schema}"._floor_contacts`;
  await client.query(`create table ${table} (like "${schema}".contacts including all)`);
  const { data } = Papa.parse<Record<string, string>>(file, { header: true });
  const statement = `insert into ${table} (id, first_name, last_name, emails, phones, job_title, company_id, tags, do_not_contact,
      created_at, updated_at, search_text)
    select gen_random_uuid(), r.first_name, r.last_name, jsonb_build_array(jsonb_build_object('email', r.emails)),
      jsonb_build_array(jsonb_build_object('number', r.phones)), r.job_title, nullif(r.company_id, '')::uuid, string_to_array(r.tags, ', '),
      r.do_not_contact, now(), now(), lower(concat_ws(' ', '', r.first_name, r.last_name, r.emails, r.job_title))
    from jsonb_to_recordset($1::jsonb) r(first_name text, last_name text, emails text, phones text, job_title text, company_id text,
      tags text, do_not_contact boolean)`;
  for (let first = 0; first < data.length; first += floorRows)
    await client.query(statement, [JSON.stringify(data.slice(first, first + floorRows))]);
  told(); // a server's process that has ended is not counted at once
  await client.end();
}

await withPostgres(async ({ url, pid, directory }) => {
  const kith = await startKith(url, path.join(directory, 'kith'), port);
  try {
    const ids = await importRows(kith, 'companies', companies, company);
    const file = fileOf(Array.from({ length: rows }, (_, row) => contact(row, ids)));
    let before = [processorSeconds(kith.pid), processorSeconds(pid)] as const;
    const perThousand = (seconds: number) => ((seconds * 1_000) / (rows / 1_000)).toFixed(1);
    let execution = 0;
    console.log(
      `${rows} rows, ${Math.round(file.length / 1024)} KiB\n\n| | service + PostgreSQL, ms for 1,000 rows |\n|---|---|`,
    );
    await importFile(kith, file, async (phase) => {
      const now = [processorSeconds(kith.pid), processorSeconds(pid)] as const;
      execution = now[0] - before[0] + now[1] - before[1];
      console.log(`| ${phase} | ${perThousand(now[0] - before[0])} + ${perThousand(now[1] - before[1])} |`);
      before = now;
    });
    const own = process.cpuUsage();
    const server = processorSeconds(pid);
    await floor(url, kith.schema, file, () => {
      const used = process.cpuUsage(own);
      const parts = [(used.user + used.system) / 1e6, processorSeconds(pid) - server] as const;
      console.log(`| floor | ${perThousand(parts[0])} + ${perThousand(parts[1])} |`);
      console.log(`\nexecute : floor = ${(execution / (parts[0] + parts[1])).toFixed(2)}`);
    });
  } finally {
    await kith.stop();
  }
});
