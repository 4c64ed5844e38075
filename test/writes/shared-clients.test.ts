/** Writes that travel together on few clients, against those who hold what they want. [decisions: 0003, 0022] */
import { describe, expect, it } from 'vitest';
import { createRecord, updateRecord } from '../../src/operations/records/records.ts';
import { sql } from '../../src/postgres/sql.ts';
import { codeOf } from '../support/engine.ts';
import { chainOf, expectHistory, expectState } from './invariants.ts';
import { make, performIn, storage, useStage } from './stage.ts';

useStage();

const objectNames = ['companies', 'contacts'];
const rename = (process: number, object: string, id: string, values: object) =>
  performIn(process, updateRecord, { object, id, values });

async function expectSound(): Promise<void> {
  await expectState(storage, objectNames);
  for (const name of objectNames) await expectHistory(storage, name);
}

describe('writes that share clients', () => {
  it('go on beside one whose reference is held, which is written when it is free', async () => {
    const company = await make('companies', { name: 'Held' });
    const contacts = await Promise.all(Array.from({ length: 6 }, () => make('contacts', { last_name: 'start' })));
    const written: string[] = [];
    let held: Promise<unknown> | undefined;
    await storage.database.transaction('holder', async (tx) => {
      await tx.run({
        text: `select 1 from "${storage.schema}".companies where id = $1 for update`,
        values: [company],
      });
      held = performIn(0, createRecord, { object: 'contacts', values: { company_id: company } }).then(() =>
        written.push('held'),
      );
      await Promise.all(contacts.map((id) => rename(0, 'contacts', id, { last_name: 'other' })));
      written.push('others');
    });
    await held;
    expect(written).toEqual(['others', 'held']);
    await expectSound();
  });

  it('of one record become one chain of history, from two processes', async () => {
    const id = await make('contacts', { last_name: '0' });
    const names = Array.from({ length: 24 }, (_, at) => String(at + 1));
    await Promise.all(names.map((last_name, at) => rename(at % 2, 'contacts', id, { last_name })));
    const chain = await chainOf(storage, 'contacts', 'last_name', id);
    expect(chain).toHaveLength(25);
    expect(new Set(chain)).toEqual(new Set(['0', ...names]));
    await expectSound();
  });

  it('that want each other’s unique value end, each with it or without', async () => {
    for (let round = 0; round < 15; round++) {
      const domains = [1, 2].map(() => `https://${crypto.randomUUID()}.test`);
      const [first, second] = await Promise.all(domains.map((domain) => make('companies', { name: 'Swaps', domain })));
      const codes = await Promise.all([
        codeOf(rename(0, 'companies', first!, { domain: domains[1] })),
        codeOf(rename(1, 'companies', second!, { domain: domains[0] })),
        codeOf(rename(0, 'companies', second!, { domain: `${domains[1]}/free` })),
        codeOf(rename(1, 'companies', first!, { domain: `${domains[0]}/free` })),
      ]);
      for (const code of codes) expect(['ok', 'DUPLICATE_RECORD']).toContain(code);
    }
    const [row] = await storage.rows(
      sql`select count(*) - count(distinct domain) from ${storage.table('companies')} where domain is not null`,
    );
    expect(row).toEqual(['0']);
    await expectSound();
  });
});
