/** Whoever follows history in the order of commits sees every entry once, whichever write began first. [decisions: Writing] */
import { describe, expect } from 'vitest';
import { start } from '../../src/records/past/commit-order.ts';
import { deleteRecord, updateRecord } from '../../src/operations/records/records.ts';
import { changesAfter, type Change } from './changes-after.ts';
import { make, playAll, seed, storage, tokenOfAdmin, useStage, type Scenes } from './stage.ts';

useStage();

/** All that there is behind `last`, page by page, on a connection of its own. */
async function follow(last = start): Promise<readonly Change[]> {
  const { database, schema } = storage;
  const changes: Change[] = [];
  for (let position = last; ;) {
    const page = await changesAfter(database, { id: 'reader', schema }, position, 100);
    changes.push(...page);
    const next = page.at(-1)?.position;
    if (next === undefined) return changes;
    position = next;
  }
}

const scenes: Scenes = {
  async 'a write that began before another one and commits after it'() {
    const [first, second] = [await make('contacts', {}), await make('contacts', {})];
    let seen: readonly Change[] = [];
    return {
      steps: [
        [deleteRecord, { object: 'contacts', id: first }],
        async (engine) => {
          await engine.perform(tokenOfAdmin(), updateRecord, {
            object: 'contacts',
            id: second,
            values: { job_title: 'botanist' },
          });
          seen = await follow();
        },
      ],
      async check({ codes }) {
        expect(codes).toEqual(['ok', 'ok']);
        const told = [...seen];
        const goOn = async () => {
          told.push(...(await follow(told.at(-1)?.position)));
          const own = told.filter(({ recordId }) => recordId === first || recordId === second);
          return own.map(({ recordId, action }) => `${recordId === first ? 'first' : 'second'} ${action}`);
        };
        // Whoever else is at work on the server holds it back, another test's transaction too.
        const all = ['first create', 'first delete', 'second create', 'second update'];
        await expect.poll(async () => (await goOn()).toSorted(), { timeout: 20_000 }).toEqual(all);
        expect((await goOn()).slice(0, 2)).toEqual(['first create', 'second create']);
      },
    };
  },
};

describe(`history that is followed beside writes, in every order of statements (seed ${seed})`, () => {
  playAll(scenes);
});
