/** A page's blocks in a real shell on a terminal, one after the other. */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { temporaryDir } from '../support/embedded.ts';
import { blocksOf, withBodies, type Block } from './page.ts';
import { comparable, forPage, forStage, type Stage } from './volatile.ts';

const launcher = fileURLToPath(new URL('../../bin/kith.js', import.meta.url));

/** A block's end, and whether one of its commands failed; no page shows this. */
const mark = '\u0001';
const ended = new RegExp(`([^${mark}]*)${mark}(\\d+)\\n`, 'g');

/**
 * Runs the page in a folder of its own, with nothing of this process's environment but what `env` says. Resolves to the
 * page as it should be: outputs that say the same stay as they are. Throws where commands fail, or don't and should.
 */
export async function runPage(page: string, stage: Stage, env: NodeJS.ProcessEnv): Promise<string> {
  const blocks = blocksOf(page);
  const folder = temporaryDir();
  try {
    const outputs = await shellOutputs(folder, blocks, stage, env);
    const bodies = new Map<Block, string>();
    for (const [at, block] of blocks.entries()) {
      const output = outputs.get(blocks[at - 1] ?? block);
      if (block.kind !== 'output' || output === undefined) continue;
      const shown = forPage(output, stage);
      if (comparable(shown) !== comparable(block.body)) bodies.set(block, shown);
    }
    return withBodies(page, bodies);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function shellOutputs(
  folder: string,
  blocks: readonly Block[],
  stage: Stage,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyMap<Block, string>> {
  const run = blocks.filter(({ kind }) => kind === 'run' || kind === 'fails' || kind === 'file');
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

function scriptOf({ kind, name, body }: Block, stage: Stage): string {
  const text = forStage(body, stage);
  const commands = kind === 'file' ? `cat > ${name} <<'END OF FILE'\n${text}END OF FILE\n` : text;
  return `failures=0\n${commands}printf '${mark}%s\\n' "$failures"\n`;
}

/** All that a terminal shows. */
async function bash(folder: string, script: string, env: NodeJS.ProcessEnv): Promise<string> {
  const programs = join(folder, '.programs');
  mkdirSync(programs);
  const npx = join(programs, 'npx');
  writeFileSync(npx, `#!/bin/sh\n[ "$1" = kith ] || exit 127\nshift\nexec node '${launcher}' "$@"\n`);
  chmodSync(npx, 0o755);
  const file = join(programs, 'page.sh');
  // What is behind the page when it ends, ends with it.
  writeFileSync(file, `trap 'failures=1' ERR\ntrap 'kill $(jobs -p) 2> ${join(programs, 'ends')}' EXIT\n${script}`);
  const path = [programs, dirname(process.execPath), process.env['PATH']].join(':');
  const child = spawn('script', ['--quiet', '--flush', '--command', `bash '${file}'`, '/dev/null'], {
    cwd: folder,
    env: { PATH: path, TERM: 'xterm', SHELL: '/bin/bash', LANG: 'C.UTF-8', NO_COLOR: '1', CI: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return stripVTControlCharacters(await text(child.stdout)).replaceAll(/\r+\n/g, '\n');
}
