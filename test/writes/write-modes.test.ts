/** Writes under one key, trial writes and the end of the trash, beside other writes. [decisions: Writing; writes: Repeats and jobs] */
import { describe, expect } from 'vitest';
import type { WriteMode } from '../../src/operations/door/write-mode.ts';
import type { Operation } from '../../src/operations/door/operation.ts';
import {
  createRecord,
  deleteRecord,
  getRecord,
  restoreRecord,
  updateRecord,
} from '../../src/operations/records/records.ts';
import { purgeRecord, purgeTrash } from '../../src/operations/records/trash.ts';
import { sql } from '../../src/postgres/sql.ts';
import {
  make,
  oneOf,
  perform,
  playAll,
  seed,
  storage,
  tokenOfAdmin,
  update,
  useStage,
  type Scenes,
  type Step,
} from './stage.ts';

useStage();

const dry: WriteMode = { dryRun: true };

function once(key: string, request = 'the same'): WriteMode {
  return { dryRun: false, once: { key, request, replayed: () => {} } };
}

function inMode(writeMode: WriteMode, operation: Operation, input: object): Step {
  return (engine) => engine.perform(tokenOfAdmin(), operation, input, writeMode);
}

async function countOf(lastName: string): Promise<number> {
  const [row] = await storage.rows(
    sql`select count(*) from ${storage.table('contacts')} where last_name = ${lastName}`,
  );
  return Number(row?.[0]);
}

const keys: Scenes = {
  async 'one key twice: one record, one answer'() {
    const name = crypto.randomUUID();
    const step = inMode(once(name), createRecord, { object: 'contacts', values: { last_name: name } });
    return {
      steps: [step, step],
      async check({ codes, answers: [one, two] }) {
        // On a busy machine two seconds may not be enough to wait.
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'CONFLICT'], ['CONFLICT', 'ok']));
        if (one && two) expect(one).toEqual(two);
        expect(await countOf(name)).toBe(1);
      },
    };
  },

  async 'one key for two requests: one of them is done'() {
    const name = crypto.randomUUID();
    const step = (request: string): Step =>
      inMode(once(name, request), createRecord, { object: 'contacts', values: { last_name: name } });
    return {
      steps: [step('one'), step('two')],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'VALIDATION_ERROR'], ['VALIDATION_ERROR', 'ok']));
        expect(await countOf(name)).toBe(1);
      },
    };
  },

  async 'one key, and what it asks for is refused: both are'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    await make('companies', { name: 'First', domain });
    const step = inMode(once(domain), createRecord, { object: 'companies', values: { name: 'Second', domain } });
    return {
      steps: [step, step],
      check({ codes }) {
        const [refused, busy] = ['DUPLICATE_RECORD', 'CONFLICT'];
        expect(codes).toEqual(oneOf([refused, refused], [refused, busy], [busy, refused]));
      },
    };
  },

  async 'one update under a key twice, with links: history has it once'() {
    const [ada, id] = [await make('contacts', {}), await make('opportunities', { name: 'Deal' })];
    const values = { contacts: [ada], name: 'Renamed' };
    const step = inMode(once(id), updateRecord, { object: 'opportunities', id, values });
    return {
      steps: [step, step],
      async check({ codes }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'CONFLICT'], ['CONFLICT', 'ok']));
        expect((await storage.history(id)).map(({ action }) => action)).toEqual(['create', 'update']);
      },
    };
  },
};

const trials: Scenes = {
  async 'a trial and a create of one unique value: the create is not in the way of a trial'() {
    const domain = `https://${crypto.randomUUID()}.test`;
    const create: readonly [Operation, object] = [createRecord, { object: 'companies', values: { name: 'C', domain } }];
    return {
      steps: [inMode(dry, ...create), create],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'ok'], ['DUPLICATE_RECORD', 'ok'])),
    };
  },

  async 'a trial of an update, and an update: history has the one that was made'() {
    const id = await make('contacts', { last_name: 'start' });
    const trial = { object: 'contacts', id, values: { last_name: 'trial' } };
    return {
      steps: [inMode(dry, updateRecord, trial), update('contacts', id, { last_name: 'made' })],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const { record } = await perform(getRecord, { object: 'contacts', id });
        expect(record.last_name).toBe('made');
        expect((await storage.history(id)).map(({ action }) => action)).toEqual(['create', 'update']);
      },
    };
  },
};

async function trashedContact(): Promise<string> {
  const id = await make('contacts', { last_name: 'Trashed' });
  await perform(deleteRecord, { object: 'contacts', id });
  return id;
}

const ends: Scenes = {
  async 'purge and restore: one of them wins'() {
    const id = await trashedContact();
    const input = { object: 'contacts', id };
    return {
      steps: [
        [purgeRecord, input],
        [restoreRecord, input],
      ],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'purge of the whole trash and restore: what is being restored is left alone'() {
    const id = await trashedContact();
    return {
      steps: [
        [purgeTrash, { older_than_days: 0 }],
        [restoreRecord, { object: 'contacts', id }],
      ],
      check({ codes, answers: [purged] }) {
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'RECORD_NOT_FOUND']));
        expect(purged).toEqual({ purged: codes[1] === 'ok' ? 0 : 1 });
      },
    };
  },

  async 'purge and purge: once'() {
    const step: Step = [purgeRecord, { object: 'contacts', id: await trashedContact() }];
    return {
      steps: [step, step],
      check: ({ codes }) => expect(codes).toEqual(oneOf(['ok', 'RECORD_NOT_FOUND'], ['RECORD_NOT_FOUND', 'ok'])),
    };
  },

  async 'purge of what is linked, and an update that keeps the link'() {
    const [linked, other] = [await make('contacts', {}), await make('contacts', {})];
    const deal = await make('opportunities', { name: 'Deal', contacts: [linked] });
    await perform(deleteRecord, { object: 'contacts', id: linked });
    return {
      steps: [
        [purgeRecord, { object: 'contacts', id: linked }],
        update('opportunities', deal, { contacts: [linked, other] }),
      ],
      async check({ codes }) {
        // Once it is purged, the update names a record that does not exist.
        expect(codes).toEqual(oneOf(['ok', 'ok'], ['ok', 'VALIDATION_ERROR']));
        const { record } = await perform(getRecord, { object: 'opportunities', id: deal });
        expect(record.contacts.map(({ id }: { id: string }) => id)).toEqual(codes[1] === 'ok' ? [other] : []);
      },
    };
  },

  async 'purge of what is linked, and an update that drops the link: it is dropped once'() {
    const linked = await make('contacts', {});
    const deal = await make('opportunities', { name: 'Deal', contacts: [linked] });
    await perform(deleteRecord, { object: 'contacts', id: linked });
    return {
      steps: [[purgeRecord, { object: 'contacts', id: linked }], update('opportunities', deal, { contacts: [] })],
      check: ({ codes }) => expect(codes).toEqual(['ok', 'ok']),
    };
  },
};

describe(`a key (seed ${seed})`, () => {
  playAll(keys);
});
describe(`a dry run (seed ${seed})`, () => {
  playAll(trials);
});
describe(`the end of the trash (seed ${seed})`, () => {
  playAll(ends);
});
