/** bin/kith.js in a project of its own: under an old Node, with and without the platform package, and inside node_modules. */
import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from './project-files.ts';

const main = `
import { greeting, type Answer } from '../greeting.ts';
const answer: Answer = { text: greeting };
const [what, code] = process.argv.slice(2);
if (what === 'help') console.log(answer.text);
if (what === 'exit') process.exitCode = Number(code);
if (what === 'die') process.kill(process.pid, 'SIGTERM');
if (what === 'serve') {
  const serving = setInterval(() => {}, 1000);
  process.on('SIGTERM', () => { console.log('stopped'); clearInterval(serving); });
  console.log(process.pid);
}
`;
const greeting = `export const greeting: string = 'hello'; export interface Answer { text: string }`;
const platformPackage = `node-${process.platform === 'darwin' && process.arch === 'arm64' ? 'bin-' : ''}${process.platform}-${process.arch}`;
/** Makes the launcher take the Node that runs it for another. */
const posingAsNode14 = [
  '--import',
  'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"14.0.0"})',
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kith-launcher-'));
  plant(join(folder, 'project'));
  plant(join(folder, 'bare'));
  plant(join(folder, 'project/node_modules/kithcrm'));
  mkdirSync(join(folder, 'project/node_modules', platformPackage, 'bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'project/node_modules', platformPackage, 'bin/node'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  { where: 'project', under: 'this Node', options: [] },
  { where: 'project', under: 'Node 14', options: posingAsNode14 },
  { where: 'project/node_modules/kithcrm', under: 'this Node', options: [] },
  { where: 'project/node_modules/kithcrm', under: 'Node 14', options: posingAsNode14 },
])('in $where under $under', ({ where, options }) => {
  it('runs the command without a word of its own', () => {
    expect(run(where, options, 'help')).toMatchObject({ status: 0, stdout: 'hello\n', stderr: '' });
  });

  it('ends as the command ends', () => {
    expect(run(where, options, 'exit', '7')).toMatchObject({ status: 7, signal: null });
    expect(run(where, options, 'die')).toMatchObject({ status: null, signal: 'SIGTERM' });
  });
});

it('hands SIGTERM on and waits for the command to stop', async () => {
  const { launcher, output } = await serve();
  launcher.kill('SIGTERM');
  expect(await once(launcher, 'close')).toEqual([0, null]);
  expect(output()).toMatch(/stopped\n$/);
});

it('takes the command with it when it is killed outright', async () => {
  const { launcher } = await serve();
  launcher.kill('SIGKILL');
  // The command holds the other end of the pipe too: it closes when both are gone.
  expect(await once(launcher, 'close')).toEqual([null, 'SIGKILL']);
});

it('says in one sentence what to install when there is no Node to run on', () => {
  const { status, stdout, stderr } = run('bare', posingAsNode14, 'help');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^Kith needs Node\.js 24 or newer, and this is 14\.0\.0: .*npm install.*\n$/);
});

function plant(project: string): void {
  mkdirSync(join(project, 'src/cli'), { recursive: true });
  cpSync(join(root, 'bin'), join(project, 'bin'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  writeFileSync(join(project, 'src/greeting.ts'), greeting);
  writeFileSync(join(project, 'src/cli/main.ts'), main);
}

function run(where: string, options: string[], ...words: string[]) {
  return spawnSync(process.execPath, [...options, join(folder, where, 'bin/kith.js'), ...words], { encoding: 'utf8' });
}

async function serve() {
  const args = [...posingAsNode14, join(folder, 'project/bin/kith.js'), 'serve'];
  const launcher = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  launcher.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(launcher.stdout, 'data');
  return { launcher, output: () => text };
}

// npm makes it so on installing: were it otherwise in git, every clone would have a change right away.
it('is a program that may be executed, in git too', () => {
  expect(statSync(join(root, 'bin/kith.js')).mode & 0o111).toBe(0o111);
  if (!existsSync(join(root, '.git'))) return;
  const { stdout } = spawnSync('git', ['ls-files', '--stage', 'bin/kith.js'], { cwd: root, encoding: 'utf8' });
  expect(stdout).toMatch(/^100755 /);
});
