/**
 * The pages do what they say: their marked blocks run against a real service, and its outputs are theirs.
 * `KITH_WRITE_DOCS=1 npx vitest run test/docs` writes the outputs anew; read what changed.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { projectFiles, root, textOf } from '../architecture/project-files.ts';
import { ctrlC, onTerminal, type Terminal } from '../cli/terminal.ts';
import { hasCurl } from '../support/curl.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kithSecret, startKith, type TestKith } from '../support/kith.ts';
import { blocksOf, withBodies } from './page.ts';
import { runPage } from './shell.ts';
import { terminalPicture } from './terminal-picture.ts';
import { comparable, forPage } from './volatile.ts';

const writes = process.env['KITH_WRITE_DOCS'] === '1';
const pages = projectFiles('*.md', 'docs/**/*.md').filter((path) => blocksOf(textOf(path)).length > 0);
const begins = (page: string) => blocksOf(page)[0]?.kind === 'start';

/** Of the start, for README.md. */
const picture = 'docs/start.svg';

/** The file in the tree is as a run has it; where outputs are written anew, it is made so. */
function expectTrue(path: string, should: string): void {
  if (writes) writeFileSync(join(root, path), should);
  else expect(textOf(path)).toBe(should);
}

describe('a page for whoever has a service', { timeout: 60_000 }, () => {
  let kith: TestKith;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = temporaryDir();
    kith = await startKith();
  });
  afterAll(async () => {
    await kith.stop();
    rmSync(dataDir, { recursive: true });
  });

  /** Runs it as an admin of a new organization, whose id is `ORG`. */
  async function run(page: string): Promise<string> {
    const { id, admin } = await kith.organization({ adminName: 'Ada King' });
    const env = { KITH_SECRET_KEY: kithSecret, DATABASE_URL: kith.database.url, KITH_DATA_DIR: dataDir };
    return runPage(page, { url: kith.url, dataDir }, { ...env, ORG: id, KITH_TOKEN: admin.token });
  }

  it.skipIf(!hasCurl).each(pages.filter((path) => !begins(textOf(path))))('%s', async (path) =>
    expectTrue(path, await run(textOf(path))),
  );

  it('is found out where it lies, and left alone where only ids and times differ', async () => {
    const page = (version: string, id: string) =>
      `\`\`\`sh run\nid=${id}\necho 'Kith ${version}'\necho $id\n\`\`\`\n\nshows\n\n\`\`\`text output\nKith 0.0.1\n019ab7c2-0000-7000-8000-000000000001\n\`\`\`\n`;
    const same = page('7.0.0', '019ab7c2-0000-7000-8000-000000000002');
    expect(await run(same)).toBe(same);
    const lies = page('seven', '019ab7c2-0000-7000-8000-000000000002');
    expect(await run(lies)).toBe(lies.replace('Kith 0.0.1', 'Kith seven').replace(/1\n```\n$/, '2\n```\n'));
    await expect(run('```sh run\nfalse\ntrue\n```\n')).rejects.toThrow('Failed:\nfalse');
    await expect(run('```sh fails\ntrue\n```\n')).rejects.toThrow('Should fail:\ntrue');
    await expect(run('```sh run\nexit 0\n```\n')).rejects.toThrow('The shell ended in\nexit 0');
  });
});

describe('a page that begins with a start', { timeout: 120_000 }, () => {
  let database: TestDatabase;
  let dataDir: string;
  let service: Terminal | undefined;
  beforeEach(async () => {
    database = await testDatabase();
    dataDir = temporaryDir();
  });
  afterEach(async () => {
    service?.type(ctrlC);
    await service?.ended;
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });

  it.skipIf(!hasCurl).each(pages.filter((path) => begins(textOf(path))))('%s', async (path) => {
    const page = textOf(path);
    const [start, block] = blocksOf(page);
    expect(start?.body).toMatch(/^npm start\n$/m);
    const env = { DATABASE_URL: database.url, KITH_DATA_DIR: dataDir };
    service = onTerminal(['serve'], { ...env, PORT: '0', KITH_DEMO: 'on', KITH_LOG_LEVEL: 'error' });
    await service.until('Ctrl-C stops it.');
    const shown = service.shown();
    const stage = { url: /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] ?? '', dataDir };
    const outputs = new Map(block?.kind === 'output' ? [[block, forPage(shown, stage)]] : []);
    const begun = [...outputs].some(([{ body }, output]) => comparable(body) !== comparable(output))
      ? withBodies(page, outputs)
      : page;
    const drawn = terminalPicture('What npm start shows', `$ npm start\n${forPage(service.raw(), stage)}`);
    if (comparable(textOf(picture)) !== comparable(drawn)) expectTrue(picture, drawn);
    const token = /^export KITH_TOKEN=(\S+)$/m.exec(shown)?.[1];
    expectTrue(path, await runPage(begun, stage, { ...env, KITH_TOKEN: token }));
  });
});
