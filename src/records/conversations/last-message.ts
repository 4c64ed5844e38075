/** Lists of the caller's threads with the last message of each, so that a list of conversations takes one request. */
import type { Call, Vault } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading } from '../../fields/members.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, trusted, type Sql } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import type { Shown } from '../../query/paging.ts';
import { alias } from '../../query/plan.ts';
import { labelOf } from '../../query/read-scope.ts';
import { selectionOf } from '../../query/selection.ts';
import { shownAs } from '../../query/shown-as.ts';
import { visibleRow } from '../../query/where.ts';
import { selectDataKey } from './contents.ts';
import { besideMessage, participantsReading, previewReading } from './messages.ts';
import { contactsIn, contactsWith, isOwn, shownAddressFields } from './sight.ts';

/** The most participants whose contacts are named. */
const mostNamed = 20;

/** The named fields of a thread, and `last_message`: null where none is left. */
export function shownWithLastMessage(call: Call, threads: ObjectDef, names: readonly string[]): Shown {
  const { workspace } = call;
  const last = lastMessage(call);
  const message = sql` left join lateral (select i.* from ${workspace.table('_interactions')} i
      where i.interaction_thread_id = ${trusted(alias)}.id and i.deleted_at is null and ${isOwn(call, sql`i`)}
      order by i.date desc, i.id desc limit 1) i on true`;
  return { ...shownAs(call, threads, names, (field) => field, [last]), joins: [message, besideMessage(call)] };
}

/** The message `i` as one member; its id is the first column. */
function lastMessage(call: Call): Reading {
  let vault: Vault | undefined;
  const message = selectionOf([
    reading(sql`i.id`, quotedMember('id')),
    reading(sql`i.direction`, quotedMember('direction')),
    reading(sql`i.date`, datetimeMember('date')),
    previewReading(call, () => vault),
    participantsReading,
    reading(contactsOf(call), { key: 'contacts', json: (row, at) => row[at] ?? '[]', cell: () => '' }),
  ]);
  const key = message.columns.length;
  return {
    columns: [...message.columns, sql`(${selectDataKey(call)})`],
    members: [
      {
        key: 'last_message',
        mostBytes: message.widest,
        json(row, at) {
          if (row[at] === null) return 'null';
          vault ??= call.vault(row[at + key] ?? '');
          return message.json(row, at);
        },
        cell: () => '',
      },
    ],
  };
}

/** As JSON, a visible contact for each of the participants' addresses that has one. */
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
