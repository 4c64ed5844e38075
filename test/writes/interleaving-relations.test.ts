/** Two writes at once that meet in another record, in an import, or in the caller. [spec: Records, Import; decisions: Writing] */
import { describe, expect } from 'vitest';
import { importRecords } from '../../src/operations/imports/import.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  listRecords,
  updateRecord,
} from '../../src/operations/records/records.ts';
import { sql } from '../../src/postgres/sql.ts';
import { createToken, revokeToken } from '../../src/provision/tokens.ts';
import { createUser, updateUser } from '../../src/provision/users.ts';
import { chainOf } from './invariants.ts';
import {
  deps,
  make,
  oneOf,
  performAs,
  organizationId,
  perform,
  playAll,
  playSome,
  seed,
  storage,
  update,
  useStage,
  type Scene,
  type Scenes,
  type Step,
} from './stage.ts';

useStage();

const scenes: Scenes = {
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
        expect([first.created, second.created]).toEqual(first.created === 1 ? [1, 2] : [2, 1]);
        expect(first.duplicates + second.duplicates).toBe(1);
      },
    };
  },

  async 'a token that is revoked writes nothing more'() {
    const own = await createToken(deps(), organizationId, { email: 'ada@kith.test', name: 'short-lived' });
    await performAs(own.token, listRecords, { object: 'contacts' });
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
    const user = await createUser(deps(), organizationId, { name: 'Member', email, role: 'Member' });
    const id = await make('contacts', { last_name: 'start' });
    await performAs(user.token, getRecord, { object: 'contacts', id });
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
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()].map((name) => ({
    name,
    domain: `https://${name}.test`,
  }));
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

/** Whether one had made its last step before the other made its first. */
const endsFirst = (turns: readonly number[], first: number) => turns.lastIndexOf(first) < turns.indexOf(1 - first);

describe(`two writes that meet, in every order of statements (seed ${seed})`, () => {
  playAll(scenes);
  playSome('a deadlock reaches nobody', 3, crossingImports);
});
