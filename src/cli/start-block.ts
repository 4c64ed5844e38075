/** The output of a start on a terminal: all addresses, and a first request to paste. */
import { styleText } from 'node:util';
import type { Started } from '../app.ts';
import type { Config } from '../config.ts';
import { createFirst } from '../lib/first-organization.ts';
import { ownVersion } from '../lib/own-version.ts';
import { referencePath, restPrefix } from '../lib/url-paths.ts';

/** Lines of at most 80 columns, except for addresses and the token; `millis` is the duration of the start. */
export function startBlock(started: Started, millis: number): string {
  const { url, config, server } = started;
  const facts: readonly (readonly [label: string, value: string])[] = [
    ['open', styled('cyan', `${url}/`)],
    ['interface', styled('cyan', url + restPrefix)],
    ['reference', styled('cyan', url + referencePath)],
    ['data', config.dataDir],
    ['database', `${server}, ${placeOf(config)}`],
    ...demoFacts(started),
  ];
  const lines = [
    `${styled('bold', `Kith ${ownVersion()}`)} ${styled('green', `ready in ${(millis / 1_000).toFixed(1)} s`)}`,
    '',
    ...facts.map(([label, value]) => `  ${styled('dim', label.padEnd(9))}  ${value}`),
    '',
    ...firstSteps(started),
    '',
    styled('dim', 'Ctrl-C stops it.'),
  ];
  return `${lines.join('\n')}\n`;
}

function demoFacts({ config, demo }: Started): [string, string][] {
  if (!demo) return [['demo', config.demo ? 'on, and not made: there is an organization already' : 'off']];
  const arriving = demo.complete ? ', whose records come in over the next seconds' : '';
  const size = demo.size.map(({ object, records }) => `${records.toLocaleString('en')} ${object}`).join(', ');
  return [
    ['demo', `on: ${demo.organizationName}${arriving}`],
    ...(size === '' ? [] : [['', size] as [string, string]]),
  ];
}

/** The database's address without credentials. */
function placeOf({ databaseUrl }: Config): string {
  if (databaseUrl === undefined) return 'embedded';
  const { host, pathname, searchParams } = new URL(databaseUrl);
  return `at ${searchParams.get('host') ?? (host === '' ? 'localhost' : host)}${pathname}`;
}

function firstSteps({ url, config, demo, hasOrganizations }: Started): readonly string[] {
  if (demo?.token !== undefined) {
    return [
      `export KITH_TOKEN=${demo.token}`,
      // Shorter than a header, so that it fits into a line.
      styled('bold', `curl --oauth2-bearer $KITH_TOKEN '${url}${restPrefix}/me?pretty'`),
    ];
  }
  if (hasOrganizations) return [`A token for requests: ${styled('bold', 'npx kith token create --help')}`];
  const settings = config.databaseUrl === undefined ? 'T' : 'With the same DATABASE_URL, t';
  return [`There is no organization yet. ${settings}his makes one:`, styled('bold', createFirst)];
}

function styled(format: Parameters<typeof styleText>[0], text: string): string {
  return styleText(format, text, { stream: process.stdout });
}
