/**
 * Who changed a record, when and how, as far as the caller may see the changed fields: entries about hidden fields
 * alone are neither shown nor counted. Nor do entries reveal who created a record, or when, where a role hides it.
 */
import type { Call } from '../../access/call.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import type { Member } from '../../fields/field-type.ts';
import { utc } from '../../fields/members.ts';
import { fieldType } from '../../fields/registry.ts';
import { isObject, jsonString, type Json } from '../../lib/json.ts';
import { writeJson } from '../../lib/json-writer.ts';
import { parseLongJson } from '../../lib/long-json.ts';
import { inSlices, mapInSlices } from '../../lib/slices.ts';
import { joined, together, type LongText } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell, Row } from '../../postgres/database.ts';
import { join, literal, sql, statement, type Sql, type Statement, withClauses } from '../../postgres/sql.ts';
import { visibleAttributes } from '../../query/attributes.ts';
import { mostBytes } from '../../query/fitting.ts';
import { openPage, readPage, type Page, type Shown } from '../../query/paging.ts';
import { objectScope } from '../../query/object-scope.ts';
import { labelOf, readScope } from '../../query/read-scope.ts';
import { columnsByField } from '../writing/columns.ts';
import { imageJson, imageOf, isNothing } from './image.ts';
import { linkings, linksBefore, pastClauses, showsCreationTime, showsActors } from './past.ts';

/** The visible fields that have a past. */
interface Fields {
  readonly stored: readonly FieldDef[];
  readonly linked: readonly FieldDef[];
}

/**
 * A page of the record's history, newest first; undefined where the caller may not see it. Throws VALIDATION_ERROR
 * for an invalid cursor.
 */
export async function historyPage(
  call: Call,
  object: ObjectDef,
  id: string,
  limit: number,
  cursor: string | undefined,
): Promise<Page | undefined> {
  const { position, cursorAt } = openPage(call.signer, ['history', object.id, id], 1, cursor, true);
  const fields = fieldsOf(call, object);
  const selection = entriesOf(call, object, fields);
  const from = { id, before: position?.keys[0] ?? null, limit: limit + 1 };
  const text = historyQuery(call, object, fields, selection.columns, from);
  const [found] = await call.workspace.read(statement(text, call.model.version));
  const rows = found?.rows ?? [];
  if (rows[0]?.[0] !== 't') return undefined;
  const page = await readPage(rows, {
    limit,
    idAt: 2,
    keyCount: 0,
    selection,
    cursorAt: ({ id: place }) => cursorAt({ id, keys: [place] }),
  });
  return { ...page, total: Number(rows[0][1]) };
}

function fieldsOf(call: Call, object: ObjectDef): Fields {
  const columns = columnsByField(object);
  const visible = visibleAttributes(object, call.visibility);
  return {
    stored: visible.filter((field) => columns.has(field)),
    linked: visible.filter((field) => field.linkTable !== undefined),
  };
}

/** One write of a record: its statement, and its text as the caller may see it. */
export interface WritePlan {
  readonly statement: Statement;
  /** With the record's current label; without label and changes where the record is gone. */
  read(rows: readonly Row[]): Promise<LongText>;
}

/** Plans the history entry of the record with this id, as a write of its change set. */
export function planWrite(call: Call, object: ObjectDef, id: string, entry: string, action: string): WritePlan {
  const fields = fieldsOf(call, object);
  const { columns } = entriesOf(call, object, fields);
  const label = sql`(select ${labelOf(objectScope(call, object, 'r')) ?? sql`null`} from r)`;
  const query = historyQuery(call, object, fields, [...columns, label], { id, entry });
  const changesIn = changesReader(call, object, fields);
  return {
    statement: statement(query, call.model.version),
    async read([row]) {
      const shown = row?.slice(3) ?? [];
      const display = text(shown[columns.length]);
      const changes = shown[0] ? await changesIn(shown) : [];
      const head = `{"object":${text(object.name)},"id":"${id}","display":${display},"action":${text(action)},"changes":[`;
      return together(head, joined(changes, ','), ']}');
    },
  };
}

/**
 * For each field of the clause `image`, the first image after the page, which is the result of the page's last
 * change. Walks from one entry with such a field to the next, until all fields are found.
 */
const imagesAfter = sql`with recursive step (id, lacking, before) as (
    select (select max(c.id) from chosen c), array(select distinct i.field from image i), null::jsonb
    union all select n.id, array(select f.field from unnest(s.lacking) f (field) where not n.before ? f.field), n.before
      from step s cross join lateral (
        select h.id, h.before from h where h.id > s.id and h.before ?| s.lacking order by h.id limit 1) n
      where cardinality(s.lacking) > 0)
  select s.id, s.before from step s where s.before is not null`;

/** The number of entries, and the position before which they are. */
interface FromNewest {
  readonly id: string;
  readonly before: string | null;
  readonly limit: number;
}

/** A record and the id of one of its entries. */
interface OneEntry {
  readonly id: string;
  readonly entry: string;
}

/** Rows of: whether the record exists, total, an entry's position, its shown columns, whether it was sent. */
function historyQuery(
  call: Call,
  object: ObjectDef,
  { stored, linked }: Fields,
  shown: readonly Sql[],
  from: FromNewest | OneEntry,
): Sql {
  const { id } = from;
  const columns = columnsByField(object);
  const images = stored.map((field) => sql`(${literal(field.id)}, ${imageOf(columns.get(field) ?? [], sql`r`)})`);
  const now =
    images.length === 0
      ? sql`select null::text, null::jsonb where false`
      : sql`select v.field, v.value
    from r cross join lateral (values ${join(images, ', ')}) v (field, value)`;
  const storedIds = stored.map((field) => field.id);
  const linkIds = linked.map((field) => field.id);
  const isSeen = sql`(h.action not in ('update', 'unlink') or h.before ?| ${storedIds}::text[] or h.links ?| ${linkIds}::text[])`;
  const clauses = [
    ...pastClauses(call, object, id),
    sql`now (field, value) as (${now})`,
    ...('entry' in from ? oneChosen(from, isSeen) : pageChosen(from, isSeen)),
    linkings(sql`(select min(c.id) + 1 from chosen c where c.action = 'create')`),
    // A create has no image: it contains everything.
    sql`image as (
      select h.id as entry, n.field as field, h.before -> n.field as value
        from chosen h join now n on h.before ? n.field where h.action <> 'create'
      union all select h.id as entry, n.field as field, null as value from chosen h cross join now n where h.action = 'create')`,
    sql`later as materialized (${imagesAfter})`,
    sql`change as (select i.entry, i.field, i.value as before, coalesce(lead(i.value) over (partition by i.field order by i.entry),
        (select l.before -> i.field from later l where l.before ? i.field order by l.id limit 1), n.value) as after
      from image i join now n on n.field = i.field)`,
    // Materialized: the changes of an entry may be megabytes.
    sql`changes as materialized (select c.entry, json_agg(json_build_array(c.field, c.before, c.after)) as list from change c group by c.entry)`,
    sql`page as (select h.*, c.list, coalesce(sum(octet_length(c.list::text)) over (order by h.id desc
        rows between unbounded preceding and 1 preceding), 0) < ${mostBytes}::int as fits
      from chosen h left join changes c on c.entry = h.id)`,
  ];
  return sql`${withClauses(clauses)}
    select exists (select from r), (select c.total from counted c), p.place, ${join(shown, ', ')}, p.fits
    from (select 1) one left join page p on true
      left join ${call.workspace.table('_users')} u on u.id = p.actor_id
      left join ${call.workspace.table('_tokens')} k on k.id = p.token_id
    order by p.id desc`;
}

/** The clauses `counted` and `chosen` for a page. */
function pageChosen({ before, limit }: FromNewest, isSeen: Sql): readonly Sql[] {
  // Entries before the cursor, counted from the newest.
  const skipped = sql`greatest((select c.total from counted c) - coalesce(${before}::bigint, 9223372036854775807) + 1, 0)`;
  return [
    // The only scan of all entries; everything else concerns the page's entries and their successors.
    sql`counted as materialized (select count(*) as total from h where ${isSeen})`,
    // An entry's id counts the writes of the whole organization, so callers get its position among the entries they
    // may see.
    sql`chosen as materialized (select h.*, (select c.total from counted c) - ${skipped} + 1 - row_number() over (order by h.id desc) as place
      from (select * from h where ${isSeen} order by h.id desc offset ${skipped} limit ${limit}::int) h)`,
  ];
}

/** The clauses `counted` and `chosen` for one entry. */
function oneChosen({ entry }: OneEntry, isSeen: Sql): readonly Sql[] {
  return [
    sql`counted as (select 1::bigint as total)`,
    sql`chosen as materialized (select h.*, 1::bigint as place from h where h.id = ${entry}::bigint and ${isSeen})`,
  ];
}

/** The shown columns of an entry, `p` in the query. */
function entriesOf(call: Call, object: ObjectDef, fields: Fields): Pick<Shown, 'columns' | 'jsonInSlices'> {
  const firstLinks = fields.linked.map(
    (field) => sql`select ${literal(field.id)} as field, ${linksBefore(call, field)}::json as links`,
  );
  const atFirst =
    firstLinks.length === 0
      ? sql`null`
      : sql`(select json_object_agg(f.field, f.links)::text from (${join(firstLinks, ' union all ')}) f)`;
  const links = sql`case when p.action = 'create' then ${atFirst} else p.links::text end`;
  const columns = [
    sql`p.place`,
    sql`p.action`,
    sql`p.at`,
    sql`p.actor_id`,
    sql`u.name`,
    sql`p.means`,
    sql`p.agent`,
    sql`k.name`,
    sql`p.change_set`,
    sql`case when p.fits then p.list end::text`,
    links,
  ];
  return { columns, jsonInSlices: entryWriter(call, object, fields) };
}

/** Reads the texts of the changes from a row of `entriesOf`. */
function changesReader(call: Call, object: ObjectDef, { stored, linked }: Fields) {
  const scope = readScope(call, object, 'r');
  const members = new Map<string, { field: FieldDef; member: Member }>();
  for (const field of stored) {
    const [member] = fieldType(field.type).read(field, scope).members;
    if (member) members.set(field.id, { field, member });
  }
  return async ([, action, , , , , , , , list, links]: readonly Cell[]): Promise<LongText[]> => [
    ...(await valueChanges(list ?? null, action === 'create', members)),
    ...(await (action === 'create' ? firstLinks(links ?? null, linked) : linkChanges(links ?? null, linked))),
  ];
}

function entryWriter(call: Call, object: ObjectDef, fields: Fields): Shown['jsonInSlices'] {
  const changesIn = changesReader(call, object, fields);
  const namesActors = showsActors(call, object);
  const timesCreates = showsCreationTime(call, object);
  return async (row, begin) => {
    const shown = row.slice(begin);
    const [id, action, at, actorId, actor, means, agent, token, changeSet] = shown;
    const changes = await changesIn(shown);
    const isTimed = action !== 'create' || timesCreates;
    const who = actorId && namesActors ? `{"id":"${actorId}","display":${text(actor)}}` : 'null';
    const tokenName = call.visibility.isAdmin ? `,"token":${text(token)}` : '';
    const head =
      `{"id":"${id}","action":${text(action)},"at":${isTimed ? `"${utc(at ?? '')}"` : 'null'},"actor":${who},` +
      `"means":${text(means)},"agent":${namesActors ? text(agent) : 'null'}${tokenName},` +
      // A change set's id reveals when it began, and links it to other writes of its author.
      `"change_set":${isTimed && namesActors ? text(changeSet) : 'null'},"changes":[`;
    return together(head, joined(changes, ','), ']}');
  };
}

function text(value: string | null | undefined): string {
  return value === null || value === undefined ? 'null' : jsonString(value);
}

async function valueChanges(
  list: string | null,
  isCreate: boolean,
  members: ReadonlyMap<string, { field: FieldDef; member: Member }>,
): Promise<LongText[]> {
  const byField = new Map<Json, readonly Json[]>();
  for (const change of await asList(list)) if (Array.isArray(change)) byField.set(change[0] ?? null, change);
  const texts: string[] = [];
  await inSlices(members, ([fieldId, { field, member }]) => {
    const [, before = null, after = null] = byField.get(fieldId) ?? [];
    if (!byField.has(fieldId) || (isCreate && isNothing(after))) return;
    const was = isCreate ? 'null' : imageJson(before, field, member);
    texts.push(`{"field":${text(field.name)},"before":${was},"after":${imageJson(after, field, member)}}`);
  });
  return texts;
}

/** The initial links of a record. */
async function firstLinks(links: string | null, linked: readonly FieldDef[]): Promise<LongText[]> {
  const byField = await asObject(links);
  const texts: LongText[] = [];
  for (const { id, name } of linked) {
    const first = byField[id];
    if (!Array.isArray(first) || first.length === 0) continue;
    const added = await mapInSlices(first, (link) => (Array.isArray(link) ? (link[0] ?? null) : null));
    texts.push(await writeJson({ field: name, added, removed: [] }));
  }
  return texts;
}

/** Added and removed links; `changed` are those with changed junction fields, `moved` those that changed order. */
async function linkChanges(links: string | null, linked: readonly FieldDef[]): Promise<LongText[]> {
  const byField = await asObject(links);
  const texts: LongText[] = [];
  for (const { id, name } of linked) {
    const change = byField[id];
    if (!isObject(change)) continue;
    const { added = [], removed = [], was = {}, stood = {}, moved } = change;
    const gone = new Set(Array.isArray(removed) ? removed : []);
    const staying = (about: Json) => (isObject(about) ? Object.keys(about).filter((target) => !gone.has(target)) : []);
    const changed = staying(was);
    const elsewhere = Array.isArray(moved) ? moved : staying(stood);
    const also = { ...(changed.length > 0 && { changed }), ...(elsewhere.length > 0 && { moved: elsewhere }) };
    texts.push(await writeJson({ field: name, added, removed, ...also }));
  }
  return texts;
}

async function asList(json: string | null): Promise<readonly Json[]> {
  const value = json === null ? [] : await parseLongJson(json);
  return Array.isArray(value) ? value : [];
}

async function asObject(json: string | null): Promise<Readonly<Record<string, Json>>> {
  const value = json === null ? {} : await parseLongJson(json);
  return isObject(value) ? value : {};
}
