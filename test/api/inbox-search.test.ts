/** Threads that are found by words: those of the caller alone. */
import { expect, it } from 'vitest';
import { upkeep } from '../../src/operations/background/upkeep.ts';
import { identifier, sql, statement } from '../../src/postgres/sql.ts';
import { emailOf, ingest, messageLine } from './conversations.ts';
import { expectError } from './records.ts';
import { admin, kith, organization, useStage } from './stage.ts';
import type { Client } from '../support/kith.ts';

let ben: Client;

useStage(async () => {
  ben = await organization.user('Member');
  const [ada, other] = [await emailOf(admin), await emailOf(ben)];
  const line = (user: string, id: string, thread: string, more: object) =>
    messageLine(user, id, { external_thread_id: thread, ...more });
  await ingest(kith, organization, [
    line(ada, 'a-1', 'offer', { subject: 'Offer for 100% wool', from: 'Bob Émile <bob@globex.test>' }),
    line(ada, 'a-2', 'offer', { subject: 'Re: Offer, now with Zürich', from: 'Cleo <cleo@initech.test>' }),
    line(ada, 'a-3', 'lunch', { subject: 'Lunch', from: 'bob@globex.test' }),
    line(ada, 'a-4', 'talk', { channel: 'whatsapp', subject: 'Lunch again', from: '+1 555 0100', to: [] }),
    line(other, 'b-1', 'secret', { subject: 'Offer of Ben', from: 'bob@globex.test' }),
  ]);
});

const found = async (search: string, more: object = {}, as = admin): Promise<string[]> => {
  const { json, status, text } = await as.get('/inbox/threads', { search, ...more });
  expect(status, text).toBe(200);
  expect(json.total).toBe(json.data.length);
  return json.data.map((thread: { external_thread_id: string }) => thread.external_thread_id).toSorted();
};

it('by their subject, by that of any message, and by who takes part, in any case', async () => {
  expect(await found('LUNCH')).toEqual(['lunch', 'talk']);
  expect(await found('zÜRICH')).toEqual(['offer']);
  expect(await found('bob@globex')).toEqual(['lunch', 'offer']);
  expect(await found('émile')).toEqual(['offer']);
  expect(await found('0100')).toEqual(['talk']);
});

it('with or without accents, however they are written', async () => {
  for (const search of ['zurich', 'Zu\u0308rich', 'EMILE', 'e\u0301mile'])
    expect(await found(search)).toEqual(['offer']);
});

it('only where all words occur, wherever each of them does', async () => {
  expect(await found('offer cleo')).toEqual(['offer']);
  expect(await found('lunch cleo')).toEqual([]);
  expect(await found('lunch', { channel: 'whatsapp' })).toEqual(['talk']);
});

it('takes signs as they are, and nothing for all', async () => {
  expect(await found('100%')).toEqual(['offer']);
  expect(await found('%')).toEqual(['offer']);
  expect(await found('_')).toEqual([]);
  expect(await found("'; drop table x; --")).toEqual([]);
  expect(await found('  ')).toHaveLength(3);
  expectError(await admin.get('/inbox/threads', { search: 'x'.repeat(501) }), 'VALIDATION_ERROR');
  expectError(
    await admin.get('/inbox/threads', { search: 'a '.repeat(10).concat([...'bcdefghijklmnopqrstuvwxyz'].join(' ')) }),
    'VALIDATION_ERROR',
  );
});

it('nobody finds the threads of others, an admin neither', async () => {
  expect(await found('offer', {}, ben)).toEqual(['secret']);
  expect(await found('offer')).toEqual(['offer']);
});

it('finds a thread by what came to it later, once by each of its words', async () => {
  expect(await found('invoice')).toEqual([]);
  await ingest(kith, organization, [
    messageLine(await emailOf(admin), 'a-5', {
      external_thread_id: 'lunch',
      subject: 'Lunch, and the Invoice',
      from: 'Dora <dora@globex.test>',
    }),
  ]);
  expect(await found('invoice')).toEqual(['lunch']);
  expect(await found('dora invoice bob@globex')).toEqual(['lunch']);
});

it('finds what came since, and knows its cursors from those of another search', async () => {
  expect(await found('lunch', {}, ben)).toEqual([]);
  await ingest(kith, organization, [
    messageLine(await emailOf(ben), 'b-2', { external_thread_id: 'new', subject: 'Lunch' }),
  ]);
  expect(await found('lunch', {}, ben)).toEqual(['new']);
  const page = (await admin.get('/inbox/threads', { search: 'lunch', limit: 1 })).json;
  expect([page.total, page.data.length]).toEqual([2, 1]);
  const next = (await admin.get('/inbox/threads', { search: 'lunch', limit: 1, cursor: page.nextCursor })).json;
  expect(new Set([page.data[0].id, next.data[0].id]).size).toBe(2);
  expectError(await admin.get('/inbox/threads', { search: 'offer', cursor: page.nextCursor }), 'VALIDATION_ERROR');
});

it('of an earlier release, whose total is counted again when their words have been entered', async () => {
  const { database } = kith.database;
  const table = identifier(organization.schema, '_threads');
  await database.run('test', statement(sql`update ${table} set search_text = null`));
  expect(await found('zurich')).toEqual([]);
  const stored = (await kith.deps.directory.organization(organization.id))!;
  await upkeep(database, stored, Date.now(), new AbortController().signal);
  expect(await found('zurich')).toEqual(['offer']);
});
