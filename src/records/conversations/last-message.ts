/** Lists of the caller's threads with the last message of each, so that a list of conversations takes one request. */
import type { Call, Vault } from '../../access/call.ts';
import type { Reading } from '../../fields/field-type.ts';
import { datetimeMember, quotedMember, reading } from '../../fields/members.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, trusted } from '../../postgres/sql.ts';
import type { Shown } from '../../query/paging.ts';
import { alias } from '../../query/plan.ts';
import { selectionOf } from '../../query/selection.ts';
import { shownAs } from '../../query/shown-as.ts';
import { contactsReading } from './contacts-of-message.ts';
import { selectDataKey } from './contents.ts';
import { besideMessage, participantsReading, previewReading } from './messages.ts';
import { isOwn } from './sight.ts';

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
    contactsReading(call),
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
