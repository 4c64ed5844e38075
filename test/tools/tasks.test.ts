/**
 * Thirty tasks in the demo, played by a client from the definitions of the tools alone: each is done in at most six calls and
 * 8,000 tokens.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createToken } from '../../src/provision/tokens.ts';
import { textOf } from '../architecture/project-files.ts';
import { ingest, messageLine } from '../api/conversations.ts';
import { account } from '../api/sending.ts';
import { demoCounts } from '../demo/demo-counts.ts';
import { clientOf, startKith, type Client, type TestKith } from '../support/kith.ts';
import { connectPlayer, type Player } from './player.ts';
import type { Person, Task } from './task-table.ts';
import { cleaning, importing, writing } from './tasks-of-adding.ts';
import { correcting, moving } from './tasks-of-changing.ts';
import { comparing, finding } from './tasks-of-reading.ts';
import { refusing } from './tasks-of-refusing.ts';

const tasks: readonly Task[] = [
  ...[...finding, ...comparing, ...correcting, ...moving],
  ...[...cleaning, ...importing, ...writing, ...refusing],
];

/** Of the page, which says how many calls each takes. */
const rows: string[] = [];
const page = 'docs/agents.md';
const table = /(\| task \| as \| calls \|\n\|---\|---\|---\|\n)((?:\|.*\|\n)*)/;

const mostCalls = 6;
const mostTokens = 8_000;

const addresses: Readonly<Record<Person, string>> = {
  ada: 'ada@acme.example',
  ben: 'ben@acme.example',
  clara: 'clara@acme.example',
  diego: 'diego@acme.example',
  hana: 'hana@partner.example',
};

let kith: TestKith;
const people = new Map<Person, { readonly client: Client; readonly player: Player }>();

beforeAll(async () => {
  kith = await startKith({ KITH_DEMO: 'on' });
  const isWhole = async () => (await demoCounts(kith.database.database)).unfilled === 0;
  await vi.waitUntil(isWhole, { timeout: 280_000, interval: 1_000 });
  const [organization] = await kith.deps.directory.organizations();
  const id = organization?.id ?? '';
  for (const [person, email] of Object.entries(addresses) as [Person, string][]) {
    const { token } = await createToken(kith.deps, id, { email, name: 'tasks' });
    const { workspaceUserId } = (await kith.client(token).get('/me')).json;
    people.set(person, {
      client: clientOf(kith.url, token, workspaceUserId),
      player: await connectPlayer(kith.url, token),
    });
  }
  const { client: admin } = personCalled('ada');
  await ingest(kith, { id, schema: '', admin, user: () => Promise.reject(new Error('There are enough')) }, [
    account(addresses.ada, ['email'], { account_email: 'ada@sandbox.example' }),
    messageLine(addresses.ada, 'rita-1', {
      external_thread_id: 'rita',
      date: new Date().toISOString(),
      from: 'rita@offers.example',
      content_text: 'Where is the offer?',
    }),
  ]);
}, 300_000);
afterAll(async () => {
  for (const { player } of people.values()) await player.close();
  await kith.stop();
});

function personCalled(name: Person): { readonly client: Client; readonly player: Player } {
  const person = people.get(name);
  if (!person) throw new Error(`${name} is not there`);
  return person;
}

describe(`tasks of an agent, in at most ${mostCalls} calls and ${mostTokens.toLocaleString('en')} tokens`, () => {
  it('number thirty different ones', () => {
    expect(new Set(tasks.map(({ words }) => words)).size).toBe(30);
  });

  it.each(tasks.map((task) => [task.as, task.words, task] as const))('%s: %s', async (as, words, { play, ends }) => {
    const { client, player } = personCalled(as);
    player.begin(words);
    const told = await play(player);
    rows.push(`| ${words.split(':')[0]} | ${as} | ${player.calls} |`);
    expect([player.calls <= mostCalls, player.tokens <= mostTokens, player.calls, player.tokens]).toEqual([
      true,
      true,
      player.calls,
      player.tokens,
    ]);
    await ends(told, client, personCalled('ada').client);
  });

  it('are told in the page of agents with the calls that they take', () => {
    const told = textOf(page);
    const written = told.replace(table, (_, head: string) => `${head}${rows.join('\n')}\n`);
    if (process.env['KITH_WRITE_DOCS'] === '1') writeFileSync(page, written);
    else expect(told).toBe(written);
  });
});
