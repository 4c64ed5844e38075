/** The contacts who take part in a message, so that whoever shows it need not ask for each. */
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { reading } from '../../fields/members.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { labelOf } from '../../query/read-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { contactsIn, contactsWith, shownAddressFields } from './sight.ts';

/** The most participants whose contacts are named. */
const mostNamed = 20;

/** `contacts` of the message `i`: as `{ address, id, display }`, one that the caller sees for each address that has one. */
export function contactsReading(call: Call): Reading {
  return reading(contactsOf(call), { key: 'contacts', json: (row, at) => row[at] ?? '[]', cell: () => '' });
}

function contactsOf(call: Call): Sql {
  const contacts = contactsIn(call);
  const fields = contacts && shownAddressFields(call, contacts);
  if (!contacts || !fields || fields.length === 0) return sql`null::text`;
  const scope = objectScope(call, contacts, 'who');
  const who = contactsWith(call, contacts, fields, sql`takes.address`, 'who');
  const one = sql`select who.id, ${labelOf(scope) ?? sql`null::text`} as display from ${who} where ${visibleRow(scope)} limit 1`;
  return sql`(select json_agg(json_build_object('address', takes.address, 'id', one.id, 'display', one.display) order by takes.address)::text
    from (select p.address from ${call.workspace.table('_participants')} p where p.interaction_id = i.id
      order by p.address limit ${mostNamed}::int) takes
    cross join lateral (${one}) one)`;
}
