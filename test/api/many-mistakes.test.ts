/** Names that nobody knows, by the thousand: refused at once and briefly, while others go on being answered. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import { json } from '../support/hostile.ts';
import type { Client, Reply } from '../support/kith.ts';
import { admin, organization, useStage } from './stage.ts';

/** In milliseconds, on a busy machine. Where every name was compared with every other it was two seconds to two minutes. */
const longestHold = 1_500;

let member: Client;
useStage(async () => {
  const fields = Array.from({ length: 480 }, (_, index) => ({ name: `measured_value_${index}`, type: 'TEXT' }));
  const options = Array.from({ length: 1_000 }, (_, index) => ({ value: `tag_${index}`, label: `Tag ${index}` }));
  const tags = { name: 'tags', type: 'MULTI_SELECT', options };
  const made = await admin.post('/manifest', { objects: [{ name: 'things', fields: [...fields, tags] }] });
  if (made.status !== 200) throw new Error(made.text);
  member = await organization.user('Member');
});

/** Names as long as those that there are, and close to none. */
const unknown = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unheard_of_${String(index).padStart(6, '0')}`, 1]));

const rows = (count: number, width: number) => ({ records: Array.from({ length: count }, () => unknown(width)) });

/** The answer, and for how long the process answered nobody, in milliseconds. */
async function attacked(
  client: Client,
  method: string,
  path: string,
  body: object,
): Promise<{ reply: Reply; held: number }> {
  const text = JSON.stringify(body);
  await client.get('/me');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const reply = await client.send(`/api/v1${path}`, json(method, text));
  delay.disable();
  return { reply, held: delay.max / 1e6 };
}

const suggested = (text: string) => text.split('did you mean').length - 1;

describe('unknown names', () => {
  it('in one record: the first are told, the others counted', async () => {
    const { reply, held } = await attacked(member, 'POST', '/records/things', unknown(1_100));
    expect([reply.status, reply.json.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.json.field_errors).toHaveLength(50);
    expect(reply.json.message).toMatch(/; and 1,050 more$/);
    expect(reply.json.available_values).toContain('measured_value_7');
    expect(held).toBeLessThan(longestHold);
  });

  it('by the thousand: refused as fast', async () => {
    for (const path of ['/records/contacts', '/records/contacts/batch/create', '/import/contacts']) {
      const { reply, held } = await attacked(admin, 'POST', path, unknown(9_000));
      expect(reply.status, reply.text).toBe(400);
      expect(reply.text.length).toBeLessThan(20_000);
      expect(held).toBeLessThan(longestHold);
    }
  });

  it('in every row of a batch and of an import: each row fails, and the answer stays small', async () => {
    const asked: [Client, string, number][] = [
      [member, '/records/things/batch/create', 1_000],
      [admin, '/import/things', 1_000],
    ];
    for (const [client, path, count] of asked) {
      const { reply, held } = await attacked(client, 'POST', path, rows(count, 100));
      expect([reply.status, reply.json.created, reply.json.failed], reply.text.slice(0, 300)).toEqual([200, 0, count]);
      expect(reply.json.errors[0].index).toBe(0);
      expect(reply.text.length).toBeLessThan(500_000);
      expect(suggested(reply.text)).toBeLessThanOrEqual(2 * 5);
      expect(held).toBeLessThan(longestHold);
    }
  });

  it('that are values of a list are each found at once', async () => {
    const tags = Array.from({ length: 10_000 }, (_, index) => `TAG ${index % 1_000}`);
    const records = Array.from({ length: 20 }, () => ({ tags }));
    const { reply, held } = await attacked(member, 'POST', '/records/things/batch/create', { records });
    expect([reply.status, reply.json.created], reply.text.slice(0, 300)).toEqual([200, 20]);
    expect(reply.json.records[0].tags).toHaveLength(1_000);
    expect(held).toBeLessThan(longestHold);
    const wrong = await member.post('/records/things', { tags: [...tags.slice(1), 'TAG 1000'] });
    expect(wrong.json.message).toContain('not "TAG 1000" (did you mean "Tag 100"?); one of: tag_0, tag_1');
    expect(wrong.text.length).toBeLessThan(2_000);
  });

  it('in an update', async () => {
    const { json: made } = await member.post('/records/things', { measured_value_1: 'x' });
    const { reply, held } = await attacked(member, 'PUT', `/records/things/${made.id}`, unknown(1_100));
    expect(reply.json.message).toMatch(/; and 1,050 more$/);
    expect(held).toBeLessThan(longestHold);
  });

  it('in a body of fixed keys', async () => {
    const bulk = { action: 'delete', object_name: 'things', record_ids: [] };
    for (const [count, more] of [
      [8, 0],
      [60, 10],
      [9_000, 150],
    ] as const) {
      const { reply } = await attacked(member, 'POST', '/bulk', { ...bulk, ...unknown(count) });
      expect([reply.status, reply.json.field_errors?.length]).toEqual([400, Math.min(count, 50)]);
      expect(reply.json.message).toContain('"unheard_of_000000" is not known here');
      expect(/; and (\d+) more$/.exec(reply.json.message)?.[1] ?? '0').toBe(String(more));
    }
  });

  it('with a slash in them are told as they are', async () => {
    const { json } = await member.post('/bulk', { action: 'delete', object_name: 'things', 'first/name': 1, 'a~b': 1 });
    expect(json.message).toContain('"first/name" is not known here');
    expect(json.message).toContain('"a~b" is not known here');
  });

  it('in a manifest', async () => {
    const fields = Array.from({ length: 400 }, (_, index) => ({
      name: `f${index}`,
      type: `TEXTX${index}`,
      ...unknown(40),
    }));
    const { reply, held } = await attacked(admin, 'POST', '/manifest', { objects: [{ name: 'others', fields }] });
    expect([reply.status, reply.json.field_errors?.length]).toEqual([400, 50]);
    expect(reply.json.message).toMatch(/; and 16,350 more$/);
    expect(suggested(reply.json.message)).toBeLessThanOrEqual(5);
    expect(held).toBeLessThan(longestHold);
  });

  it('are told their nearest for the first five mistakes of a request', async () => {
    const near = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`measured_valeu_${index}`, 'x']));
    const { json: refused } = await member.post('/records/things', near);
    expect(refused.field_errors).toHaveLength(9);
    expect(suggested(refused.message)).toBe(5);
    const again = await member.post('/records/things/batch/create', { records: [near, near] });
    expect(suggested(again.json.errors.map((row: { message: string }) => row.message).join())).toBe(5);
  });
});
