/** The requests of docs/demo.md, as they stand there, sent to the demo. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { textOf } from '../architecture/project-files.ts';
import { createToken } from '../../src/provision/tokens.ts';
import { hasCurl } from '../support/curl.ts';
import { startKith, type TestKith } from '../support/kith.ts';
import { demoCounts } from './demo-counts.ts';

const run = promisify(execFile);

const commands = [...textOf('docs/demo.md').matchAll(/^```\n([^]*?)^```/gm)]
  .flatMap(([, block = '']) => block.split(/(?<=[^\\])\n(?=\S)/))
  .map((command) => command.trim())
  .filter((command) => command.startsWith('curl '));

let kith: TestKith;
let token: string;

beforeAll(async () => {
  kith = await startKith({ KITH_DEMO: 'on' });
  const [organization] = await kith.deps.directory.organizations();
  ({ token } = await createToken(kith.deps, organization?.id ?? '', { email: 'ada@acme.example', name: 'page' }));
  const isComplete = async () => (await demoCounts(kith.database.database)).unfilled === 0;
  await vi.waitUntil(isComplete, { timeout: 50_000, interval: 100 });
}, 60_000);
afterAll(() => kith.stop());

it('has requests', () => expect(commands.length).toBeGreaterThan(6));

it
  .skipIf(!hasCurl)
  .each(commands.map((command) => [command.slice(command.indexOf('/api/')).split(/['\s?\\]/)[0], command]))(
  '%s',
  async (_, command) => {
    const shell = command.replace(/^curl /, 'curl -sS --fail-with-body ').replaceAll('http://127.0.0.1:3000', kith.url);
    const { stdout } = await run('sh', ['-c', shell], {
      env: { ...process.env, KITH_TOKEN: token },
      maxBuffer: 2 ** 26,
    });
    expect(stdout.length).toBeGreaterThan(20);
    if (shell.includes('group_by=pipeline_step_id'))
      expect(Object.values((JSON.parse(stdout) as { counts: object }).counts)).toEqual([112, 92, 68, 46, 130, 152]);
    if (shell.includes('group_by=owner')) expect((JSON.parse(stdout) as { results: object[] }).results).toHaveLength(6);
  },
);
