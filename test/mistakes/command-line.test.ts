/** The mistakes that people make on the command line, as those of requests in `mistakes.test.ts`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kith } from '../cli/in-process.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { testSecret } from '../support/engine.ts';
import { commandLine } from './command-line.ts';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await testDatabase();
  folder = mkdtempSync(join(tmpdir(), 'kith-mistakes-'));
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'contacts.csv'), 'first_name\nAda\n');
  writeFileSync(join(folder, 'contacts.xlsx'), 'PK\u0003\u0004');
  writeFileSync(join(folder, 'slip.yaml'), 'objects:\n  - name: projects\n    feilds: []\n');
  for (const name of ['Acme', 'Globex']) {
    const admin = ['--admin-name', 'Ada', '--admin-email', 'ada@acme.test'];
    const { code, stderr } = await typed(['org', 'create', '--name', name, ...admin]);
    if (code !== 0) throw new Error(stderr);
  }
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const typed = (args: readonly string[]) =>
  kith(args, { DATABASE_URL: database.url, KITH_SECRET_KEY: testSecret, KITH_LOG_LEVEL: 'silent' }, '', folder);

it('is told what would be right', { timeout: 180_000 }, async () => {
  const parts: string[] = [];
  for (const { who, args } of commandLine) {
    const { code, stdout, stderr } = await typed(args);
    expect(code, `${who}: ${stdout}`).toBeGreaterThan(0);
    const answer = `${stdout}${stderr}`.trimEnd().split('\n');
    parts.push(
      [
        `# ${who}`,
        `$ kith ${args.join(' ')}`,
        `    exit code ${code}`,
        ...answer.map((line) => `    ${line}`),
        '',
      ].join('\n'),
    );
  }
  const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  await expect(parts.join('\n').replace(uuids, '{id}')).toMatchFileSnapshot('answers/command-line.txt');
});
