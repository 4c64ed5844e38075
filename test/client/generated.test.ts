/** The client as it is shipped: made of the operations as they are, without dependencies, and usable where it is installed. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generatedFiles } from '../../client/generate/files.ts';
import { clientMethods } from '../../client/generate/methods.ts';
import { routes } from '../../src/http/routes.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { KithErrorCode } from '../../client/index.js';
import { projectFiles, root, textOf } from '../architecture/project-files.ts';
import { kith as runKith } from '../cli/in-process.ts';
import { temporaryDir } from '../support/embedded.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';

it('is made of the operations as they are; `npm run client` makes it anew', () => {
  for (const [path, text] of generatedFiles())
    expect(textOf(`client/${path}`) === text, `client/${path} is out of date: npm run client`).toBe(true);
});

it('has a method for every operation, each under a name of its own', () => {
  const methods = clientMethods();
  const names = methods.map(({ group, name }) => `${group}.${name}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(methods.map(({ route }) => route.operation.id))).toEqual(
    new Set(routes.map(({ operation }) => operation.id)),
  );
});

it('needs nothing but its own files', () => {
  const files = projectFiles('client/*.js', 'client/generated/*.js');
  expect(files.length).toBeGreaterThan(5);
  const imported = files.flatMap((path) =>
    [...textOf(path).matchAll(/\bimport\b[^;]*?from\s+'([^']+)'|\bimport\s*\(\s*'([^']+)'/g)].map(
      ([, from, later]) => from ?? later ?? '',
    ),
  );
  // Types alone come from `index.js` by `import(…)` in comments.
  expect(imported.filter((from) => !/^\.\.?\/[\w-]+(\/[\w-]+)?\.js$/.test(from))).toEqual([]);
});

it('knows every code of an error', () => {
  const told: Exclude<ErrorCode, 'STALE' | 'UNAVAILABLE'>[] = ['CONFLICT', 'RATE_LIMITED'];
  const known: KithErrorCode[] = told;
  expect(known).toEqual(told);
});

describe('in a project of its own', () => {
  const folder = temporaryDir();
  let kith: TestKith;
  let organization: TestOrganization;
  beforeAll(async () => {
    kith = await startKith();
    organization = await kith.organization();
    const home = join(folder, 'node_modules/kithcrm');
    mkdirSync(home, { recursive: true });
    cpSync(join(root, 'package.json'), join(home, 'package.json'));
    for (const path of shipped()) cpSync(join(root, path), join(home, path));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await kith.stop();
  });

  it('is imported by the name of the package', async () => {
    const program = `
import { createClient, KithError } from 'kithcrm/client';
const kith = createClient({ baseUrl: process.env.KITH_URL, token: process.env.KITH_TOKEN });
const { id } = await kith.records.create('companies', { name: 'Acme' });
for await (const { name } of kith.records.listAll('companies')) console.log(name);
await kith.records.get('companies', id + '0').catch((error) => console.log(error instanceof KithError, error.code));
`;
    writeFileSync(join(folder, 'program.js'), program);
    const env = { KITH_URL: kith.url, KITH_TOKEN: organization.admin.token };
    const { stdout } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: folder, env });
    expect(stdout).toBe('Acme\ntrue RECORD_NOT_FOUND\n');
  });

  it('knows the records of a workspace by what `kith types` prints', async () => {
    const env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_LOG_LEVEL: 'silent' };
    const { stdout } = await runKith(['types', '--org', organization.id], env);
    writeFileSync(join(folder, 'workspace.ts'), stdout);
    writeFileSync(
      join(folder, 'use.ts'),
      `
import { createClient, KithError, type FilterGroup, type RecordsListQuery } from 'kithcrm/client';
import type { Objects } from './workspace.ts';
const kith = createClient<Objects>({ baseUrl: 'http://127.0.0.1:3000', token: async () => 'svc_x', maxRetries: undefined });
export async function use(): Promise<string | null | undefined> {
  const filters: FilterGroup = { type: 'AND', conditions: [{ field: 'industry', operator: 'is_null' }] };
  const query: RecordsListQuery = { filters, fields: ['name'], sort: [{ field: 'name', direction: 'asc' }] };
  for await (const company of kith.records.listAll('companies', query)) company.name?.toUpperCase();
  const { data, etag, rateLimit } = await kith.records.get('companies', 'x').withResponse();
  await kith.records.update('companies', data.record.id, { industry: null }, { ifMatch: etag, dryRun: true });
  for await (const { id, data } of kith.events.stream({ object: ['companies'] }, { lastEventId: 'x' })) id + data.type;
  const groups = await kith.records.list('contacts', { group_by: 'owner' });
  const wrong = await kith.tasks.list().catch((error: unknown) => (error instanceof KithError ? error.code : undefined));
  if (wrong === 'RATE_LIMITED') return rateLimit?.policy;
  // @ts-expect-error: an object that is none
  await kith.records.list('company');
  // @ts-expect-error: a name is required
  await kith.records.create('companies', {});
  // @ts-expect-error: no such parameter
  await kith.records.list('companies', { limt: 1 });
  // @ts-expect-error: a change has no key of its own
  await kith.records.update('companies', 'x', {}, { idempotencyKey: 'x' });
  return groups.groups['x']?.[0]?.last_name;
}
`,
    );
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext'];
    const target = ['--target', 'es2022', '--lib', 'es2022,dom', '--types', '', '--allowImportingTsExtensions'];
    const compiled = spawnSync(process.execPath, [tsc, ...options, ...target, 'use.ts'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect([compiled.stdout, compiled.status]).toEqual(['', 0]);
  });
});

/** The files of `client` that the package has. */
function shipped(): readonly string[] {
  const { files }: { files: string[] } = JSON.parse(textOf('package.json'));
  return files.filter((path) => path.startsWith('client/')).flatMap((path) => projectFiles(path, `${path}/**/*`));
}
