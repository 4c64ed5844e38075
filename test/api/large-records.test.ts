/** Answers about large records end early, and go on where they ended. */
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../query/random.ts';
import type { Reply } from '../support/kith.ts';
import { applied } from '../manifest/manifests.ts';
import { create, createAll } from './records.ts';
import { admin, useStage } from './stage.ts';

const most = 16 * 1024 * 1024;
const million = 1_000_000;

const docs = {
  name: 'docs',
  fields: [
    { name: 'name', type: 'TEXT' },
    { name: 'kind', type: 'SELECT', options: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] },
    { name: 'body', type: 'LONG_TEXT' },
    { name: 'more', type: 'RICH_TEXT' },
  ],
};
const wide = {
  name: 'wide',
  fields: [
    { name: 'name', type: 'TEXT' },
    ...Array.from({ length: 60 }, (_, at) => ({ name: `f${at}`, type: 'TEXT' })),
  ],
};
const named = { name: 'named', fields: [{ name: 'name', type: 'TEXT' }] };
const attending = {
  name: 'attending',
  fields: [
    { name: 'name', type: 'TEXT' },
    {
      name: 'guests',
      type: 'MANY_TO_MANY',
      relationConfig: { targetObjectName: 'named' },
      junctionFields: [{ name: 'note', type: 'TEXT' }],
    },
  ],
};
const linking = {
  name: 'linking',
  fields: [
    { name: 'name', type: 'TEXT' },
    { name: 'links', type: 'MANY_TO_MANY', relationConfig: { targetObjectName: 'companies' } },
  ],
};

/** Of all sizes: most are small, some are millions of bytes, and of characters of one to four bytes. */
function randomDocs(count: number): { name: string; kind: string; body: string | null }[] {
  const random = randomFrom(11);
  return Array.from({ length: count }, (_, at) => {
    const size = random.pick([0, 0, 10, 10, 1_000, 50_000, 300_000, million]);
    const body = random.pick(['x', 'é', '日', '"', '\u0001']).repeat(size);
    return { name: `Doc ${String(at).padStart(3, '0')}`, kind: random.pick(['a', 'b', 'c']), body: body || null };
  });
}

const written = randomDocs(60);

useStage(async () => {
  await applied(admin, { objects: [docs, wide, linking, named, attending] });
  // A body has at most 32 MiB, and a control character takes six bytes there.
  for (let at = 0; at < written.length; at += 5) await createAll(admin, 'docs', written.slice(at, at + 5));
});

async function pages(object: string, query: Readonly<Record<string, unknown>>): Promise<Reply[]> {
  const found: Reply[] = [];
  let cursor: string | undefined;
  do {
    const reply = await admin.get(`/records/${object}`, { ...query, cursor });
    expect(reply.status, reply.text.slice(0, 300)).toBe(200);
    found.push(reply);
    cursor = reply.json.nextCursor;
  } while (cursor !== undefined);
  return found;
}

const bytes = ({ text }: Reply) => Buffer.byteLength(text);

describe('a list', () => {
  it.each([
    { limit: 100, sort_by: 'name', sort_dir: 'asc' },
    { limit: 7, sort_by: 'name', sort_dir: 'desc' },
    {
      limit: 20,
      sort: [
        { field: 'kind', direction: 'desc' },
        { field: 'name', direction: 'asc' },
      ],
    },
    { limit: 100, sort_by: 'body' },
    {
      limit: 33,
      sort_by: 'name',
      sort_dir: 'asc',
      filter_field: 'name',
      filter_operator: 'contains',
      filter_value: 'Doc',
    },
    { limit: 100, sort_by: 'name', sort_dir: 'asc', fields: 'name,body' },
  ])('shows each record once, in pages of at most 16 MiB: $limit by $sort_by', { timeout: 120_000 }, async (query) => {
    const found = await pages('docs', query);
    for (const page of found) {
      if (page.json.data.length > 1) expect(bytes(page)).toBeLessThan(most + 100_000);
      expect(page.json.data.length).toBeGreaterThan(0);
      expect(page.json.total).toBe(written.length);
    }
    const names = found.flatMap(({ json }) => json.data.map(({ name }: { name: string }) => name));
    expect(names.toSorted((a, b) => a.localeCompare(b))).toEqual(written.map(({ name }) => name));
    const bodies = new Map(written.map(({ name, body }) => [name, body]));
    for (const { json } of found) {
      for (const { name, body } of json.data) expect(body === bodies.get(name), name).toBe(true);
    }
    if (query.sort_by === 'name') {
      const sorted = written.map(({ name }) => name);
      expect(names).toEqual(query.sort_dir === 'desc' ? sorted.toReversed() : sorted);
    }
  });

  it('ends early where records have many texts, and not where they are short', async () => {
    const long = (name: string, length: number) => ({
      name,
      ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, 'y'.repeat(length)])),
    });
    for (let at = 0; at < 3; at++) {
      await createAll(
        admin,
        'wide',
        Array.from({ length: 12 }, () => long('long', 10_000)),
      );
    }
    await createAll(
      admin,
      'wide',
      Array.from({ length: 30 }, () => long('short', 10)),
    );
    const found = await pages('wide', { limit: 100, sort_by: 'name', sort_dir: 'asc' });
    expect(found.map(({ json }) => json.data.length)).toEqual([27, 39]);
    const short = await admin.get('/records/wide', {
      limit: 30,
      filter_field: 'name',
      filter_operator: 'equals',
      filter_value: 'short',
    });
    expect(short.json.data).toHaveLength(30);
  });

  it('ends early where records have many links', { timeout: 60_000 }, async () => {
    const companies: string[] = [];
    for (let at = 0; at < 2; at++) {
      const made = await createAll(
        admin,
        'companies',
        Array.from({ length: 1_000 }, (_, n) => ({ name: `${n} ${'n'.repeat(900)}` })),
      );
      companies.push(...made.map(({ id }) => id));
    }
    for (let at = 0; at < 12; at++) await create(admin, 'linking', { name: `L${at}`, links: companies });
    const found = await pages('linking', { limit: 50 });
    expect(found.length).toBeGreaterThan(1);
    for (const page of found) expect(bytes(page)).toBeLessThan(most + 100_000);
    expect(found.flatMap(({ json }) => json.data)).toHaveLength(12);
    expect(found[0]?.json.data[0].links).toHaveLength(2_000);
  });
});

describe('a record', () => {
  it('shows all of its links, and what fits of long names', { timeout: 60_000 }, async () => {
    const guests: string[] = [];
    for (let at = 0; at < 2; at++) {
      const names = Array.from({ length: 1_000 }, (_, n) => ({ name: `${n} ${'日'.repeat(9_990)}` }));
      guests.push(...(await createAll(admin, 'named', names)).map(({ id }) => id));
    }
    const { id } = await create(admin, 'attending', { name: 'All', guests });
    const some = await create(admin, 'attending', { name: 'Some', guests: guests.slice(0, 200) });
    const path = `/records/attending/${id}`;
    const whole = await admin.get(path);
    const written = await admin.put(path, { guests: whole.json.record.guests });
    const listed = await admin.get('/records/attending', { fields: 'guests', sort_by: 'name', sort_dir: 'asc' });
    for (const reply of [whole, written, listed]) {
      expect(reply.status, reply.text.slice(0, 300)).toBe(200);
      expect(bytes(reply)).toBeLessThan(most);
    }
    for (const record of [whole.json.record, written.json.record, listed.json.data[0]]) {
      expect(record.guests.map((guest: { id: string }) => guest.id)).toEqual(guests);
      expect(record.guests[7].display).toBe(`7 ${'日'.repeat(999)}…`);
    }
    const few = await admin.get(`/records/attending/${some.id}`);
    expect(few.json.record.guests[7].display).toBe(`7 ${'日'.repeat(9_990)}`);
  });

  it('has no more text with its links than in itself', async () => {
    const [guest] = await createAll(admin, 'named', [{ name: 'Ann' }]);
    const guests = await createAll(
      admin,
      'named',
      Array.from({ length: 900 }, (_, at) => ({ name: `${at}` })),
    );
    const noted = (length: number) => guests.map(({ id }) => ({ id, note: 'n'.repeat(length) }));
    const refused = await admin.post('/records/attending', { name: 'Noted', guests: noted(9_000) });
    expect([refused.status, refused.json.message]).toEqual([
      400,
      'A record of attending takes at most 8,000,000 bytes of text in all',
    ]);
    await create(admin, 'attending', { name: 'Noted', guests: [...noted(8_000), guest?.id] });
  });
});

describe('a grouped list', () => {
  it('holds what fits, some of each group, and names the groups that have more', { timeout: 60_000 }, async () => {
    for (const query of [{}, { sort_by: 'name' }]) {
      const { json, text } = await admin.get('/records/docs', { group_by: 'kind', limit_per_group: 100, ...query });
      expect(Buffer.byteLength(text)).toBeLessThan(most + 100_000);
      const count = (kind: string) => written.filter((doc) => doc.kind === kind).length;
      expect(json.counts).toEqual({ a: count('a'), b: count('b'), c: count('c') });
      expect(json.truncated).toBeUndefined();
      expect(json.truncated_groups.length).toBeGreaterThan(0);
      for (const kind of ['a', 'b', 'c']) {
        const shown = json.groups[kind].length;
        expect(shown, kind).toBeGreaterThan(0);
        expect(json.truncated_groups.includes(kind)).toBe(shown < count(kind));
      }
    }
  });

  it('names none where all fits, also where there is more than there was', async () => {
    const query = { group_by: 'kind', limit_per_group: 2, fields: 'name' };
    const ask = async () => (await admin.get('/records/docs', query)).json;
    const first = await ask();
    expect(Object.keys(first)).toEqual(['object_name', 'group_by', 'limit_per_group', 'groups', 'counts']);
    expect(await ask()).toEqual(first);
    await create(admin, 'docs', { name: 'No kind' });
    const more = await ask();
    expect(more.counts).toMatchObject({ ...first.counts, uncategorized: 1 });
    expect(more.truncated_groups).toBeUndefined();
  });
});

describe('an export', () => {
  it('ends early where records are large, and goes on with its cursor', { timeout: 120_000 }, async () => {
    const more = Array.from({ length: 12 }, (_, at) => ({ name: `Doc 9${at + 10}`, body: 'é'.repeat(million) }));
    for (let at = 0; at < more.length; at += 6) await createAll(admin, 'docs', more.slice(at, at + 6));
    const all = [...written, ...more].map(({ name }) => name);
    for (const format of ['json', 'csv']) {
      const names: string[] = [];
      let cursor: string | undefined;
      let parts = 0;
      do {
        const reply = await admin.get('/export/docs', {
          format,
          filter_field: 'name',
          filter_operator: 'starts_with',
          filter_value: 'Doc',
          fields: 'name,body',
          sort_by: 'name',
          sort_dir: 'asc',
          cursor,
        });
        expect(reply.status, reply.text.slice(0, 300)).toBe(200);
        expect(bytes(reply)).toBeLessThan(48 * 1024 * 1024);
        const found =
          format === 'json'
            ? reply.json.records.map(({ name }: { name: string }) => name)
            : [...reply.text.matchAll(/^"?(Doc \d+)/gm)].map(([, name]) => name ?? '');
        names.push(...found);
        const next = /[?&]cursor=([^&>]+)/.exec(reply.headers.get('link') ?? '')?.[1];
        cursor = next === undefined ? undefined : decodeURIComponent(next);
        if (cursor !== undefined) expect(reply.headers.get('warning')).toContain(`of ${all.length} records`);
        parts++;
      } while (cursor !== undefined);
      expect(parts, format).toBeGreaterThan(1);
      expect(names).toEqual(all);
    }
  });
});

describe('other answers', () => {
  it('tell the ids alone of what was created beyond 16 MiB', { timeout: 60_000 }, async () => {
    const records = Array.from({ length: 40 }, (_, at) => ({ name: `B${at}`, body: 'z'.repeat(700_000) }));
    const reply = await admin.post('/records/docs/batch/create', { records });
    expect(reply.json.created).toBe(40);
    expect(bytes(reply)).toBeLessThan(most + 100_000);
    const whole = reply.json.records.filter((record: { name?: string }) => record.name !== undefined);
    expect(whole.length).toBeGreaterThan(20);
    expect(reply.json.records.slice(whole.length).every((record: object) => Object.keys(record).join() === 'id')).toBe(
      true,
    );
  });

  it('show a history in pages of at most 16 MiB', { timeout: 60_000 }, async () => {
    const { id } = await create(admin, 'docs', { name: 'Changing', body: 'a'.repeat(million) });
    for (const letter of 'bcdefghijklmnopqrstu') {
      const reply = await admin.put(`/records/docs/${id}`, { body: letter.repeat(million) });
      expect(reply.status).toBe(200);
    }
    const entries: { id: string }[] = [];
    let cursor: string | undefined;
    let count = 0;
    do {
      const reply = await admin.get(`/records/docs/${id}/history`, { limit: 100, cursor });
      expect(bytes(reply)).toBeLessThan(most + 100_000);
      expect(reply.json.total).toBe(21);
      entries.push(...reply.json.data);
      cursor = reply.json.nextCursor;
      count++;
    } while (cursor !== undefined);
    expect(count).toBeGreaterThan(2);
    expect(entries.map((entry) => entry.id)).toEqual(Array.from({ length: 21 }, (_, at) => String(21 - at)));
  });
});
