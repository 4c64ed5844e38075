/** Messages, with what the caller may not see replaced by a placeholder. [spec: Interaction (message), Inbox] */
import type { Call, Vault } from '../../access/call.ts';
import { datetimeMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import type { Member, Reading } from '../../fields/field-type.ts';
import type { LongText } from '../../lib/long-text.ts';
import type { Rows } from '../../postgres/database.ts';
import { join, sql, statement, type Sql, type Statement } from '../../postgres/sql.ts';
import { descendingBy } from '../../query/order.ts';
import type { Page } from '../../query/paging.ts';
import { planPage, type PageRequest } from '../../query/plan-page.ts';
import { selectionOf } from '../../query/selection.ts';
import { contactsReading } from './contacts-of-message.ts';
import { openBody, openPreview, storedDataKey, type Body } from './contents.ts';
import { isOwn, mayRead, placeholder, shownOf } from './sight.ts';

/** Latest first. */
const byDate = descendingBy(sql`i.date`, 'timestamptz');

/** The statements of a page, and a reader of their answers, in the same order. */
export interface MessagesPlan {
  readonly statements: readonly Statement[];
  read(found: readonly Rows[]): Promise<Page>;
}

/**
 * Plans the caller's own messages of a thread, latest first, perhaps with the contacts who take part. Throws
 * VALIDATION_ERROR for a cursor of another thread.
 */
export function planMessages(
  call: Call,
  threadId: string,
  { hasContacts = false, ...request }: PageRequest & { readonly hasContacts?: boolean | undefined },
): MessagesPlan {
  const { workspace } = call;
  const table = workspace.table('_interactions');
  let vault: Vault | undefined;
  const plan = planPage(
    call,
    {
      rows: { row: sql`i`, table, from: sql`${table} i` },
      visible: sql`i.interaction_thread_id = ${threadId}::uuid and i.deleted_at is null and ${isOwn(call, sql`i`)}`,
      filters: [],
      order: byDate,
      identity: ['messages', threadId],
      selection: selectionOf([...messageReadings(call, () => vault), ...(hasContacts ? [contactsReading(call)] : [])]),
      beside: besideMessage(call),
    },
    request,
  );
  return {
    statements: [storedDataKey(call), plan.statement],
    read([stored, found]) {
      vault = call.vault(stored?.rows[0]?.[0] ?? '');
      return plan.read(found?.rows ?? []);
    },
  };
}

/** One message as JSON text; undefined where the caller may not read it. */
export async function message(call: Call, id: string): Promise<LongText | undefined> {
  const { workspace, model } = call;
  const opened: { vault?: Vault } = {};
  const selection = selectionOf(messageReadings(call, () => opened.vault));
  const query = sql`select ${join(selection.columns, ', ')} from ${workspace.table('_interactions')} i${besideMessage(call)}
    where i.id = ${id}::uuid and ${mayRead(call, sql`i`)}`;
  const [stored, found] = await workspace.read(storedDataKey(call), statement(query, model.version));
  const row = found?.rows[0];
  if (!row) return undefined;
  opened.vault = call.vault(stored?.rows[0]?.[0] ?? '');
  return selection.jsonInSlices(row, 0);
}

/** Joins the contents `c` and the thread `h` of a message `i`. */
export function besideMessage({ workspace }: Call): Sql {
  return sql` left join ${workspace.table('_interaction_contents')} c on c.interaction_id = i.id
    left join ${workspace.table('_threads')} h on h.id = i.interaction_thread_id`;
}

function messageReadings(call: Call, vault: () => Vault | undefined): readonly Reading[] {
  return [
    reading(sql`i.id`, quotedMember('id')),
    subjectReading(call),
    reading(sql`i.channel`, quotedMember('channel')),
    reading(sql`i.direction`, quotedMember('direction')),
    reading(sql`i.date`, datetimeMember('date')),
    reading(sql`i.delivery`, textMember('delivery')),
    bodyReading(call, vault),
    participantsReading,
    reading(sql`i.interaction_thread_id`, quotedMember('interaction_thread_id')),
  ];
}

/** The participants as written. */
export const participantsReading: Reading = reading(sql`to_json(i.participants)`, {
  key: 'participants',
  json: (row, at) => row[at] ?? '[]',
  cell: (row, at) => row[at] ?? '',
});

/** The subject, or the placeholder. */
export function subjectReading(call: Call): Reading {
  return {
    columns: [sql`i.subject`, isOwn(call, sql`i`), sql`h.content_visibility`],
    members: [
      {
        key: 'subject',
        json: (row, at) => {
          const text = shownOf(row[at + 1] === 't', row[at + 2]).subject ? (row[at] ?? null) : placeholder;
          return JSON.stringify(text);
        },
        cell: (row, at) => row[at] ?? '',
      },
    ],
  };
}

/**
 * The preview as plain text, or the placeholder; null where it cannot be opened, so that one message does not end a
 * list.
 */
export function previewReading(call: Call, vault: () => Vault | undefined): Reading {
  const columns = [sql`c.preview`, sql`i.id`, isOwn(call, sql`i`), sql`h.content_visibility`];
  return {
    columns,
    members: [
      {
        key: 'preview',
        json(row, at) {
          const [sealed = null, id = null, own, visibility] = row.slice(at, at + columns.length);
          if (!shownOf(own === 't', visibility).content) return JSON.stringify(placeholder);
          if (sealed === null || id === null) return '""';
          try {
            return JSON.stringify(openPreview(vault()!, id, sealed));
          } catch {
            return 'null';
          }
        },
        cell: () => '',
      },
    ],
  };
}

/** A body whose key is lost: one message must not end a page. */
const unreadable: Body = { content_text: null, content_html: null };

/** The body, decrypted if the caller may read it; otherwise each part is the placeholder. */
function bodyReading(call: Call, vault: () => Vault | undefined): Reading {
  const columns = [sql`c.body`, sql`i.id`, isOwn(call, sql`i`), sql`h.content_visibility`];
  let last: { readonly sealed: string; readonly body: Body } | undefined;
  const opened = (sealed: string, id: string): Body => {
    try {
      return openBody(vault()!, id, sealed);
    } catch {
      return unreadable;
    }
  };
  const bodyIn = (sealed: string, id: string): Body => {
    if (last?.sealed !== sealed) last = { sealed, body: opened(sealed, id) };
    return last.body;
  };
  const part = (name: string, of: (body: Body) => unknown): Member => ({
    key: name,
    mostBytes: Infinity,
    json(row, at) {
      const [sealed = null, id = null, own, visibility] = row.slice(at, at + columns.length);
      if (!shownOf(own === 't', visibility).content) return JSON.stringify(placeholder);
      if (sealed === null || id === null) return 'null';
      return JSON.stringify(of(bodyIn(sealed, id)) ?? null);
    },
    cell: () => '',
  });
  return {
    columns,
    members: [
      part('content', (body) => body.content_html ?? body.content_text),
      part('content_html', (body) => body.content_html),
      part('content_text', (body) => body.content_text),
      part('content_blocks', () => null),
      part('summary', () => null),
    ],
  };
}
