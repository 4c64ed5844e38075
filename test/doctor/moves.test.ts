/** What `kith doctor` makes of moves and restores that were broken off, and of what it must not touch. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { examine, examineAndRepair, type Patient } from '../../src/doctor/doctor.ts';
import { reachClusters } from '../../src/doctor/clusters.ts';
import type { Finding, Problem } from '../../src/doctor/finding.ts';
import { unfinishedProblems } from '../../src/doctor/left-overs.ts';
import { moveProblems } from '../../src/doctor/moves.ts';
import type { Directory, Organization } from '../../src/directory/directory.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sql } from '../../src/postgres/sql.ts';
import { backUp } from '../../src/transfer/backup.ts';
import { copyOrganization } from '../../src/transfer/copy-organization.ts';
import { hold, type Held } from '../../src/transfer/hold.ts';
import { moveOrganization } from '../../src/transfer/move.ts';
import { restore } from '../../src/transfer/restore.ts';
import { acme, hasSchema, rowsOf, setUp, type Setup } from '../provision/setup.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { silentLog } from '../support/log.ts';

let setup: Setup;
let second: TestDatabase;
let there: Database;
let directory: Directory;
let patient: Patient;
let secondId: string;

beforeAll(async () => {
  second = await testDatabase();
  there = second.database;
  setup = await setUp((url) => connectDatabase({ connection: url, log: silentLog }));
  ({ directory } = setup.deps);
  ({ id: secondId } = await directory.addDatasource('second', second.url));
  patient = { main: setup.main, ...setup.deps, secret: { dataDir: '', isConfigured: true }, isEmbedded: false };
});
afterAll(async () => {
  await setup.drop();
  await second.drop();
});

const leftOvers = (findings: readonly Finding[]) =>
  (findings.find(({ name }) => name === 'left-overs')?.problems ?? []).map(({ text, remedy }) => `${text}: ${remedy}`);

const script = (database: Database, text: string) => database.transaction('test', (tx) => tx.script(text));
const retired = (schema: string) => schema.replace('org_', 'moved_');

async function organization(): Promise<Organization> {
  const { organizationId } = await acme(setup.deps);
  return directory.requireOrganization(organizationId);
}

/** Its schemas on both clusters, where the directory has it, and where it is moving to. */
async function stateOf({ id, schema }: Organization): Promise<string> {
  const places = [
    ['main', setup.main, schema],
    ['main retired', setup.main, retired(schema)],
    ['second', there, schema],
    ['second retired', there, retired(schema)],
  ] as const;
  const found = await Promise.all(
    places.map(async ([name, at, wanted]) => ((await hasSchema(at, wanted)) ? [name] : [])),
  );
  const [row] = await rowsOf(
    setup.main,
    sql`select d.name, m.name from kith.organizations o join kith.datasources d on d.id = o.datasource_id
      left join kith.datasources m on m.id = o.moving_to where o.id = ${id}::uuid`,
  );
  return `schemas: ${found.flat().join(', ')}; directory: ${row?.[0]}${row?.[1] ? ` to ${row[1]}` : ''}`;
}

interface Scene {
  /** What is found of the organization, after its name; nothing where there is no problem. */
  readonly found?: (organization: Organization) => string;
  readonly afterwards: string;
  prepare(organization: Organization): Promise<unknown>;
}

const repairing = 'kith doctor --repair';

const scenes: { readonly [what: string]: Scene } = {
  'a move was broken off before its end': {
    async prepare(one) {
      await directory.startMove(one.id, secondId);
      await copyOrganization(setup.main, there, one);
    },
    found: ({ id }) =>
      `a move of organization ${id} (Acme) to second was broken off; it lies on main: ` +
      `kith org move --org ${id} --datasource second, or to stay, ${repairing}`,
    afterwards: 'schemas: main; directory: main',
  },
  'a move has left a copy, which says so itself': {
    prepare: (one) => copyOrganization(setup.main, there, one),
    found: ({ id }) => `second has what a move of organization ${id} (Acme) left: ${repairing}`,
    afterwards: 'schemas: main; directory: main',
  },
  'a move was done, and the directory has not heard of it': {
    async prepare({ id }) {
      const followMove = () => Promise.reject(new Error('The control database is gone'));
      const deps = { ...setup.deps, directory: { ...directory, followMove } };
      await expect(moveOrganization(deps, id, 'second')).rejects.toThrow('The control database is gone');
    },
    found: ({ id }) => `organization ${id} (Acme) was moved to second, and the directory has it on main: ${repairing}`,
    afterwards: 'schemas: second; directory: second',
  },
  'a move has left the original': {
    async prepare({ id, schema }) {
      await moveOrganization(setup.deps, id, 'second');
      await script(setup.main, `create schema "${retired(schema)}"`);
    },
    found: ({ id }) => `main has what a move of organization ${id} (Acme) left: ${repairing}`,
    afterwards: 'schemas: second; directory: second',
  },
  'a move goes on': {
    async prepare(one) {
      await directory.startMove(one.id, secondId);
      await copyOrganization(setup.main, there, one);
      goingOn.push(await hold<void>((use) => directory.aloneWith(one.id, () => use())));
    },
    afterwards: 'schemas: main, second; directory: main to second',
  },
  'another installation may use what has its name': {
    async prepare(one) {
      await copyOrganization(setup.main, there, one);
      await script(there, `update "${one.schema}"._organization set moved = false`);
    },
    found: ({ id, schema }) =>
      `second has a schema ${schema} beside that of organization ${id} (Acme) on main: ` +
      `if nobody uses it, psql: drop schema ${schema} cascade`,
    afterwards: 'schemas: main, second; directory: main',
  },
};
const goingOn: Held<void>[] = [];

it('finds what moves have left, removes what is nobody’s, and tells the rest', { timeout: 240_000 }, async () => {
  const all = [];
  for (const [what, scene] of Object.entries(scenes)) {
    const one = await organization();
    await scene.prepare(one);
    all.push({ what, scene, one, found: scene.found?.(one) });
  }
  const stranger = `org_${'0'.repeat(32)}`;
  await script(there, `create schema ${stranger}`);
  const ofNobody = `second has a schema ${stranger} of no organization here: if no other installation uses it, psql: drop schema ${stranger} cascade`;
  const expected = [ofNobody, ...all.flatMap(({ found }) => found ?? [])];
  expect(leftOvers(await examine(patient)).toSorted()).toEqual(expected.toSorted());

  const { failed, findings } = await examineAndRepair(patient);
  expect(failed).toEqual([]);
  expect(leftOvers(findings).toSorted()).toEqual(expected.filter((text) => text.includes('psql')).toSorted());
  const states = await Promise.all(all.map(async ({ what, one }) => [what, await stateOf(one)]));
  expect(states).toEqual(all.map(({ what, scene }) => [what, scene.afterwards]));
  expect(await hasSchema(there, stranger)).toBe(true);
  for (const move of goingOn) await move.end();
});

it('takes one database under two names for no copy of itself, even where a move between them was begun', async () => {
  const one = await organization();
  await moveOrganization(setup.deps, one.id, 'second');
  const twin = await directory.addDatasource('twin', second.url);
  const { reached } = await reachClusters(setup.main, directory);
  const ofIt = async () => (await moveProblems(directory, reached)).filter(({ text }) => text.includes(one.id));
  expect(await ofIt()).toEqual([]);
  await directory.startMove(one.id, twin.id);
  const [broken] = await ofIt();
  await broken?.repair?.();
  expect(await ofIt()).toEqual([]);
  expect(await stateOf(one)).toBe('schemas: second; directory: second');
});

it('removes a restore that was broken off an hour ago, and none that goes on', async () => {
  const { id: original } = await organization();
  const files = mkdtempSync(join(tmpdir(), 'kith-doctor-'));
  try {
    const path = join(files, 'one.kith');
    await backUp(setup.deps, { path, organizationId: original });
    const id = '01890a5d-ac96-774b-bcce-b302099a8057';
    const unfinished = () => unfinishedProblems(setup.main, directory, setup.clock.now());
    let during: readonly Problem[] | undefined;
    const personByEmail = async () => {
      setup.clock.time += 3_600_001;
      during = await unfinished();
      throw new Error('The control database is gone');
    };
    const request = { path, as: id };
    const broken = restore({ ...setup.deps, directory: { ...directory, personByEmail } }, request);
    await expect(broken).rejects.toThrow('The control database is gone');
    expect(during).toEqual([]);
    const [begun, ...others] = await unfinished();
    expect([begun?.text, others]).toEqual([
      `organization ${id} (Acme) was begun and never finished, or its deletion was broken off`,
      [],
    ]);
    await begun?.repair?.();
    expect(await unfinished()).toEqual([]);
    expect(await restore(setup.deps, request)).toMatchObject([{ organizationId: id }]);
  } finally {
    rmSync(files, { recursive: true });
  }
});
