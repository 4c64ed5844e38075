/** Two operations of two processes at once, in every order of their statements. [spec: Records; decisions: Writing] */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importRecords } from '../../src/operations/import.ts';
import type { Operation } from '../../src/operations/operation.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  restoreRecord,
  updateRecord,
} from '../../src/operations/records.ts';
import { connectDatabase } from '../../src/postgres/connect.ts';
import type { Database } from '../../src/postgres/database.ts';
import { sql } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { codeOf, createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { silentLog } from '../support/log.ts';
import { explore, gated, interleaver, type Interleaver } from './interleave.ts';
import { chainOf, expectHistory, expectState, makeUnique, storageOf, type Storage } from './invariants.ts';

const deep = process.env['KITH_DEEP'] === '1';
const seed = Number(process.env['KITH_SEED'] ?? 20_260_301);
const bounds = { limit: deep ? 100_000 : 24, samples: 12, seed };
const objectNames = ['companies', 'contacts', 'opportunities'];
const processes = ['kith_a', 'kith_b'];

let database: TestDatabase;
const connections: Database[] = [];
let engines: readonly Engine[];
let both: Interleaver;
let storage: Storage;
let organizationId: string;
let token: string;

beforeAll(async () => {
  database = await testDatabase();
  for (const name of processes) {
    const url = new URL(database.url);
    url.searchParams.set('application_name', name);
    connections.push(
      await connectDatabase({ connection: url.href, log: silentLog, pipelinedClients: 1, plainClients: 2 }),
    );
  }
  both = interleaver(processes, database.database);
  engines = connections.map((connection, index) =>
    createEngine(gated(connection, both.turnstiles[index] ?? { pass: () => Promise.resolve() })),
  );
  const organization = await firstOrganization(engines[0]!, database.database);
  ({ organizationId, token } = organization);
  storage = storageOf(database.database, organization.schemaName);
  await makeUnique(storage, 'companies', 'domain');
});

afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await database.drop();
});

type Step = readonly [operation: Operation, input: object] | ((engine: Engine) => Promise<unknown>);

interface Ending {
  /** `ok`, or the code of the refusal. */
  readonly codes: readonly [string, string];
  /** What each one answered. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as an operation answers
  readonly answers: readonly [any, any];
  /** Whose turn each step was. */
  readonly turns: readonly number[];
}

/** Fresh records, two steps, and what must hold once both are through. */
interface Scene {
  readonly steps: readonly [Step, Step];
  check(ending: Ending): Promise<void> | void;
}

const perform = (operation: Operation, input: object) => engines[0]!.perform(token, operation, input);
const make = async (object: string, values: object): Promise<string> =>
  String((await perform(createRecord, { object, values })).id);
const update = (object: string, id: string, values: object): Step => [updateRecord, { object, id, values }];
const oneOf = (...endings: readonly string[][]) => ({
  asymmetricMatch: (codes: readonly string[]) => endings.some((ending) => ending.join() === codes.join()),
});

async function play(scene: Scene, choose: (options: readonly number[]) => number): Promise<void> {
  const versions = await Promise.all(objectNames.map(storage.version));
  const answers: [unknown, unknown] = [undefined, undefined];
  const codes: [string, string] = ['', ''];
  const works = scene.steps.map((step, index) => async () => {
    const engine = engines[index]!;
    const work = typeof step === 'function' ? step(engine) : engine.perform(token, ...step);
    codes[index] = await codeOf(work.then((answer) => (answers[index] = answer)));
  });
  const turns = await both.run(works, choose);
  await scene.check({ codes, answers, turns });
  await expectState(storage, objectNames);
  for (const name of objectNames) await expectHistory(storage, name);
  const after = await Promise.all(objectNames.map(storage.version));
  after.forEach((version, index) => expect(version).toBeGreaterThanOrEqual(versions[index] ?? 0n));
  await expectTotals();
}

/** What a process remembers of a filtered list's total is what a count says now. */
async function expectTotals(): Promise<void> {
  const where = { type: 'AND', conditions: [{ field: 'company_id.name', operator: 'starts_with', value: 'Target' }] };
  const [row] = await storage.rows(sql`select count(*) from ${storage.table('contacts')} c
    join ${storage.table('companies')} t on t.id = c.company_id where c.deleted_at is null and t.deleted_at is null and t.name like 'Target%'`);
  for (const engine of engines) {
    const { total } = await engine.perform(token, listRecords, {
      object: 'contacts',
      filters: JSON.stringify(where),
      limit: 1,
    });
    expect(total, 'the total of a filtered list').toBe(Number(row?.[0]));
  }
}

/** Steps of the one that came after the last step of the other. */
const endsFirst = (turns: readonly number[], first: number) => turns.lastIndexOf(first) < turns.indexOf(1 - first);

const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  async 'update and update of one field: history is one chain, the last one stays'() {
    const id = await make('contacts', { last_name: 'start' });
    return {
      steps: [update('contacts', id, { last_name: 'from a' }), update('contacts', id, { last_name: 'from b' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const chain = await chainOf(storage, 'contacts', 'last_name', id);
        expect([
          ['start', 'from a', 'from b'],
          ['start', 'from b', 'from a'],
        ]).toContainEqual(chain);
      },
    };
  },

  async 'update of two fields: both survive, in row, search and history'() {
    const id = await make('contacts', { first_name: 'start', job_title: 'start' });
    return {
      steps: [update('contacts', id, { first_name: 'annabel' }), update('contacts', id, { job_title: 'botanist' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'contacts', id });
        expect(record).toMatchObject({ first_name: 'annabel', job_title: 'botanist' });
        const found = await perform(listRecords, {
          object: 'contacts',
          search: 'annabel botanist',
          filters: JSON.stringify({ type: 'AND', conditions: [{ field: 'id', operator: 'equals', value: id }] }),
        });
        expect(found.total).toBe(1);
        expect(await chainOf(storage, 'contacts', 'first_name', id)).toEqual(['start', 'annabel']);
        expect(await chainOf(storage, 'contacts', 'job_title', id)).toEqual(['start', 'botanist']);
      },
    };
  },

  async 'one unique value twice: one is made, and the refusal names it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const step = (name: string): Step => [createRecord, { object: 'companies', values: { name, domain } }];
    return {
      steps: [step('First'), step('Second')],
      async check({ codes, answers }) {
        expect(codes).toEqual(oneOf(['ok', 'DUPLICATE_RECORD'], ['DUPLICATE_RECORD', 'ok']));
        const { id } = answers.find((answer) => answer !== undefined);
        await expect(perform(createRecord, { object: 'companies', values: { name: 'Third', domain } })).rejects.toThrow(
          `domain: ${id}`,
        );
      },
    };
  },

  async 'a unique value that is updated to, and created: one of them has it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const id = await make('companies', { name: 'Changing' });
    return {
      steps: [
        update('companies', id, { domain }),
        [createRecord, { object: 'companies', values: { name: 'New', domain } }],
      ],
      check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'DUPLICATE_RECORD'], ['DUPLICATE_RECORD', 'ok']));
      },
    };
  },

  async 'a unique value out of the trash, and created: one of them has it'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const id = await make('companies', { name: 'Trashed', domain });
    await perform(deleteRecord, { object: 'companies', id });
    return {
      steps: [
        [restoreRecord, { object: 'companies', id }],
        [createRecord, { object: 'companies', values: { name: 'New', domain } }],
      ],
      async check({ codes }) {
        if (codes[0] !== 'ok')
          await expect(perform(restoreRecord, { object: 'companies', id })).rejects.toThrow(
            new RegExp(`^${id} .*domain: [0-9a-f-]{36}$`),
          );
        expect(codes).toEqual(oneOf(['ok', 'DUPLICATE_RECORD'], ['DUPLICATE_RECORD', 'ok']));
      },
    };
  },

  async 'trash and update: nothing is written to a record in the trash'() {
    const id = await make('contacts', { last_name: 'start' });
    return {
      steps: [[deleteRecord, { object: 'contacts', id }], update('contacts', id, { last_name: 'late' })],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'RECORD_NOT_FOUND']));
        const chain = await chainOf(storage, 'contacts', 'last_name', id);
        expect(chain).toEqual(codes[1] === 'ok' ? ['start', 'late'] : ['start']);
      },
    };
  },

  async 'trash and trash: one of them does it'() {
    const id = await make('contacts', {});
    const step: Step = [deleteRecord, { object: 'contacts', id }];
    return {
      steps: [step, step],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'restore and restore: one of them does it'() {
    const id = await make('contacts', {});
    await perform(deleteRecord, { object: 'contacts', id });
    const step: Step = [restoreRecord, { object: 'contacts', id }];
    return {
      steps: [step, step],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'trash and restore: one after the other'() {
    const id = await make('contacts', {});
    await perform(deleteRecord, { object: 'contacts', id });
    return {
      steps: [
        [deleteRecord, { object: 'contacts', id }],
        [restoreRecord, { object: 'contacts', id }],
      ],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'ok'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'trash of a target and create that points at it: nothing new points into the trash'() {
    const target = await make('companies', { name: 'Target' });
    return {
      steps: [
        [deleteRecord, { object: 'companies', id: target }],
        [createRecord, { object: 'contacts', values: { company_id: target } }],
      ],
      check: ({ codes, answers }) => expectPointedBefore(codes, target, answers[1]?.id, 'create'),
    };
  },

  async 'trash of a target and update to point at it: nothing new points into the trash'() {
    const target = await make('companies', { name: 'Target' });
    const id = await make('contacts', {});
    return {
      steps: [[deleteRecord, { object: 'companies', id: target }], update('contacts', id, { company_id: target })],
      check: ({ codes }) => expectPointedBefore(codes, target, id, 'update'),
    };
  },

  async 'trash of a target and link to it: nothing new points into the trash'() {
    const target = await make('contacts', {});
    const id = await make('opportunities', { name: 'Deal' });
    return {
      steps: [[deleteRecord, { object: 'contacts', id: target }], update('opportunities', id, { contacts: [target] })],
      check: ({ codes }) => expectPointedBefore(codes, target, id, 'update'),
    };
  },

  async 'trash of a company and import of rows that point at it: each row stands for itself'() {
    const target = await make('companies', { name: 'Target' });
    return {
      steps: [
        [deleteRecord, { object: 'companies', id: target }],
        [importRecords, { object: 'contacts', records: [{ company_id: target }, { first_name: 'Free' }] }],
      ],
      async check({ codes, answers: [, outcome] }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect(outcome.created + outcome.failed).toBe(2);
        if (outcome.created === 2) await expectPointedBefore(codes, target, outcome.created_ids[0], 'create');
        else expect(outcome.errors).toEqual([{ index: 0, error: expect.stringContaining('company_id') }]);
      },
    };
  },

  async 'two sets of links: one of them stays whole, history has every pair'() {
    const [p, q, r] = [await make('contacts', {}), await make('contacts', {}), await make('contacts', {})];
    const id = await make('opportunities', { name: 'Deal', contacts: [p] });
    return {
      steps: [update('opportunities', id, { contacts: [p, q] }), update('opportunities', id, { contacts: [r, q] })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'opportunities', id });
        const ids = record.contacts.map((contact: { id: string }) => contact.id);
        expect([
          [p, q],
          [r, q],
        ]).toContainEqual(ids);
      },
    };
  },

  async 'links and fields of one record: both survive'() {
    const p = await make('contacts', {});
    const id = await make('opportunities', { name: 'start' });
    return {
      steps: [update('opportunities', id, { contacts: [p] }), update('opportunities', id, { name: 'renamed' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'opportunities', id });
        expect(record).toMatchObject({ name: 'renamed', contacts: [{ id: p }] });
      },
    };
  },

  async 'records that point at each other: no deadlock reaches anybody'() {
    const [a, b] = [await make('contacts', {}), await make('contacts', {})];
    const [one, two] = [
      await make('opportunities', { name: 'One', contacts: [a, b] }),
      await make('opportunities', { name: 'Two', contacts: [b] }),
    ];
    return {
      steps: [
        update('opportunities', one, { contacts: [b], name: 'One a' }),
        update('opportunities', two, { contacts: [a, b], name: 'Two b' }),
      ],
      check: ({ codes }) => expect(codes).toEqual(['ok', 'ok']),
    };
  },

  async 'import and import of one unique value: it is made once, the rest is made twice'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const step = (name: string): Step => [
      importRecords,
      { object: 'companies', records: [{ name, domain }, { name: `${name} free` }] },
    ];
    return {
      steps: [step('First'), step('Second')],
      check({ codes, answers: [first, second] }) {
        expect(codes).toEqual(['ok', 'ok']);
        expect([first.created, second.created].toSorted()).toEqual([1, 2]);
        expect(first.duplicates + second.duplicates).toBe(1);
      },
    };
  },

  async 'a token that is revoked writes nothing more'() {
    const own = await createToken(engines[0]!.deps, organizationId, { email: 'ada@kith.test', name: 'short-lived' });
    await engines[0]!.perform(own.token, listRecords, { object: 'contacts' });
    const title = crypto.randomUUID();
    return {
      steps: [
        (engine) => engine.perform(own.token, createRecord, { object: 'contacts', values: { job_title: title } }),
        (engine) => revokeToken(engine.deps, own.tokenId),
      ],
      async check({ codes, turns }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['UNAUTHORIZED', 'ok']));
        if (endsFirst(turns, 1)) expect(codes[0]).toBe('UNAUTHORIZED');
        const written = await storage.rows(sql`select id from ${storage.table('contacts')} where job_title = ${title}`);
        expect(written.length).toBe(codes[0] === 'ok' ? 1 : 0);
      },
    };
  },

  async 'a role that is taken away writes nothing more'() {
    const email = `${crypto.randomUUID()}@kith.test`;
    const user = await createUser(engines[0]!.deps, organizationId, { name: 'Member', email, role: 'Member' });
    const id = await make('contacts', { last_name: 'start' });
    await engines[0]!.perform(user.token, getRecord, { object: 'contacts', id });
    return {
      steps: [
        (engine) => engine.perform(user.token, updateRecord, { object: 'contacts', id, values: { last_name: 'late' } }),
        (engine) => updateUser(engine.deps, organizationId, email, { role: 'Viewer' }),
      ],
      async check({ codes, turns }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['PERMISSION_DENIED', 'ok']));
        if (endsFirst(turns, 1)) expect(codes[0]).toBe('PERMISSION_DENIED');
        expect(await chainOf(storage, 'contacts', 'last_name', id)).toEqual(
          codes[0] === 'ok' ? ['start', 'late'] : ['start'],
        );
      },
    };
  },
};

/** Two imports of a thousand rows and one, whose unique values come in opposite order: each has what the other waits for. */
async function crossingImports(): Promise<Scene> {
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()].map((name) => ({ name, domain: `https://${name}.test` }));
  const filler = Array.from({ length: 999 }, () => ({ name: 'Filler' }));
  return {
    steps: [
      [importRecords, { object: 'companies', records: [one, ...filler, two] }],
      [importRecords, { object: 'companies', records: [two, ...filler, one] }],
    ],
    check({ codes, answers: [first, second] }) {
      expect(codes).toEqual(['ok', 'ok']);
      expect([first.created + second.created, first.duplicates + second.duplicates]).toEqual([2_000, 2]);
    },
  };
}

/** Either the record points at its target since before the target went to the trash, or it was refused. */
async function expectPointedBefore(
  codes: readonly string[],
  target: string,
  id: string | undefined,
  action: string,
): Promise<void> {
  expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'VALIDATION_ERROR']));
  if (codes[1] !== 'ok' || id === undefined) return;
  const written = (await storage.history(id)).find((row) => row.action === action);
  const trashed = (await storage.history(target)).find((row) => row.action === 'delete');
  expect(written?.id).toBeLessThan(trashed?.id ?? 0);
}

describe(`every order of statements (seed ${seed})`, () => {
  it.each(Object.keys(scenes))('%s', async (name) => {
    const prepare = scenes[name]!;
    const { tried } = await explore(bounds, async (choose) => play(await prepare(), choose));
    expect(tried).toBeGreaterThan(1);
  });

  it('a deadlock reaches nobody', async () => {
    await explore({ limit: 1, samples: deep ? 40 : 3, seed }, async (choose) => play(await crossingImports(), choose));
  });
});
