/** `kith doctor`: finds problems of an installation, with their remedies. */
import type { Command } from 'commander';
import { KithError } from '../errors.ts';
import type { Check, Finding } from '../doctor/finding.ts';
import type { Database } from '../postgres/database.ts';
import type { Onlooker } from './context.ts';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import type { Onlooking } from './output.ts';

/** Adds `kith doctor`. It exits with 1 if there is a problem. */
export function addDoctorCommand(program: Command, look: Onlooking): void {
  const command = program.command('doctor').description('check databases, schemas, keys and sums');
  withExamples(command, ['kith doctor', 'kith doctor --repair', 'kith doctor --json']);
  command.option('--repair', 'make missing indexes, correct sums, remove left-overs, then check again');
  command.action(({ repair = false }: { readonly repair?: boolean }) =>
    look(async (onlooker) => {
      const { checkOf } = await import('../doctor/finding.ts');
      const checks = (await examined(onlooker, repair)).map(checkOf);
      const ok = checks.every((check) => check.ok);
      return { value: { ok, checks }, text: textOf(checks), ...(!ok && { exitCode: exitCodes.failure }) };
    }),
  );
}

async function examined(onlooker: Onlooker, wanted: boolean): Promise<readonly Finding[]> {
  const { examine, examineAndRepair, examineWithoutDatabase } = await import('../doctor/doctor.ts');
  const { config, note } = onlooker;
  const secret = { dataDir: config.dataDir, isConfigured: config.secretKey !== undefined };
  const place = { secret, isEmbedded: config.databaseUrl === undefined, redisUrl: config.redisUrl };
  let main: Database | undefined;
  try {
    main = await onlooker.connect();
    const patient = { main, ...place, ...(await onlooker.groundOn(main)) };
    if (!wanted) return await examine(patient);
    const { findings, failed } = await examineAndRepair(patient);
    failed.forEach(note);
    return findings;
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    // A new connection tells why the database went away.
    const reason = main === undefined ? error : await onlooker.connect().then(() => error, asIs);
    return examineWithoutDatabase(reason, place);
  }
}

const asIs = (error: unknown) => error;

function textOf(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  return checks
    .map(({ name, ok, detail }) => `${ok ? 'ok    ' : 'FAILED'}  ${name.padEnd(width)}  ${detail}\n`)
    .join('');
}
