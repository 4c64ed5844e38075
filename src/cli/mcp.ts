/** `kith mcp`: serves the tools over stdio, and prints settings for agents. */
import { Option, type Command } from 'commander';
import { withExamples } from './help.ts';
import { clientNames, snippetsFor, type ClientName } from './mcp-snippets.ts';
import { organizationOption } from './organization.ts';
import type { Onlooking } from './output.ts';

interface ServeOptions {
  readonly url?: string;
  readonly org?: string;
}

interface ConfigOptions {
  readonly client?: ClientName;
  readonly url?: string;
}

type Note = (message: string) => void;

/** Adds `kith mcp` and `kith mcp config`; `note` prints messages. */
export function addMcpCommand(program: Command, look: Onlooking, note: Note): void {
  const mcp = program.command('mcp').description('serve the tools for agents over standard input and output (MCP)');
  withExamples(mcp, ['KITH_TOKEN=svc_… kith mcp --url https://crm.example', 'kith mcp --org Acme', 'kith mcp config']);
  mcp
    // For `config`, too: the parent command parses its subcommand's flags first.
    .option('--url <url>', 'the service (KITH_URL; without one, the database at hand answers)')
    .addOption(organizationOption())
    .action((options: ServeOptions) => serve(options, note));

  const config = mcp.command('config').description('print what to paste so that an agent finds the service');
  withExamples(config, ['kith mcp config --client claude-code', 'kith mcp config --url https://crm.example']);
  config
    .addOption(new Option('--client <name>', 'whose form it has (default: all)').choices([...clientNames]))
    .action((_options: object, command: Command) =>
      look(async ({ config: { client: known } }) => {
        const { client, url } = command.optsWithGlobals<ConfigOptions>();
        const { baseOf } = await import('./remote.ts');
        const snippets = snippetsFor(baseOf(url ?? known.url ?? 'http://127.0.0.1:3000'), client);
        const text = snippets.map((each) => `# ${each.title}\n${each.text}\n`).join('\n');
        return { value: { snippets }, text };
      }),
    );
}

/** Serves messages; only they go to standard output. */
async function serve({ url: named, org }: ServeOptions, note: Note): Promise<void> {
  const { openContext, quietLog, withResources } = await import('./context.ts');
  const { relay } = await import('../mcp/relay.ts');
  await withResources(note, async (config, resources, interruption) => {
    const { carryHere, carryTo } = await import('../mcp/carriers.ts');
    const { deskMeant, tokenElsewhere } = await import('./client.ts');
    const url = named ?? config.client.url;
    const write = (line: string) => new Promise<void>((resolve) => process.stdout.write(`${line}\n`, () => resolve()));
    if (url !== undefined) {
      const { baseOf, refuseUnsendable } = await import('./remote.ts');
      const token = tokenElsewhere(config, org);
      refuseUnsendable(token);
      return relay(process.stdin, write, carryTo(baseOf(url), token), interruption);
    }
    const context = await openContext(config, resources, interruption, note);
    const open = async () => (await deskMeant(config, context, org)).session;
    // Opened first, so that a wrong argument is reported before an agent waits.
    await open();
    return relay(process.stdin, write, carryHere(open, context.perform, quietLog(config)), interruption);
  });
}
