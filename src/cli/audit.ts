/** `kith audit`: lists and verifies the audit. */
import type { Command } from 'commander';
import { parseJson, type JsonObject } from '../lib/json.ts';
import { whole } from '../lib/long-text.ts';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import { organizationOption, type OrganizationChoice } from './organization.ts';
import { terminalWidth, textOf, type Answering } from './output.ts';

interface ListOptions extends OrganizationChoice {
  readonly action?: string;
  readonly since?: string;
  readonly limit?: string;
}

/** Adds `kith audit` with its commands. */
export function addAuditCommands(program: Command, answer: Answering): void {
  const audit = program.command('audit').description('who did what that matters, and whether all of it is there');
  withExamples(audit, ['kith audit list', 'kith audit verify']);
  addList(audit, answer);
  addVerify(audit, answer);
}

function addList(audit: Command, answer: Answering): void {
  const list = audit.command('list').description('list the latest entries');
  withExamples(list, ['kith audit list', 'kith audit list --action export --since 2026-01-31']);
  list
    .addOption(organizationOption())
    .option('--action <name>', 'of this kind alone, such as export')
    .option('--since <time>', 'from then on')
    .option('--limit <number>', 'so many, at most 100', '20')
    .action(({ org, ...input }: ListOptions) =>
      answer(async (context) => {
        const { listAudit } = await import('../operations/people/audit.ts');
        const desk = await context.desk(org);
        const { text } = await desk.perform(listAudit, input);
        const value = parseJson(whole(text)) as JsonObject;
        return { value, text: textOf({ data: value['data'] }, terminalWidth()) };
      }),
    );
}

function addVerify(audit: Command, answer: Answering): void {
  const verify = audit.command('verify').description('look whether an entry was changed or is missing; 1 where one is');
  withExamples(verify, ['kith audit verify', 'kith audit verify --org Acme --json']);
  verify
    .addOption(organizationOption())
    .option('--head <head>', 'a head that was printed before: it has to be among the entries')
    .action(({ org, head }: OrganizationChoice & { readonly head?: string }) =>
      answer(async (context) => {
        const { proveAudit } = await import('../provision/audit.ts');
        const value = await proveAudit(context.provision, await context.organization(org), head);
        return { value, ...(!value.ok && { exitCode: exitCodes.failure }) };
      }),
    );
}
