/**
 * The pages do what they say: their blocks run against a real service, and its outputs are theirs. What a page takes for
 * granted is made by the script of its name in the folder `before`.
 * `KITH_WRITE_DOCS=1 npx vitest run test/docs` writes the outputs anew; read what changed.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { deleteOrganization } from '../../src/provision/delete-organization.ts';
import { projectFiles, root, textOf } from '../architecture/project-files.ts';
import { ctrlC, onTerminal, type Terminal } from '../cli/terminal.ts';
import { demoCounts } from '../demo/demo-counts.ts';
import { hasCurl } from '../support/curl.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kithSecret, startKith, type TestKith } from '../support/kith.ts';
import { blocksOf, withBodies, type Block } from './page.ts';
import { runPage } from './shell.ts';
import { terminalPicture } from './terminal-picture.ts';
import { comparable, forPage } from './volatile.ts';

const writes = process.env['KITH_WRITE_DOCS'] === '1';
const isRun = ({ kind }: Block) => kind !== 'not run';
const pages = projectFiles('*.md', 'docs/**/*.md').filter((path) => blocksOf(textOf(path)).some(isRun));
/** It shows what a start says; the others take it for granted that there is a service. */
const showsStart = (page: string) =>
  blocksOf(page).some(({ kind }, at, all) => kind === 'start' && all[at + 1]?.kind === 'output');
/** Their requests are for the organization that a first start makes. In this order: the second changes what the first shows. */
const ofDemo = ['docs/demo.md', 'docs/recipes/demo-walk.md'];

/** Of the start, for README.md. */
const picture = 'docs/start.svg';

/** What makes that which the page takes for granted: ids in variables, files, records. */
function before(path: string): string {
  const script = (name: string) => new URL(`before/${name}.sh`, import.meta.url);
  const own = script(path.replace(/\.md$/, ''));
  return existsSync(own) ? readFileSync(script('all'), 'utf8') + readFileSync(own, 'utf8') : '';
}

/** The file in the tree is as a run has it; where outputs are written anew, it is made so. */
function expectTrue(path: string, should: string): void {
  if (writes) writeFileSync(join(root, path), should);
  else expect(textOf(path)).toBe(should);
}

describe('a page for whoever has a service', { timeout: 600_000 }, () => {
  let kith: TestKith;
  let elsewhere: TestDatabase;
  let dataDir: string;
  beforeAll(async () => {
    dataDir = temporaryDir();
    elsewhere = await testDatabase();
    kith = await startKith({ KITH_JOBS: 'on', KITH_PRIVATE_HOSTS: '127.0.0.1' });
  });
  // Where a command names none, there is one organization: that of the page.
  afterEach(async () => {
    for (const { id } of await kith.deps.directory.places()) await deleteOrganization(kith.deps, id, '');
  });
  afterAll(async () => {
    await kith.stop();
    await elsewhere.drop();
    rmSync(dataDir, { recursive: true });
  });

  /** Runs it as an admin of a new organization, whose id is `ORG`; `EAST_URL` is a further cluster. */
  async function run(page: string, preparing = ''): Promise<string> {
    const { id, admin } = await kith.organization({ adminName: 'Ada King' });
    const env = { KITH_SECRET_KEY: kithSecret, DATABASE_URL: kith.database.url, KITH_DATA_DIR: dataDir };
    const ofPage = {
      SERVICE: kith.url,
      ORG: id,
      KITH_TOKEN: admin.token,
      EAST_URL: elsewhere.url,
      MODULES: join(root, 'node_modules'),
    };
    return runPage(page, { url: kith.url, dataDir }, { ...env, ...ofPage }, preparing);
  }

  const here = pages.filter((path) => !ofDemo.includes(path) && !showsStart(textOf(path)));
  it.skipIf(!hasCurl).each(here)('%s', async (path) => expectTrue(path, await run(textOf(path), before(path))));

  it('is found out where it lies, and left alone where only ids and times differ', async () => {
    const page = (version: string, id: string) =>
      `\`\`\`sh run\nid=${id}\necho 'Kith ${version}'\necho $id\n\`\`\`\n\nshows\n\n\`\`\`text output\nKith 0.0.1\n019ab7c2-0000-7000-8000-000000000001\n\`\`\`\n`;
    const same = page('7.0.0', '019ab7c2-0000-7000-8000-000000000002');
    expect(await run(same)).toBe(same);
    const lies = page('seven', '019ab7c2-0000-7000-8000-000000000002');
    expect(await run(lies)).toBe(lies.replace('Kith 0.0.1', 'Kith seven').replace(/1\n```\n$/, '2\n```\n'));
    await expect(run('```sh run\nfalse\ntrue\n```\n')).rejects.toThrow('Failed:\nfalse');
    await expect(run('```sh fails\ntrue\n```\n')).rejects.toThrow('Should fail:\ntrue');
    const refused = '\nGET /api/v1/records/contact\n```\n';
    await expect(run(`\`\`\`http run${refused}`)).rejects.toThrow('Failed:\nGET');
    expect(await run(`\`\`\`http fails${refused}`)).toContain('records/contact');
    await expect(run('```sh run\nexit 0\n```\n')).rejects.toThrow('The shell ended in\nexit 0');
  });
});

describe('a page for whoever starts it', { timeout: 600_000 }, () => {
  let database: TestDatabase;
  let dataDir: string;
  let service: Terminal;
  beforeAll(async () => {
    database = await testDatabase();
    dataDir = temporaryDir();
    const env = { DATABASE_URL: database.url, KITH_DATA_DIR: dataDir, PORT: '0', KITH_DEMO: 'on' };
    service = onTerminal(['serve'], { ...env, KITH_LOG_LEVEL: 'error' });
    await vi.waitUntil(() => service.shown().includes('Ctrl-C stops it.'), { timeout: 60_000 });
  });
  const isComplete = async () => (await demoCounts(database.database)).unfilled === 0;
  afterAll(async () => {
    service.type(ctrlC);
    await service.ended;
    await database.drop();
    rmSync(dataDir, { recursive: true });
  });

  it.skipIf(!hasCurl).each(pages.filter((path) => ofDemo.includes(path) || showsStart(textOf(path))))(
    '%s',
    async (path) => {
      const page = textOf(path);
      if (ofDemo.includes(path)) await vi.waitUntil(isComplete, { timeout: 60_000, interval: 100 });
      const shown = service.shown();
      const stage = { url: /http:\/\/127\.0\.0\.1:\d+/.exec(shown)?.[0] ?? '', dataDir };
      const blocks = blocksOf(page);
      const output = blocks[blocks.findIndex(({ kind }) => kind === 'start') + 1];
      const isTrue = output?.kind !== 'output' || comparable(output.body) === comparable(forPage(shown, stage));
      const begun = isTrue ? page : withBodies(page, new Map([[output, forPage(shown, stage)]]));
      const token = /^export KITH_TOKEN=(\S+)$/m.exec(shown)?.[1];
      const env = { DATABASE_URL: database.url, KITH_DATA_DIR: dataDir, KITH_TOKEN: token };
      expectTrue(path, await runPage(begun, stage, env, before(path)));
    },
  );

  it('is drawn in README.md as it is', () => {
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(service.shown())?.[0] ?? '';
    const drawn = terminalPicture('What npm start shows', `$ npm start\n${forPage(service.raw(), { url, dataDir })}`);
    expectTrue(picture, comparable(textOf(picture)) === comparable(drawn) ? textOf(picture) : drawn);
  });
});
