/** Meetings in a period, earliest first. [spec: crm_find_events; contract: Ingest] */
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { booleanMember, datetimeMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { empty, sql, statement, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { ascendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { labelOf } from '../../query/read-scope.ts';
import { selectionOf } from '../../query/selection.ts';
import { visibleRow } from '../../query/where.ts';
import { contactsByAddress, maySeeEvent, seesEmployer } from './sight.ts';

/** A half-open period of instants: it contains the meetings that begin at or after `from` and before `until`. */
export interface Span {
  readonly from: string;
  readonly until: string;
}

/** A page of the meetings that the caller may see; undefined if the organization has no meetings at all. */
export async function eventsPage(call: Call, { from, until }: Span, request: PageRequest): Promise<Page | undefined> {
  const { workspace, model } = call;
  const table = workspace.table('_events');
  const plan = planPage(
    call,
    {
      rows: { row: sql`e`, table, from: sql`${table} e` },
      visible: maySeeEvent(
        call,
        sql`e`,
        sql`a.start_time >= ${from}::timestamptz and a.start_time < ${until}::timestamptz`,
      ),
      filters: [sql`e.start_time >= ${from}::timestamptz and e.start_time < ${until}::timestamptz`],
      order: earliestFirst,
      identity: ['events', from, until],
      selection: selectionOf(readings(call)),
    },
    request,
  );
  const any = statement(sql`select exists (select from ${table})`, model.version);
  const [hasEvents, page] = await workspace.read(any, plan.statement);
  return hasEvents?.rows[0]?.[0] === 't' ? plan.read(page?.rows ?? []) : undefined;
}

const earliestFirst = ascendingBy(sql`e.start_time`, 'timestamptz');

function readings(call: Call): readonly Reading[] {
  return [
    reading(sql`e.id`, quotedMember('id')),
    reading(sql`e.title`, textMember('title')),
    reading(sql`e.start_time`, datetimeMember('start_time')),
    reading(sql`e.end_time`, datetimeMember('end_time')),
    reading(sql`e.all_day`, booleanMember('all_day')),
    reading(sql`e.status`, quotedMember('status')),
    reading(sql`e.organizer`, textMember('organizer')),
    jsonReading('attendees', attendees(call)),
    reading(sql`e.location`, textMember('location')),
    reading(sql`e.meeting_url`, textMember('meeting_url')),
    reading(sql`e.thread_id`, quotedMember('thread_id')),
    jsonReading('linked_entities', linkedEntities(call)),
  ];
}

function jsonReading(key: string, json: Sql): Reading {
  return reading(sql`coalesce(${json}, '[]')::text`, {
    key,
    json: (row, at) => row[at] ?? '[]',
    cell: (row, at) => row[at] ?? '',
  });
}

/** The attendees, each with the visible contact behind the address, if any. */
function attendees(call: Call): Sql {
  const shown = contactsByAddress(call);
  if (!shown) return sql`e.attendees`;
  const { who, having } = shown;
  const contact = sql`(select who.id from ${having(sql`lower(a.value ->> 'email')`)} where ${visibleRow(who)} order by who.id limit 1)`;
  return sql`(select jsonb_agg(a.value || jsonb_strip_nulls(jsonb_build_object('contact_id', ${contact})) order by a.place)
    from jsonb_array_elements(e.attendees) with ordinality a (value, place))`;
}

/** The visible contacts that take part, and their companies. */
function linkedEntities(call: Call): Sql {
  const shown = contactsByAddress(call);
  if (!shown) return sql`null::jsonb`;
  const { contacts, who, having } = shown;
  const takes = sql`${call.workspace.table('_event_attendees')} a cross join lateral ${having(sql`a.address`)}`;
  const people = sql`select 1 as rank, 'contacts' as type, who.id, ${labelOf(who) ?? sql`null::text`} as display
    from ${takes} where a.event_id = e.id and ${visibleRow(who)}`;
  const companies = call.model.objects.get('companies');
  const employer = companies?.kind === 'builtIn' ? objectScope(call, companies, 'employer') : undefined;
  const firms =
    seesEmployer(call, contacts) && companies && employer
      ? sql` union select 2, 'companies', employer.id, ${labelOf(employer) ?? sql`null::text`}
          from ${takes} join ${call.workspace.table(companies.table)} employer on employer.id = who.company_id
          where a.event_id = e.id and ${visibleRow(who)} and ${visibleRow(employer)}`
      : empty;
  return sql`(select jsonb_agg(jsonb_build_object('type', x.type, 'id', x.id, 'display', x.display) order by x.rank, x.id) from (${people}${firms}) x)`;
}
