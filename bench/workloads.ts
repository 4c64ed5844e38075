/** What is asked, of Kith and of the floor: the same work in the words of each. */
import { contact, emailOf, questions } from './dataset.ts';
import { ask, type KithService, type Work } from './kith-service.ts';
import type { Ask } from './load-generator.ts';

export interface Workload {
  readonly name: string;
  readonly kith: readonly Ask[];
  /** Absent where there is none: then the figures are to be read beside those of get and list. */
  readonly floor?: readonly Ask[];
}

export interface Filled {
  readonly companies: readonly string[];
  readonly contacts: readonly string[];
}

/** Different requests of a workload; after them, the first comes again. */
const different = 2_000;
/** How far the deep page lies behind the first one, where there are so many records. */
const deepest = 5_000;

const records = '/api/v1/records/contacts';

export async function workloadsFor(
  service: KithService,
  { companies, contacts }: Filled,
  work: Work,
): Promise<readonly Workload[]> {
  const idAt = idsOf(contacts);
  const deep = await deepPlace(service, Math.min(contacts.length / 2, deepest));
  return [
    both('get', (n) => [get(`${records}/${idAt(n)}`), get(`/contacts/${idAt(n)}`)]),
    both('list: two filters, total', (n) => {
      const { title, part } = questions(n);
      const filters = group(['job_title', 'equals', title], ['last_name', 'contains', part]);
      return [get(records, { limit: '20', filters }), get('/list', { title, part })];
    }),
    both('deep page, total', () => [
      get(records, { limit: '20', cursor: deep.cursor }),
      get('/after', { time: deep.time, id: deep.id }),
    ]),
    both('search: one match', (n) => {
      const word = emailOf((n * 7_919) % contacts.length).replace(/^.*\.(\w+)@.*$/, '$1');
      return [get(records, { limit: '20', search: word }), get('/search', { word })];
    }),
    both('search: many matches', (n) => {
      const { word } = questions(n);
      return [get(records, { limit: '20', search: word }), get('/search', { word })];
    }),
    ...searches(contacts.length),
    both('aggregate by group', (n) => {
      const more = String(n % 200);
      const filter = { filter_field: 'employees', filter_operator: 'greater_than', filter_value: more };
      const sum = { field: 'employees', function: 'SUM', group_by: 'industry' };
      return [get('/api/v1/aggregate/companies', { ...sum, ...filter }), get('/aggregate', { more })];
    }),
    both('create', (n) => {
      const body = JSON.stringify(contact(50_000_000 + n, companies));
      return [
        { method: 'POST', path: records, body },
        { method: 'POST', path: '/contacts', body },
      ];
    }),
    both('update', (n) => {
      const body = JSON.stringify({ job_title: `Title ${n % 97}` });
      return [
        { method: 'PUT', path: `${records}/${idAt(n)}`, body },
        { method: 'PUT', path: `/contacts/${idAt(n)}`, body },
      ];
    }),
    ...withoutFloor(contacts, work),
  ];
}

/** The ids in an order that jumps. */
function idsOf(contacts: readonly string[]): (index: number) => string {
  return (index) => contacts[(index * 7_919) % contacts.length] ?? '';
}

/** What is read beside get and list. */
function withoutFloor(contacts: readonly string[], { deals, steps }: Work): readonly Workload[] {
  const idAt = idsOf(contacts);
  return [
    alone('move in a pipeline', (n) => ({
      method: 'PUT',
      path: `/api/v1/pipelines/opportunities/${deals[n % deals.length]}/move`,
      // Every deal forward once, then every deal back.
      body: JSON.stringify({ pipeline_step_id: steps[Math.floor(n / deals.length) % 2 === 0 ? 1 : 0] }),
    })),
    alone('activity of a contact', (n) => get(`/api/v1/activity/contacts/${idAt(n)}`)),
    alone('inbox', () => get('/api/v1/inbox/threads')),
    alone('aggregate by bucket', (n) => {
      const filter = { filter_field: 'job_title', filter_operator: 'equals', filter_value: questions(n).title };
      return get('/api/v1/aggregate/contacts', { group_by: 'created_at', bucket: 'month', ...filter });
    }),
    alone('upsert', (n) => ({
      method: 'PUT',
      path: `${records}?match=emails`,
      body: JSON.stringify({ emails: emailOf((n * 7_919) % contacts.length), job_title: `Title ${n % 89}` }),
    })),
    alone('bulk update of 1,000', (n) => bulkUpdate(contacts, n), 20),
    // Tried only: what was merged once would be answered from then on.
    alone('merge of two, tried', (n) => ({
      method: 'POST',
      path: '/api/v1/duplicates?dry_run=true',
      body: JSON.stringify({
        action: 'merge',
        object_name: 'contacts',
        master_id: contacts[(2 * n) % contacts.length],
        duplicate_ids: [contacts[(2 * n + 1) % contacts.length]],
      }),
    })),
  ];
}

function bulkUpdate(contacts: readonly string[], n: number): Ask {
  const first = (n * 1_000) % contacts.length;
  const change = { action: 'update_field', object_name: 'contacts', field_name: 'job_title', field_value: `Bulk ${n}` };
  const body = JSON.stringify({ ...change, record_ids: contacts.slice(first, first + 1_000) });
  return { method: 'POST', path: '/api/v1/bulk', body };
}

function alone(name: string, make: (n: number) => Ask, count = different): Workload {
  return { name, kith: Array.from({ length: count }, (_, n) => make(n)) };
}

function both(name: string, make: (n: number) => readonly [kith: Ask, floor: Ask]): Workload {
  const pairs = Array.from({ length: different }, (_, n) => make(n));
  return { name, kith: pairs.map(([kith]) => kith), floor: pairs.map(([, floor]) => floor) };
}

function get(path: string, query: Record<string, string> = {}): Ask {
  const text = new URLSearchParams(query).toString();
  return { method: 'GET', path: text === '' ? path : `${path}?${text}` };
}

/** The search over everything. */
function searches(contacts: number): readonly Workload[] {
  const everything = (query: string) => get('/api/v1/search', { query });
  return [
    alone('search everything: few matches', (n) => everything(emailOf((n * 7_919) % contacts).replace(/@.*$/, ''))),
    alone('search everything: many matches', (n) => everything(questions(n).word)),
    alone('search everything: two letters', (n) => everything(questions(n).word.slice(0, 2))),
  ];
}

function group(...conditions: readonly (readonly [field: string, operator: string, value: string])[]): string {
  const parts = conditions.map(([field, operator, value]) => ({ field, operator, value }));
  return JSON.stringify({ type: 'AND', conditions: parts });
}

interface Page {
  readonly data: readonly { readonly id: string; readonly created_at: string }[];
  readonly nextCursor?: string;
}

/** Where a page ends that lies `depth` records behind the first. */
async function deepPlace(service: KithService, depth: number): Promise<{ cursor: string; time: string; id: string }> {
  let cursor = '';
  let last: Page['data'][number] | undefined;
  for (let seen = 0; seen < depth; seen += 100) {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== '' && { cursor }) });
    const page = await ask<Page>(service, 'GET', `/records/contacts?${query.toString()}`);
    cursor = page.nextCursor ?? '';
    last = page.data.at(-1);
  }
  return { cursor, time: last?.created_at ?? '', id: last?.id ?? '' };
}
