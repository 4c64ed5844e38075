/** What a tenant within the documented limits can send to hurt the others; each is prepared first, then sent at once. */
import { gzipSync } from 'node:zlib';

export interface Attacker {
  /** Sends a request below /api/v1 and reads the answer away; its status, 0 where the connection broke, and its size. */
  send(method: string, path: string, body?: Body): Promise<{ readonly status: number; readonly bytes: number }>;
  /** The same as an admin of the same organization. */
  sendAsAdmin: Attacker['send'];
  /** The same at the root of the service, without a token. */
  sendToRoot(path: string): Promise<{ readonly status: number; readonly bytes: number }>;
}

interface Body {
  readonly text?: string;
  readonly gzipped?: Buffer;
}

export interface Attack {
  readonly name: string;
  /** Makes what is sent, and whatever has to be there before; the outcome sends it. */
  prepare(attacker: Attacker): Promise<() => Promise<string>>;
}

/** The workspace in which the attacks take place. */
export const workspace = {
  objects: [
    {
      name: 'pages',
      label: 'Pages',
      labelSingular: 'Page',
      displayField: 'name',
      fields: [
        { name: 'name', label: 'Name', type: 'TEXT' },
        { name: 'kind', label: 'Kind', type: 'SELECT', options: [{ value: 'a', label: 'A' }] },
        { name: 'code', label: 'Code', type: 'TEXT', isUnique: true },
        { name: 'amount', label: 'Amount', type: 'INTEGER' },
        calculated('sum', Array.from({ length: 58 }, () => 'amount').join(' + ')),
        // With what it is made of, some 700 parts.
        calculated('long_sum', Array.from({ length: 6 }, () => 'sum').join(' + ')),
        ...Array.from({ length: 7 }, (_, n) => ({ name: `text_${n}`, label: `Text ${n}`, type: 'RICH_TEXT' })),
        { name: 'body', label: 'Body', type: 'LONG_TEXT' },
      ],
    },
  ],
};

function calculated(name: string, expression: string): object {
  return { name, label: name, type: 'CALCULATED', calculation: { expression, outputType: 'DECIMAL' } };
}

const said = (outcome: { readonly status: number; readonly bytes: number }) =>
  `${outcome.status}, ${(outcome.bytes / 1024).toFixed(0)} KiB`;

function single(name: string, method: string, path: string, body: () => Body | undefined): Attack {
  return {
    name,
    async prepare({ send }) {
      const made = body();
      return async () => said(await send(method, path, made));
    },
  };
}

const json = (value: unknown): Body => ({ text: JSON.stringify(value) });
const gzipped = (text: string): Body => ({ gzipped: gzipSync(text) });
const unknownKeys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`frist_nmae_${n}`, 1]));
const conditions = (count: number, condition: (n: number) => object) =>
  encodeURIComponent(JSON.stringify({ type: 'OR', conditions: Array.from({ length: count }, (_, n) => condition(n)) }));

export const attacks: readonly Attack[] = [
  ...[2_000, 8_000, 60_000].map((count) =>
    single(`${count} unknown keys`, 'POST', '/records/contacts', () => json(unknownKeys(count))),
  ),
  single('a batch of 1,000 records with 50 unknown keys each', 'POST', '/records/contacts/batch/create', () =>
    json({ records: Array.from({ length: 1_000 }, () => unknownKeys(50)) }),
  ),
  single('seven rich texts of 2 MB of <, gzipped', 'POST', '/records/pages', () =>
    gzipped(
      JSON.stringify(Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`text_${n}`, '<'.repeat(2_000_000)]))),
    ),
  ),
  single('seven rich texts of 1 MB of <b>, gzipped', 'POST', '/records/pages', () =>
    gzipped(
      JSON.stringify(Object.fromEntries(Array.from({ length: 7 }, (_, n) => [`text_${n}`, '<b>'.repeat(333_000)]))),
    ),
  ),
  single('a rich text of 700,000 entities, gzipped', 'POST', '/records/pages', () =>
    gzipped(JSON.stringify({ text_0: '&#x41;'.repeat(300_000) })),
  ),
  single('32 MiB of JSON in a million values', 'POST', '/records/contacts/batch/create', () =>
    gzipped(JSON.stringify({ records: Array.from({ length: 1_000 }, () => ({ first_name: 'x'.repeat(30_000) })) })),
  ),
  single('a body of 990,000 values', 'POST', '/records/contacts/batch/create', () =>
    gzipped(JSON.stringify({ records: [{ tags: Array.from({ length: 990_000 }, () => 'a') }] })),
  ),
  single('500 levels of brackets, 32 MiB', 'POST', '/records/contacts', () =>
    gzipped(`{"tags":${'['.repeat(500)}${' '.repeat(30_000_000)}${']'.repeat(500)}}`),
  ),
  ...[150, 300, 500].map((count) =>
    single(`${count} conditions on a computed field of 700 parts`, 'GET', listOf('pages', count), () => undefined),
  ),
  single(
    '500 texts of 100 letters in a filter',
    'GET',
    `/records/contacts?filters=${filterOfTexts()}`,
    () => undefined,
  ),
  {
    name: '4,000 list ids',
    async prepare({ send, sendAsAdmin }) {
      await sendAsAdmin('POST', '/records/contacts', json({ first_name: 'a', create_list_name: 'target' }));
      const ids = Array.from({ length: 4_000 }, (_, n) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`);
      return async () => said(await send('POST', '/records/contacts', json({ first_name: 'b', add_to_list_ids: ids })));
    },
  },
  ...(['', '&group_by=kind&limit_per_group=100'] as const).map((grouped): Attack => ({
    name: `a page of 100 records of 1 MB${grouped ? ', grouped' : ''}`,
    async prepare({ send }) {
      if (!grouped) {
        const body = 'x'.repeat(1_000_000);
        for (let n = 0; n < 120; n++) await send('POST', '/records/pages', json({ name: `${n}`, kind: 'a', body }));
      }
      return async () => said(await send('GET', `/records/pages?limit=100${grouped}`));
    },
  })),
  {
    name: 'an export of 120 records of 1 MB',
    prepare:
      async ({ sendAsAdmin }) =>
      async () =>
        said(await sendAsAdmin('GET', '/export/pages')),
  },
  {
    name: 'an import of 10,000 contacts by an admin',
    async prepare({ sendAsAdmin }) {
      const body = json({
        records: Array.from({ length: 10_000 }, (_, n) => ({
          first_name: `A${n}`,
          emails: [`a${n}@x.test`],
          tags: [],
        })),
      });
      return async () => said(await sendAsAdmin('POST', '/import/contacts', body));
    },
  },
  {
    name: 'an import of 10,000 wrong contacts by an admin',
    async prepare({ sendAsAdmin }) {
      const body = json({
        records: Array.from({ length: 10_000 }, (_, n) => ({
          frist_name: `A${n}`,
          birthday: 'x',
          company_id: 'Globex',
        })),
      });
      return async () => said(await sendAsAdmin('POST', '/import/contacts', body));
    },
  },
  {
    name: 'a list of contacts with a two-letter search, 100 times',
    prepare:
      async ({ send }) =>
      async () => {
        const searches = Array.from({ length: 100 }, () => send('GET', '/records/contacts?search=a1&limit=100'));
        return said((await Promise.all(searches))[0] ?? { status: 0, bytes: 0 });
      },
  },
  ...['/metrics', '/health/ready'].map((path): Attack => ({
    name: `${path}, 1,000 times at once`,
    prepare:
      async ({ sendToRoot }) =>
      async () => {
        const all = await Promise.all(Array.from({ length: 1_000 }, () => sendToRoot(path)));
        return said(all[0] ?? { status: 0, bytes: 0 });
      },
  })),
  single('the interface described', 'GET', '/openapi.json', () => undefined),
];

function listOf(object: string, count: number): string {
  return `/records/${object}?filters=${conditions(count, (n) => ({ field: 'long_sum', operator: 'equals', value: n }))}`;
}

function filterOfTexts(): string {
  return conditions(500, (n) => ({ field: 'full_name', operator: 'contains', value: `${n}`.padEnd(60, 'x') }));
}
