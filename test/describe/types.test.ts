/** `kith types`: what it prints compiles, and real records are of these types. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { kith as runKith, kithJson } from '../cli/in-process.ts';
import { kithSecret, startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { allTypes, fillWorkspace } from './all-types.ts';

let kith: TestKith;
let organization: TestOrganization;
let values: Record<string, unknown>;
let env: NodeJS.ProcessEnv;
const folder = mkdtempSync(join(tmpdir(), 'kith-types-'));
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  values = await fillWorkspace(organization.admin);
  env = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret, KITH_LOG_LEVEL: 'silent' };
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await kith.stop();
});

it('prints types that real records satisfy, and others do not', async () => {
  const { admin } = organization;
  const printed = await runKith(['types', '--org', organization.id], env);
  expect({ code: printed.code, stderr: printed.stderr }).toEqual({ code: 0, stderr: '' });
  const { id, record } = (await admin.post('/records/things', values)).json;
  const detail = (await admin.get(`/records/things/${id}`)).json.record;
  const contact = (await admin.get('/records/contacts')).json.data[0];
  expect(Object.keys(record).length).toBeGreaterThan(allTypes.objects[0]?.fields.length ?? 0);
  writeFileSync(join(folder, 'workspace.ts'), printed.stdout);
  writeFileSync(
    join(folder, 'use.ts'),
    `import type { Contact, ObjectName, Objects, Thing, ThingCreate, ThingLevel, ThingUpdate } from './workspace.ts';
export const listed: Thing = ${JSON.stringify(record)};
export const alone: Thing = ${JSON.stringify(detail)};
export const contact: Contact = ${JSON.stringify(contact)};
export const written: ThingCreate = ${JSON.stringify(values)};
export const change: ThingUpdate = { f_number: null };
export const level: ThingLevel = 'done';
export const name: ObjectName = 'parts';
export const part: Objects['parts']['create'] = { name: 'Wheel', thing_id: listed.id };
// @ts-expect-error: a title is required
export const untitled: ThingCreate = {};
// @ts-expect-error: an option that is none
export const unknown: ThingCreate = { title: 'A', f_select: 'nonsense' };
// @ts-expect-error: computed
export const computed: ThingUpdate = { f_calculated: 1 };
// @ts-expect-error: an object that is none
export const nowhere: ObjectName = 'nowhere';
`,
  );
  expect(compile()).toEqual({ stdout: '', status: 0 });
});

it('writes a file, and is one JSON document when asked', async () => {
  const out = join(folder, 'written.ts');
  const silent = await runKith(['types', '--org', organization.id, '--out', out], env);
  expect(silent).toMatchObject({ code: 0, stdout: '', stderr: '' });
  const { code, json } = await kithJson(['types', '--org', organization.id], env);
  expect(code).toBe(0);
  expect(json).toEqual({ types: readFileSync(out, 'utf8') });
});

it('writes the file anew where it is told to, but through no link that somebody has laid', async () => {
  const out = join(folder, 'anew.ts');
  writeFileSync(out, 'before');
  chmodSync(out, 0o640);
  const refused = await kithJson(['types', '--org', organization.id, '--out', out], env);
  expect(refused).toMatchObject({ code: 5, json: { code: 'CONFLICT', message: expect.stringContaining('--force') } });
  expect(readFileSync(out, 'utf8')).toBe('before');
  expect((await runKith(['types', '--org', organization.id, '--out', out, '--force'], env)).code).toBe(0);
  expect([readFileSync(out, 'utf8').includes('interface'), statSync(out).mode & 0o777]).toEqual([true, 0o640]);
  const kept = join(folder, 'kept');
  writeFileSync(kept, 'kept');
  symlinkSync(kept, join(folder, 'link.ts'));
  const link = ['--out', join(folder, 'link.ts'), '--force'];
  const { code, stderr } = await runKith(['types', '--org', organization.id, ...link], env);
  expect([code, stderr]).toEqual([3, expect.stringContaining('no plain file')]);
  expect(readFileSync(kept, 'utf8')).toBe('kept');
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('ends with 3 where there is no such organization, or no such folder', async () => {
  expect((await runKith(['types', '--org', 'none'], env)).code).toBe(3);
  const nowhere = join(folder, 'nowhere', 'types.ts');
  expect((await runKith(['types', '--org', organization.id, '--out', nowhere], env)).code).toBe(3);
});

function compile() {
  const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'esnext'];
  const modules = ['--module', 'nodenext', '--allowImportingTsExtensions', '--types', '', join(folder, 'use.ts')];
  const { stdout, status } = spawnSync(process.execPath, [tsc, ...options, ...modules], {
    encoding: 'utf8',
    cwd: folder,
  });
  return { stdout, status };
}
