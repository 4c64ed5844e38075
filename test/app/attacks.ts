/** Requests that are as much work as the documented limits allow, and some that go beyond them. */
import { randomUUID } from 'node:crypto';
import { send, zipped, type Request } from './attack-client.ts';

export interface Attack {
  readonly name: string;
  /** A user of the role Member unless told. */
  readonly by?: 'admin';
  request(): Request;
}

/** The largest body, with room for what is around the text. */
const whole = 32 * 1024 * 1024 - 4_096;

const names = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix}_${at}`);
const htmlFields = names(7, 'html');
const longFields = names(32, 'long');
const linkFields = names(12, 'links');
const optionCount = 300;
const bondFields = names(40, 'bond');
/** As many links as a record can have where each has forty values. */
const bondCount = 4_800;
/** Each but the first depends on the one before it. */
const chainFields = names(11, 'chain');

/** What was made beforehand: two records of `knots`, and as many contacts as can be linked to. */
const made = { chained: '', bound: '', contacts: [] as string[] };

const json = JSON.stringify;
const list = (count: number, make: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => make(at)).join(',');
const each = (fields: readonly string[], value: (name: string) => unknown) =>
  Object.fromEntries(fields.map((name) => [name, value(name)]));

const post = (path: string, body: string, headers: Record<string, string> = {}): Request => ({
  method: 'POST',
  path,
  body,
  headers,
});
const get = (path: string) => (): Request => ({ method: 'GET', path });
const create = (body: string, headers?: Record<string, string>) => post('/records/things', body, headers);
const batch = (rows: string, headers?: Record<string, string>) =>
  post('/records/things/batch/create', `{"records":[${rows}]}`, headers);
const importOf = (rows: string) => post('/import/things', `{"records":[${rows}]}`);
const fileOf = (type: string, text: string) => post('/import-jobs?object_name=things', text, { 'content-type': type });
const once = () => ({ 'idempotency-key': randomUUID() });
const ids = (count: number) => `[${list(count, () => `"${randomUUID()}"`)}]`;
const links = (count: number) => `{${linkFields.map((name) => `"${name}":${ids(count)}`).join(',')}}`;

const bulk = (body: object) => post('/bulk', json(body));
const retitled = (title: string) => ({
  action: 'update_field',
  object_name: 'contacts',
  field_name: 'job_title',
  field_value: title,
});

const put = (path: string, body: string): Request => ({ method: 'PUT', path, body });
const bare = () => json({ bonds: made.contacts });
const bonds = (value: string) => json({ bonds: made.contacts.map((id) => ({ id, ...each(bondFields, () => value) })) });

function chain(fields: readonly string[]) {
  return fields.map((name, at) => ({
    name,
    label: name,
    type: at === 0 ? 'RELATION' : 'DEPENDENT_RELATION',
    ...(at > 0 && { dependsOn: fields[at - 1] }),
    relationConfig: { relationType: 'BELONGS_TO_ONE', targetObjectName: 'knots' },
  }));
}

function knotsWith(fields: readonly object[]) {
  const name = { name: 'name', label: 'Name', type: 'TEXT' };
  return { name: 'knots', label: 'Knots', labelSingular: 'Knot', displayField: 'name', fields: [name, ...fields] };
}

function manifestOf(objects: number, fields: number, query = ''): Request {
  const options = [{ value: 'a', label: 'A' }];
  const field = (at: number) => ({
    name: at === 0 ? 'name' : `f${at}`,
    label: `F ${at}`,
    ...(at % 2 === 0 ? { type: 'TEXT' } : { type: 'SELECT', options }),
  });
  const object = (at: number) => ({
    name: `many_${at}`,
    label: `Many ${at}`,
    labelSingular: `One ${at}`,
    displayField: 'name',
    fields: Array.from({ length: fields }, (_, n) => field(n)),
  });
  return post(`/manifest${query}`, json({ objects: Array.from({ length: objects }, (_, at) => object(at)) }));
}

/** Steps that set as much HTML as the caps allow, all of it tags. */
function stepsOfHtml(): Request {
  const html = `<svg>${'<a>'.repeat(200)}${'</a><a>'.repeat(1_250)}`;
  const fields = [
    { name: 'stage', type: 'PIPELINE' },
    ...names(8, 'html').map((name) => ({ name, type: 'RICH_TEXT' })),
  ];
  const values = each(names(8, 'html'), () => html);
  const step = (at: number) => ({ name: `Step ${at}`, forced_values: values, default_values: values });
  const pipeline = { name: 'P', objectName: 'staged', steps: Array.from({ length: 25 }, (_, at) => step(at)) };
  return post('/manifest?dry_run=true', json({ objects: [{ name: 'staged', fields }], pipelines: [pipeline] }));
}

function manifestOfOptions(fields: number, count: number): Request {
  const options = Array.from({ length: count }, (_, at) => ({ value: `${at}` }));
  const object = (at: number) => ({
    name: `chosen_${at}`,
    fields: names(fields, 'f').map((name) => ({ name, type: 'SELECT', options })),
  });
  return post('/manifest?dry_run=true', json({ objects: [object(0)] }));
}

/** Makes an object with much to write in it, and what is loaded by the first of its records. */
export async function prepare(url: string, admin: string): Promise<void> {
  const field = (name: string, type: string, more: object = {}) => ({ name, label: name, type, ...more });
  const relationConfig = { relationType: 'MANY_TO_MANY', targetObjectName: 'contacts' };
  const options = Array.from({ length: optionCount }, (_, at) => ({ value: `v${at}`, label: `Label ${at}` }));
  const things = {
    name: 'things',
    label: 'Things',
    labelSingular: 'Thing',
    displayField: 'name',
    fields: [
      field('name', 'TEXT', { isSearchable: true }),
      field('number', 'NUMBER'),
      field('share', 'PERCENT'),
      field('span', 'DATE_RANGE'),
      field('price', 'CURRENCY'),
      field('many', 'MULTI_SELECT', { options }),
      ...htmlFields.map((name) => field(name, 'RICH_TEXT', { isSearchable: true })),
      ...longFields.map((name) => field(name, 'LONG_TEXT', { isSearchable: true })),
      ...linkFields.map((name) => field(name, 'MANY_TO_MANY', { relationConfig })),
    ],
  };
  const junctionFields = bondFields.map((name) => field(name, 'TEXT'));
  const knots = knotsWith([...chain(chainFields), field('bonds', 'MANY_TO_MANY', { relationConfig, junctionFields })]);
  const requests = [
    post('/manifest', json({ objects: [things, knots] })),
    create(json({ html_0: '<p>a</p>' })),
    create(json({ html_0: `<p>${'gentle '.repeat(10_000)}</p>` })),
    batch(json({ name: 'a' }), once()),
    importOf(json({ name: 'a' })),
    get('/records/things?limit=1')(),
    get('/openapi.json')(),
    manifestOf(1, 2, '?dry_run=true'),
  ];
  for (const request of requests) {
    const { status, text } = await send(url, admin, await zipped(request));
    if (status !== 200) throw new Error(`${request.path}: ${text}`);
  }
  await makeKnots(url, admin);
}

async function makeKnots(url: string, admin: string): Promise<void> {
  const answered = async (path: string, { body, method }: Request) => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: body ?? null });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json() as Promise<{ id: string; ids: string[]; records: { id: string }[] }>;
  };
  const knot = async (body: string) => (await answered('/records/knots', post('', body))).id;
  made.chained = await knot('{}');
  made.bound = await knot('{}');
  for (let at = 0; at < bondCount; at += 800) {
    const rows = list(800, (n) => json({ first_name: `${n}` }));
    const { records } = await answered('/records/contacts/batch/create', post('', `{"records":[${rows}]}`));
    made.contacts.push(...records.map(({ id }) => id));
  }
}

export const attacks: readonly Attack[] = [
  { name: 'seven texts of <', request: () => create(json(each(htmlFields, () => '<'.repeat(2_000_000)))) },
  {
    name: 'as much HTML as is taken, of tags',
    request: () => create(json(each(htmlFields, () => `<svg>${'<a>'.repeat(200)}${'</a><a>'.repeat(49_000)}`))),
  },
  { name: 'a text of < in SVG', request: () => create(json({ html_0: `<svg>${'<'.repeat(99_000)}` })) },
  { name: 'a text of &', request: () => create(json({ html_0: '&'.repeat(2_000_000) })) },
  {
    name: 'a mail of 200 KB, all of it tags',
    request: () => create(json({ html_0: `${'<a>'.repeat(200)}${'</a><a>'.repeat(28_000)}` })),
  },
  { name: 'a thousand rows of <', request: () => batch(list(1_000, () => json({ html_0: '<'.repeat(7_900) }))) },
  { name: 'a million numbers', request: () => create(`{"many":[${'0.1,'.repeat(990_000)}1]}`) },
  { name: 'a million empty objects', request: () => create(`{"many":[${'{},'.repeat(495_000)}{}]}`) },
  {
    name: 'a million keys, once',
    request: () => create(`{"many":[${list(99, () => `{${list(9_900, (at) => `"k${at}":1`)}}`)}]}`, once()),
  },
  { name: 'a million keys of one object', request: () => create(`{${list(990_000, (at) => `"k${at}":1`)}}`) },
  { name: 'a text of 32 MiB', request: () => create(`{"name":"${'x'.repeat(whole)}"}`) },
  {
    name: 'texts of 12 MB, all of them escapes',
    request: () => create(`{"name":"${'\\u0436'.repeat(1_999_000)}","x":"${'\\u0436'.repeat(1_999_000)}"}`),
  },
  { name: 'a key of 32 MiB', request: () => create(`{"${'x'.repeat(whole)}":1}`) },
  { name: 'a body of white space', request: () => create(`{${' '.repeat(whole)}}`) },
  { name: 'a body that is cut off', request: () => create(`{"name":[${'"x",'.repeat(900_000)}`) },
  {
    name: '10,000 options',
    request: () => create(`{"many":[${list(10_000, (at) => `"label ${at % optionCount}"`)}]}`),
  },
  {
    name: '800,000 options',
    request: () => create(`{"many":[${list(800_000, (at) => `"label ${at % optionCount}"`)}]}`),
  },
  { name: '120,000 links of a record', request: () => create(links(10_000)) },
  { name: '12,000 links of each of twenty records', request: () => batch(list(20, () => links(1_000))) },
  {
    name: '700,000 labels of one link',
    by: 'admin',
    request: () => importOf(`{"links_0":[${list(700_000, (at) => `"${at}"`)}]}`),
  },
  { name: 'a record of 32 MB', request: () => create(json(each(longFields, () => 'x'.repeat(1_000_000)))) },
  {
    name: 'a record as large as it may be',
    request: () => create(json(each(longFields.slice(0, 8), () => 'x'.repeat(990_000)))),
  },
  {
    name: 'the same, all of it quotes',
    request: () => create(json(each(longFields.slice(0, 8), () => '"'.repeat(990_000)))),
  },
  {
    name: 'the same, beyond Latin',
    request: () => create(json(each(longFields.slice(0, 8), () => 'ж'.repeat(490_000)))),
  },
  { name: 'a page of them', request: get('/records/things?limit=4') },
  { name: 'the same, indented', request: get('/records/things?limit=4&pretty') },
  {
    name: 'a thousand rows of 30 KB, once',
    request: () =>
      batch(
        list(1_000, (at) => json({ name: `${at}`, long_0: 'ж'.repeat(15_000) })),
        once(),
      ),
  },
  { name: 'a page of 100 of them', request: get('/records/things?limit=100') },
  {
    name: 'a thousand rows of 16 KB to be searched',
    request: () => batch(list(1_000, () => json(each(longFields.slice(0, 8), () => 'ß Ł'.repeat(666))))),
  },
  { name: 'a million rows', request: () => batch(list(990_000, () => '1')) },
  {
    name: 'ten thousand rows of fifty values',
    by: 'admin',
    request: () =>
      importOf(list(10_000, (at) => json(each([...longFields, ...htmlFields], (name) => `${name} ${at}`)))),
  },
  {
    name: 'ten thousand rows with mistakes',
    by: 'admin',
    request: () => importOf(list(10_000, (at) => json({ number: 'x'.repeat(1_000), many: `a${at}` }))),
  },
  {
    name: 'cells of a megabyte of spaces',
    by: 'admin',
    request: () =>
      importOf(
        list(5, () => json(each(['share', 'span', 'price', 'number', 'many'], () => `-${' '.repeat(1_000_000)}x`))),
      ),
  },
  { name: 'a file of commas', by: 'admin', request: () => fileOf('text/csv', `a${','.repeat(30_000_000)}`) },
  { name: 'a file of line ends', by: 'admin', request: () => fileOf('text/csv', `number${'\n'.repeat(1_000_000)}1`) },
  {
    name: 'a file of a hundred thousand rows',
    by: 'admin',
    request: () => fileOf('text/csv', `name,number\n${'one more name,17\n'.repeat(100_000)}`),
  },
  {
    name: 'a file of cards',
    by: 'admin',
    request: () => fileOf('text/vcard', 'BEGIN:VCARD\nFN:A\nTEL:1\nEND:VCARD\n'.repeat(50_000)),
  },
  { name: 'an export', by: 'admin', request: get('/export/things?limit=10000&format=json&fields=name,number,many') },
  {
    name: 'an export, indented',
    by: 'admin',
    request: get('/export/things?limit=10000&fields=name,number,many&pretty'),
  },
  {
    name: 'a pattern of backslashes',
    request: get(`/records/contacts?filter_field=last_name&filter_operator=ilike&filter_value=${'\\'.repeat(60_000)}x`),
  },
  {
    name: 'a relation that ten others depend on',
    request: () => put(`/records/knots/${made.chained}`, json({ chain_0: made.bound, chain_10: made.chained })),
  },
  {
    name: 'a manifest of 490 relations in a row',
    by: 'admin',
    request: () => post('/manifest?dry_run=true', json({ objects: [knotsWith(chain(names(490, 'row')))] })),
  },
  { name: 'as many links as there can be, bare', request: () => put(`/records/knots/${made.bound}`, bare()) },
  {
    name: '900,000 links that forty values could have',
    request: () => post('/records/knots/batch/create', `{"records":[${list(90, () => `{"bonds":${ids(10_000)}}`)}]}`),
  },
  { name: 'links with 192,000 values', request: () => put(`/records/knots/${made.bound}`, bonds('a')) },
  { name: 'the same with others', request: () => put(`/records/knots/${made.bound}`, bonds('b')) },
  { name: 'their record', request: () => ({ method: 'GET', path: `/records/knots/${made.bound}` }) },
  { name: 'their history', request: () => ({ method: 'GET', path: `/records/knots/${made.bound}/history?limit=1` }) },
  {
    name: 'their past',
    request: () => ({
      method: 'GET',
      path: `/records/knots/${made.bound}?as_of=${encodeURIComponent(new Date().toISOString())}`,
    }),
  },
  {
    name: 'a wrong key beside them',
    request: () => put(`/records/knots/${made.bound}`, json({ bondz: [] })),
  },
  {
    name: 'a bulk change of 10,000 ids of nothing',
    request: () => bulk({ record_ids: JSON.parse(ids(10_000)), ...retitled('x') }),
  },
  { name: 'a bulk change of 4,800 records', request: () => bulk({ record_ids: made.contacts, ...retitled('y') }) },
  {
    name: '192,000 values of links in bulk',
    request: () =>
      bulk({
        action: 'add_relation',
        object_name: 'knots',
        record_ids: [made.bound, made.chained],
        relation_field: 'bonds',
        target_ids: made.contacts,
        junction_data: each(bondFields, () => 'z'),
      }),
  },
  {
    name: 'upserts of 100,000 addresses',
    request: () => {
      const rows = list(1_000, (at) => json({ emails: names(100, `m${at}`).map((name) => `${name}@kith.test`) }));
      return post('/records/contacts/batch/upsert', `{"match":"emails","records":[${rows}]}`);
    },
  },
  { name: 'a manifest of 100,000 fields', by: 'admin', request: () => manifestOf(200, 500, '?dry_run=true') },
  { name: 'a manifest whose steps set HTML', by: 'admin', request: stepsOfHtml },
  { name: 'a manifest of 70,000 options', by: 'admin', request: () => manifestOfOptions(70, 1_000) },
  { name: 'a manifest of 9,800 fields', by: 'admin', request: () => manifestOf(20, 490, '?dry_run=true') },
];
