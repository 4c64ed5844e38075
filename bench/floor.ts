/**
 * The floor, as a process: bare `node:http`, four pipelined connections, statements written by hand, JSON made by
 * PostgreSQL row by row. It reads the very tables that Kith made, and knows neither tokens nor roles, history nor input.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import pg from 'pg';

const [, , url = '', schema = ''] = process.argv;
const contacts = `"${schema}".contacts`;
/** A copy of the contacts, for writes: Kith counts on its own table being its own. */
const written = `"${schema}"._floor_contacts`;

const columns = `c.id, c.first_name, c.last_name, c.first_name || ' ' || c.last_name as full_name, c.emails, c.phones, c.job_title,
  c.company_id, o.name as company_id_display, c.linkedin_url, c.address, c.tags, c.birthday, c.do_not_contact,
  c.owner, u.name as owner_display, c.created_by, b.name as created_by_display, c.created_at, c.updated_at`;
const joins = `left join "${schema}".companies o on o.id = c.company_id left join "${schema}"._users u on u.id = c.owner
  left join "${schema}"._users b on b.id = c.created_by`;
const newest = 'order by c.created_at desc, c.id desc';
const json = (from: string) => `select row_to_json(r)::text as j from (select ${columns} from ${from} c ${joins}) r`;
const page = (where: string, after = 'true') => `select n.total, x.j, x.created_at, x.id
  from (select count(*) as total from ${contacts} c where c.deleted_at is null and ${where}) n
  left join lateral (select row_to_json(r)::text as j, r.created_at::text, r.id
    from (select ${columns} from (select * from ${contacts} c where c.deleted_at is null and ${where} and ${after} ${newest} limit 20) c
      ${joins} ${newest}) r) x on true`;

const statements = {
  get: `${json(contacts)} where r.id = $1::uuid`,
  list: page('c.job_title = $1 and c.last_name ilike $2'),
  after: page('true', '(c.created_at, c.id) < ($1::timestamptz, $2::uuid)'),
  search: page('c.search_text like $1'),
  aggregate: `select json_agg(r)::text as j from (select industry as "group", sum(employees) as value
    from "${schema}".companies where deleted_at is null and employees > $1 group by 1) r`,
  create: `with c as (insert into ${written} (id, first_name, last_name, emails, phones, job_title, company_id, tags, do_not_contact,
      created_at, updated_at, search_text)
    values (gen_random_uuid(), $1::text, $2::text, $3::jsonb, $4::jsonb, $5::text, $6::uuid, $7::text[], $8::boolean, now(), now(),
      lower(concat_ws(' ', '', $1::text, $2::text, $3::text, $5::text))) returning *) ${json('c')}`,
  update: `with c as (update ${written} set job_title = $2, updated_at = now() where id = $1::uuid returning *) ${json('c')}`,
};

const clients = await Promise.all(
  [0, 1, 2, 3].map(async () => {
    const client = new pg.Client({ connectionString: url, pipeline: true });
    await client.connect();
    return client;
  }),
);
let turn = 0;

type Row = { readonly j: string | null; readonly total: string; readonly created_at: string; readonly id: string };

async function rows(name: keyof typeof statements, values: readonly unknown[]): Promise<readonly Row[]> {
  const client = clients[turn++ % clients.length];
  return (await client?.query<Row>({ name, text: statements[name], values: [...values] }))?.rows ?? [];
}

async function answer(request: IncomingMessage): Promise<string> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://floor');
  const [, name = '', id = ''] = pathname.split('/');
  const of = (key: string) => searchParams.get(key) ?? '';
  if (name === 'list') return pageText(await rows('list', [of('title'), `%${of('part')}%`]));
  if (name === 'search') return pageText(await rows('search', [`%${of('word')}%`]));
  if (name === 'after') return pageText(await rows('after', [of('time'), of('id')]));
  if (name === 'aggregate') return `{"results":${(await rows('aggregate', [of('more')]))[0]?.j}}`;
  if (request.method === 'GET') return recordText(await rows('get', [id]));
  const values = JSON.parse(await text(request));
  if (request.method === 'PUT') return recordText(await rows('update', [id, values.job_title]));
  const { first_name, last_name, emails, phones, job_title, company_id, tags, do_not_contact } = values;
  const cells = [first_name, last_name, JSON.stringify(emails), JSON.stringify(phones), job_title, company_id, tags];
  return recordText(await rows('create', [...cells, do_not_contact]));
}

function recordText([row]: readonly Row[]): string {
  return `{"record":${row?.j}}`;
}

function pageText(found: readonly Row[]): string {
  const last = found[19];
  const data = found.flatMap(({ j }) => j ?? []).join(',');
  return `{"data":[${data}],"total":${found[0]?.total}${last ? `,"next":["${last.created_at}","${last.id}"]` : ''}}`;
}

const server = createServer((request, response) => {
  const send = (status: number, body: string) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  };
  answer(request).then(
    (body) => send(200, body),
    (error: unknown) => send(500, String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
