/** A page's blocks in a real shell on a terminal, one after the other. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { parse } from 'yaml';
import { temporaryDir } from '../support/embedded.ts';
import { blocksOf, withBodies, type Block } from './page.ts';
import { curlOf, laidOut } from './request.ts';
import { comparable, forPage, forStage, type Stage } from './volatile.ts';

const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));
const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const installed = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));

/** A block's end, and whether one of its commands failed; no page shows this. */
const mark = '\u0001';
const ended = new RegExp(`([^${mark}]*)${mark}(\\d+)\\n`, 'g');

/**
 * Runs the page in a folder of its own, with nothing of this process's environment but what `env` says, and `before` ahead
 * of it in the same shell. Resolves to the page as it should be: outputs that say the same stay as they are. Throws where
 * commands fail, or don't and should.
 */
export async function runPage(page: string, stage: Stage, env: NodeJS.ProcessEnv, before = ''): Promise<string> {
  const blocks = blocksOf(page);
  const folder = temporaryDir();
  // Of the folder of Kith, in which readers are.
  symlinkSync(examples, join(folder, 'examples'));
  try {
    const preparing: Block = { kind: 'run', language: 'sh', body: before, detail: '', at: 0 };
    const outputs = await shellOutputs(folder, [preparing, ...blocks], stage, env);
    const bodies = new Map<Block, string>();
    for (const [at, block] of blocks.entries()) {
      const output = outputs.get(blocks[at - 1] ?? block);
      if (block.kind !== 'output' || output === undefined) continue;
      const isAnswer = block.language === 'json' && !output.trimEnd().includes('\n');
      const shown = isAnswer ? laidOut(forPage(output, stage)) : forPage(output, stage);
      // How an answer is broken into lines is the page's own affair.
      const said = (text: string) => (isAnswer ? comparable(text).replaceAll(/\s/g, '') : comparable(text));
      if (said(shown) !== said(block.body)) bodies.set(block, shown);
    }
    return withBodies(page, bodies);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const isRun: ReadonlySet<Block['kind']> = new Set(['run', 'fails', 'apply', 'file']);

async function shellOutputs(
  folder: string,
  blocks: readonly Block[],
  stage: Stage,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<Block, string>> {
  const run = blocks.filter(({ kind }) => isRun.has(kind));
  const shown = await bash(folder, run.map((block) => scriptOf(block, stage)).join(''), env);
  const outcomes = [...shown.matchAll(ended)];
  return new Map(
    run.map((block, at) => {
      const [, output = '', failures] = outcomes[at] ?? [];
      if (failures === undefined) throw new Error(`The shell ended in\n${block.body}\n${shown}`);
      if ((failures !== '0') !== (block.kind === 'fails')) {
        throw new Error(`${block.kind === 'fails' ? 'Should fail' : 'Failed'}:\n${block.body}\n${output}`);
      }
      return [block, output];
    }),
  );
}

function scriptOf(block: Block, stage: Stage): string {
  return `failures=0\n${forStage(commandsOf(block), stage)}printf '${mark}%s\\n' "$failures"\n`;
}

function commandsOf({ kind, language, body, detail }: Block): string {
  if (kind === 'file') return `cat > ${detail} <<'END OF FILE'\n${body}END OF FILE\n`;
  // As `kith apply` does it, without the start of a process.
  if (kind === 'apply') return curlOf(`POST /api/v1/manifest\n\n${JSON.stringify(parse(body))}`);
  return language === 'http' ? curlOf(body) : body;
}

/** All that a terminal shows. */
async function bash(folder: string, script: string, env: NodeJS.ProcessEnv): Promise<string> {
  const programs = join(folder, '.programs');
  mkdirSync(programs);
  program(join(programs, 'kith'), `exec node '${launcher}' "$@"`);
  program(join(programs, 'npx'), `PATH="$PATH:${installed}"\nexec "$@"`);
  // A request that is refused is a command that fails.
  writeFileSync(join(programs, '.curlrc'), 'silent\nfail-with-body\n');
  const file = join(programs, 'page.sh');
  // What is behind the page when it ends, ends with it.
  writeFileSync(file, `trap 'failures=1' ERR\ntrap 'kill $(jobs -p) 2> ${join(programs, 'ends')}' EXIT\n${script}`);
  const path = [programs, dirname(process.execPath), process.env['PATH']].join(':');
  const child = spawn('script', ['--quiet', '--flush', '--command', `bash '${file}'`, '/dev/null'], {
    cwd: folder,
    env: {
      PATH: path,
      TERM: 'xterm',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      NO_COLOR: '1',
      CI: '1',
      CURL_HOME: programs,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return stripVTControlCharacters(await text(child.stdout)).replaceAll(/\r+\n/g, '\n');
}

function program(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}
