/** A request in one transaction is kept whole or not at all, whatever happens between two of its statements. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/id.ts';
import type { WriteMode } from '../../src/operations/door/write-mode.ts';
import { createRecord } from '../../src/operations/records/records.ts';
import type { Database, Transaction } from '../../src/postgres/database.ts';
import { sql } from '../../src/postgres/sql.ts';
import { createUser } from '../../src/provision/users.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { codeOf, createEngine, firstOrganization, type Engine } from '../support/engine.ts';
import { expectHistory, expectState, storageOf, type Storage } from './invariants.ts';

let database: TestDatabase;
let storage: Storage;
let organizationId: string;
let engine: Engine;

/** What happens before the n-th statement of a transaction from now on, once. */
let trap: { n: number; act: (tx: Transaction) => Promise<void> } | undefined;

beforeAll(async () => {
  database = await testDatabase();
  engine = createEngine(trapped(database.database));
  const organization = await firstOrganization(engine, database.database);
  ({ organizationId } = organization);
  storage = storageOf(database.database, organization.schemaName);
  await storage.rows(sql`insert into ${storage.table('_lists')} (id, name, object_types, created_at, updated_at)
    values (${listId}::uuid, 'List', '{contacts}', now(), now())`);
});
afterAll(() => database.drop());
beforeEach(() => {
  trap = undefined;
});

const listId = newId();

function trapped(inner: Database): Database {
  return {
    ...inner,
    transaction: (affinity, body) =>
      inner.transaction(affinity, (tx) => {
        const step = async () => {
          if (!trap || --trap.n > 0) return;
          const { act } = trap;
          trap = undefined;
          await act(tx);
        };
        return body({
          run: (wanted) => step().then(() => tx.run(wanted)),
          script: (text) => step().then(() => tx.script(text)),
          copyOut: (text, take) => tx.copyOut(text, take),
          copyIn: (text, feed) => tx.copyIn(text, feed),
        });
      }),
  };
}

const writeModes: readonly [string, WriteMode][] = [
  ['under a key', { dryRun: false, once: { key: 'k', request: 'r', replayed: () => {} } }],
  ['for trial', { dryRun: true }],
];

/** Does the work again and again, with `act` before its first statement, its second, until it has no more. */
async function atEach(
  act: (tx: Transaction, user: { tokenId: string }) => Promise<void>,
  once: (user: { token: string; tokenId: string }, name: string, n: number) => Promise<void>,
): Promise<number> {
  for (let n = 1; ; n++) {
    const name = crypto.randomUUID();
    const user = await createUser(engine.deps, organizationId, { name, email: `${name}@kith.test`, role: 'Member' });
    const [row] = await storage.rows(
      sql`select id from ${storage.table('_tokens')} where workspace_user_id = ${user.workspaceUserId}::uuid`,
    );
    const tokenId = row?.[0] ?? '';
    let acted = false;
    trap = {
      n,
      act: (tx) => {
        acted = true;
        return act(tx, { tokenId });
      },
    };
    await once({ token: user.token, tokenId }, name, n);
    trap = undefined;
    if (!acted) return n;
  }
}

/** How many contacts have that name, and how many of them are on the list. */
async function written(name: string): Promise<readonly (string | null)[]> {
  const [row] = await storage.rows(sql`select count(c.id), count(e.id) from ${storage.table('contacts')} c
    left join ${storage.table('_list_entries')} e on e.record_id = c.id where c.last_name = ${name}`);
  return row ?? [];
}

const valuesOf = (name: string) => ({ last_name: name, add_to_list_ids: [listId] });

describe.each(writeModes)('a create with a list %s', (_name, writeMode) => {
  const kept = writeMode.dryRun ? ['0', '0'] : ['1', '1'];

  it('of a token that is revoked at any statement is done as a whole, or refused', async () => {
    const outcomes = new Set<string>();
    const revoke = async (_tx: Transaction, { tokenId }: { tokenId: string }) =>
      void (await storage.rows(
        sql`update ${storage.table('_tokens')} set revoked_at = now() where id = ${tokenId}::uuid`,
      ));
    const statements = await atEach(revoke, async ({ token }, name, n) => {
      const work = engine.perform(token, createRecord, { object: 'contacts', values: valuesOf(name) }, writeMode);
      const code = await codeOf(work);
      outcomes.add(code);
      expect(await written(name), `revoked before statement ${n}`).toEqual(code === 'ok' ? kept : ['0', '0']);
      if (code === 'ok') expect((await work).lists).toMatchObject([{ added: 1, failed: 0 }]);
    });
    expect(statements).toBeGreaterThan(8);
    expect(outcomes).toEqual(new Set(['UNAUTHORIZED', 'ok']));
  });

  it('that meets a deadlock at any statement is done again, once', async () => {
    const deadlock = (tx: Transaction) => tx.script("do $$ begin raise exception using errcode = '40P01'; end $$");
    await atEach(deadlock, async ({ token }, name, n) => {
      const answer = await engine.perform(
        token,
        createRecord,
        { object: 'contacts', values: valuesOf(name) },
        writeMode,
      );
      expect(answer.lists, `deadlock before statement ${n}`).toMatchObject([{ added: 1, failed: 0 }]);
      expect(await written(name)).toEqual(kept);
    });
    await expectState(storage, ['contacts']);
    await expectHistory(storage, 'contacts');
  });

  it('that fails at the list says so, and the record is there', async () => {
    const name = crypto.randomUUID();
    const user = await createUser(engine.deps, organizationId, { name, email: `${name}@kith.test`, role: 'Member' });
    await storage.rows(sql`alter table ${storage.table('_list_entries')} add constraint never check (false) not valid`);
    const values = { ...valuesOf(name), add_to_list_ids: [listId, newId()] };
    const answer = await engine.perform(user.token, createRecord, { object: 'contacts', values }, writeMode);
    await storage.rows(sql`alter table ${storage.table('_list_entries')} drop constraint never`);
    expect(answer.lists).toMatchObject([
      { failed: 1, error: 'Something went wrong on our side; the request id finds it in the log' },
      { failed: 1, error: expect.stringMatching(/^There is no list/) },
    ]);
    expect(await written(name)).toEqual([kept[0], '0']);
  });
});
