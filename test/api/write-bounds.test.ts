/** What one request may bring, where it cannot be worked on in slices, or only for long. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startKith, type Client, type TestKith, type TestOrganization } from '../support/kith.ts';
import { addObject, type Field } from './workspace.ts';

let kith: TestKith;
let organization: TestOrganization;
let member: Client;

const notes = Array.from({ length: 5 }, (_, at) => `note_${at}`);
const texts = Array.from({ length: 10 }, (_, at) => `text_${at}`);

beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  member = await organization.user('Member');
  const fields: Record<string, Field> = { name: 'TEXT', mails: 'EMAILS' };
  for (const name of notes) fields[name] = 'RICH_TEXT';
  for (const name of texts) fields[name] = 'LONG_TEXT';
  await addObject(kith, organization, 'pages', fields);
  await addObject(kith, organization, 'filled', {
    ...fields,
    status: { type: 'TEXT', defaultValue: 'x'.repeat(10_000) },
  });
});
afterAll(() => kith.stop());

const each = (names: readonly string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
const create = (values: object) => member.post('/records/pages', values);
const total = async () => (await member.get('/records/pages', { limit: 1 })).json.total;

describe('RICH_TEXT', () => {
  it('of 200 KB is cleaned as any other', async () => {
    const line = '<p class="x">Hello <b onclick="x()">you</b>, <a href="https://acme.test/?a=1&amp;b=2">see</a></p>\n';
    const clean = '<p>Hello <b>you</b>, <a href="https://acme.test/?a=1&amp;b=2">see</a></p>\n';
    const { status, json } = await create({ note_0: line.repeat(2_200), note_1: `${line}<script>x</script>` });
    expect(status).toBe(200);
    expect(json.record.note_0).toBe(clean.repeat(2_200));
    expect(json.record.note_1).toBe(clean);
  });

  it('has at most 100,000 tags', async () => {
    const { status, json } = await create({ note_0: '<'.repeat(100_001) });
    expect([status, json.message]).toEqual([400, 'note_0 must have at most 100,000 tags']);
    expect((await create({ note_0: '<'.repeat(100_000) })).status).toBe(200);
  });

  it('of one request has at most 8,000,000 characters', async () => {
    const before = await total();
    const message = 'The RICH_TEXT of one request may have at most 8,000,000 characters in all: send it in parts';
    const half = each(notes.slice(0, 4), 'x'.repeat(1_000_001));
    const refused = [
      await create(each(notes, 'x'.repeat(1_600_001))),
      await member.post('/records/pages/batch/create', { records: [half, half] }),
      await organization.admin.post('/import/pages', { records: [half, half] }),
    ];
    for (const { status, json } of refused) {
      expect([status, json.code, json.message]).toEqual([400, 'VALIDATION_ERROR', message]);
    }
    expect(await total()).toBe(before);
  });
});

describe('a record', () => {
  const message = 'A record of pages takes at most 8,000,000 bytes of text in all';

  it('is not made with more text than 8,000,000 bytes', async () => {
    const refused = await create(each(texts, 'ж'.repeat(500_000)));
    expect([refused.status, refused.json.message]).toEqual([400, message]);
    const rows = [each(texts, 'x'.repeat(900_000)), { name: 'small' }];
    const { json } = await member.post('/records/pages/batch/create', { records: rows });
    expect([json.created, json.failed, json.errors[0].message]).toEqual([1, 1, message]);
  });

  it('does not grow beyond that, text by text', async () => {
    const { json: made } = await create(each(texts.slice(0, 7), 'x'.repeat(1_000_000)));
    const put = (values: object) => member.put(`/records/pages/${made.id}`, values);
    expect((await put({ text_7: 'x'.repeat(999_000) })).status).toBe(200);
    const refused = await put({ text_8: 'x'.repeat(20_000) });
    expect([refused.status, refused.json.message]).toEqual([400, message]);
    expect((await put({ text_0: null, text_8: 'x'.repeat(20_000) })).status).toBe(200);
    expect((await put({ name: 'still' })).status).toBe(200);
  });

  it('does not grow beyond that in small steps, whatever the values are', async () => {
    const { json: made } = await create(each(texts.slice(0, 8), 'x'.repeat(999_000)));
    const put = (values: object) => member.put(`/records/pages/${made.id}`, values);
    expect((await put({ text_8: 'x'.repeat(5_000) })).status).toBe(200);
    const mails = Array.from({ length: 100 }, (_, at) => ({ email: `${at}@acme.test`, label: 'l'.repeat(100) }));
    for (const values of [{ text_9: 'x'.repeat(9_000) }, { note_0: 'x'.repeat(2_000) }, { mails }]) {
      const refused = await put(values);
      expect([refused.status, refused.json.message]).toEqual([400, message]);
    }
    expect((await put({ text_8: null, mails: mails.slice(0, 20) })).status).toBe(200);
  });

  it('is not measured for a short text, so that a small update costs what it does elsewhere', async () => {
    const { json: made } = await create({ ...each(texts.slice(0, 8), 'x'.repeat(999_000)), text_8: 'x'.repeat(7_900) });
    const put = (values: object) => member.put(`/records/pages/${made.id}`, values);
    expect((await put({ text_9: 'x'.repeat(1_000) })).status).toBe(200);
    expect((await put({ text_9: 'x'.repeat(1_001) })).json.message).toBe(message);
    expect((await put({ text_9: 'x'.repeat(999) })).status).toBe(200);
  });

  it('has its defaults counted, too', async () => {
    const values = each(texts.slice(0, 8), 'x'.repeat(999_000));
    const refused = await member.post('/records/filled', values);
    expect([refused.status, refused.json.message]).toEqual([400, message.replace('pages', 'filled')]);
    expect((await member.post('/records/filled', { ...values, status: null })).status).toBe(200);
  });
});

describe('a manifest', () => {
  const apply = (objects: readonly object[]) => organization.admin.post('/manifest?dry_run=true', { objects });

  it('has at most 150,000 values', async () => {
    const fields = Array.from({ length: 400 }, (_, at) => ({ name: `f${at}`, type: 'TEXT' }));
    const objects = Array.from({ length: 130 }, (_, at) => ({ name: `o${at}`, fields }));
    const { status, json } = await apply(objects);
    expect([status, json.message]).toEqual([
      400,
      'The manifest has more than 150,000 values: apply it in parts, some objects at a time',
    ]);
  });

  it('gives no defaults that are pages long', async () => {
    const field = { name: 'note_9', label: 'Note', type: 'RICH_TEXT', defaultValue: 'x'.repeat(10_001) };
    const { status, json } = await apply([{ name: 'pages', fields: [field] }]);
    expect([status, json.message]).toEqual([400, expect.stringContaining('is longer than 10,000 characters')]);
  });
});
