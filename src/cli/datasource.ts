/** `kith datasource`: clusters for organizations. */
import type { Command } from 'commander';
import { readGiven } from '../lib/given-file.ts';
import { withExamples } from './help.ts';
import type { Answering } from './output.ts';

interface AddOptions {
  readonly name: string;
  readonly url: string;
}

/** Adds `kith datasource` with its commands. */
export function addDatasourceCommands(program: Command, answer: Answering): void {
  const datasource = program
    .command('datasource')
    .description('register PostgreSQL clusters to place organizations on');
  withExamples(datasource, ['kith datasource list', 'kith datasource add --name east --url - < url.txt']);

  const add = datasource.command('add').description('register a cluster; its address is kept sealed');
  withExamples(add, [
    'kith datasource add --name east --url - < url.txt',
    'printf \'%s\' "$EAST_URL" | kith datasource add --name east --url -',
  ]);
  add
    .requiredOption('--name <name>', 'small letters, digits, - and _')
    .requiredOption('--url <url>', 'postgres://…, or - to read it from standard input, where `ps` cannot see it')
    .action(({ name, url }: AddOptions) =>
      answer(async (context) => {
        const given = { maxBytes: 64 * 1024, tooLong: 'An address has at most 64 KiB' };
        const address = url === '-' ? (await readGiven('-', given)).toString().trim() : url;
        if (url !== '-' && hasPassword(url))
          context.note('Everybody on this machine can see the password in a command line: --url - reads the address');
        const { id, engine } = await context.provision.directory.addDatasource(name, address);
        return { value: { datasourceId: id, engine } };
      }),
    );

  const list = datasource.command('list').description('list the clusters');
  withExamples(list, ['kith datasource list']);
  list.action(() =>
    answer(async (context) => {
      return { value: { datasources: await context.provision.directory.datasources() } };
    }),
  );
}

function hasPassword(url: string): boolean {
  const parts = URL.parse(url);
  return parts !== null && (parts.password !== '' || parts.searchParams.has('password'));
}
