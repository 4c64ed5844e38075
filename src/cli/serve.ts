/** `kith serve`: runs the service until a signal ends it. Worker processes are started with the same command. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Started } from '../app.ts';
import { logLastWords } from '../lib/last-words.ts';
import { createLog } from '../lib/log.ts';
import { takeMark } from '../workers/mark.ts';
import { exitCodes } from './exit-codes.ts';
import { withExamples } from './help.ts';
import { startBlock } from './start-block.ts';

/** The service stops by itself within ten seconds; one that hangs longer, as during a start without its database, is killed. */
const patienceMs = 11_000;

/** Adds `kith serve`. With `json`, standard output gets `{ url }` once the service is ready. */
export function addServeCommand(program: Command, json: boolean): void {
  const command = program.command('serve').alias('start').description('run the service');
  withExamples(command, [
    'kith serve',
    'kith serve --port 8080 --host 0.0.0.0',
    'DATABASE_URL=postgres://kith@db/kith kith serve --demo',
  ]);
  command
    .addOption(new Option('--port <port>', 'port to listen on, 0 for any free one (PORT, else 3000)').argParser(portOf))
    .option('--host <host>', 'address to listen on (HOST, else 127.0.0.1)')
    .addOption(
      new Option('--demo [state]', 'whether a first start makes the demo organization (KITH_DEMO)')
        .choices(['on', 'off'])
        .preset('on'),
    )
    .action((flags: Flags) => serve(json, flags));
  if (!json) command.configureOutput({ outputError: (text, write) => write(text + hintFor(text)) });
}

/** npm keeps the options for itself that stand before `--`, and passes on what is left of them. */
function hintFor(text: string): string {
  const isByNpm = text.includes('too many arguments') && process.env['npm_lifecycle_event'] === 'start';
  return isByNpm ? 'Behind npm start, options come after --: npm start -- --port 8080\n' : '';
}

interface Flags {
  readonly port?: string;
  readonly host?: string;
  readonly demo?: 'on' | 'off';
}

function portOf(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return text;
  throw new InvalidArgumentError('It has to be a number from 0 to 65535.');
}

/** The environment, overridden by flags. */
function withFlags(env: NodeJS.ProcessEnv, { port, host, demo }: Flags): NodeJS.ProcessEnv {
  return {
    ...env,
    ...(port !== undefined && { PORT: port }),
    ...(host !== undefined && { HOST: host }),
    ...(demo !== undefined && { KITH_DEMO: demo }),
  };
}

async function serve(json: boolean, flags: Flags): Promise<void> {
  if (takeMark()) {
    const { work } = await import('../workers/worker.ts');
    return work();
  }
  const isTerminal = !json && process.stdout.isTTY;
  let stopped: NodeJS.Signals | undefined;
  const stopping = firstSignal().then((signal) => {
    stopped = signal;
    if (isTerminal) say(signal, '\nStopping, when the requests in flight are finished. Ctrl-C again stops at once.');
  });
  const { startService } = await import('../app.ts');
  const { readConfig } = await import('../config.ts');
  const { config, warnings } = readConfig(withFlags(process.env, flags));
  logLastWords(createLog(config.logLevel));
  const greeting = json ? process.stderr : process.stdout;
  const print = (text: string) => {
    if (stopped === undefined) greeting.write(text);
  };
  const greet = isTerminal ? (started: Started) => startBlock(started, performance.now()) : undefined;
  const service = await startService(config, warnings, print, greet);
  if (json) process.stdout.write(`${JSON.stringify({ url: service.url })}\n`);
  try {
    await Promise.race([stopping, service.broken]);
  } finally {
    await service.stop();
  }
  if (isTerminal && stopped) say(stopped, 'Kith has stopped.');
}

/** Prints text unless the terminal is closed. */
function say(signal: NodeJS.Signals, text: string): void {
  if (signal !== 'SIGHUP') process.stdout.write(`${text}\n`);
}

/** Resolves at the first SIGTERM, SIGINT or SIGHUP (a closed terminal). A second signal cuts requests in flight. */
function firstSignal(): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let asked = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (asked) process.exit(exitCodes.interrupted);
    asked = true;
    setTimeout(() => process.exit(exitCodes.failure), patienceMs).unref();
    resolve(signal);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  return promise;
}
