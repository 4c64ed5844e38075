/** The contacts who take part in a message, so that whoever shows it need not ask for each. */
import type { Call } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { reading } from '../../fields/members.ts';
import { sql, type Sql } from '../../postgres/sql.ts';
import { labelOf } from '../../query/read-scope.ts';
import { visibleRow } from '../../query/where.ts';
import { contactsByAddress } from './sight.ts';

/** The most participants whose contacts are named. */
const mostNamed = 20;

/** `contacts` of the message `i`: as `{ address, id, display }`, one that the caller sees for each address that has one. */
export function contactsReading(call: Call): Reading {
  return reading(contactsOf(call), { key: 'contacts', json: (row, at) => row[at] ?? '[]', cell: () => '' });
}

function contactsOf(call: Call): Sql {
  const shown = contactsByAddress(call);
  if (!shown) return sql`null::text`;
  const { who, having } = shown;
  const one = sql`select who.id, ${labelOf(who) ?? sql`null::text`} as display
    from ${having(sql`takes.address`)} where ${visibleRow(who)} limit 1`;
  return sql`(select json_agg(json_build_object('address', takes.address, 'id', one.id, 'display', one.display) order by takes.address)::text
    from (select p.address from ${call.workspace.table('_participants')} p where p.interaction_id = i.id
      order by p.address limit ${mostNamed}::int) takes
    cross join lateral (${one}) one)`;
}
