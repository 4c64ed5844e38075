/**
 * The provider `sandbox`, for trying an integration safely: it stores sent messages and marks in a table, and contacts no
 * server. [contract: Ingest]
 */
import type { Call } from '../access/call.ts';
import { utc } from '../fields/members.ts';
import { newId } from '../lib/id.ts';
import { instant, sql, statement } from '../postgres/sql.ts';
import { selectDataKey, storedDataKey } from '../records/conversations/contents.ts';
import type { Account } from './accounts.ts';
import type { MessageSender, Mark } from './provider.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

/** The outbox shows this many of the latest messages and marks. */
const mostShown = 1_000;

/** A message sent from a sandbox account. */
export interface SandboxSent extends Omit<OutgoingMessage, 'reply_to_thread'> {
  readonly thread_id: string;
  readonly message_id: string;
  readonly at: string;
}

/** A mark set in a sandbox account. */
export interface SandboxMark {
  readonly thread_id: string;
  readonly action: Mark['action'];
  readonly at: string;
}

export const sandbox: MessageSender = {
  newMessageId: (id) => `<${id}@sandbox.invalid>`,
  async send(call, account, { messageId, threadId, message }) {
    const { reply_to_thread: _, ...contents } = message;
    await keep(call, account, 'sent', { ...contents, thread_id: threadId, message_id: messageId });
    return undefined;
  },
  async mark(call, account, { threadId, action }) {
    await keep(call, account, 'mark', { thread_id: threadId, action });
  },
};

/** Stored even if the client has disconnected, just as a message at a real provider would be sent. */
function keep(call: Call, account: Account, kind: 'sent' | 'mark', contents: object): Promise<void> {
  const id = newId();
  return call.workspace.afterwards(async ({ run }) => {
    const { rows } = await run(selectDataKey(call));
    const sealed = call.vault(rows[0]?.[0] ?? '').seal(JSON.stringify(contents), placeOf(id));
    await run(sql`insert into ${call.workspace.table('_sandbox')} (id, integration_id, kind, contents, at)
      values (${id}::uuid, ${account.id}::uuid, ${kind}, ${sealed}, ${instant(call.now)})`);
  });
}

/** The sent messages and the marks, oldest first, of all accounts or of those with that address. */
export async function sandboxOutbox(
  call: Call,
  address?: string,
): Promise<{ readonly sent: readonly SandboxSent[]; readonly marks: readonly SandboxMark[] }> {
  const { workspace, model } = call;
  const wanted = address === undefined ? sql`true` : sql`lower(a.account_email) = lower(${address})`;
  const query = sql`select b.id, b.kind, b.contents, b.at from ${workspace.table('_sandbox')} b
    join ${workspace.table('_integrations')} a on a.id = b.integration_id where ${wanted}
    order by b.at desc, b.id desc limit ${mostShown}::int`;
  const [stored, found] = await workspace.read(storedDataKey(call), statement(query, model.version));
  const vault = call.vault(stored?.rows[0]?.[0] ?? '');
  const entries = (found?.rows ?? []).toReversed().map(([id, kind, contents, at]) => ({
    kind,
    entry: { ...(JSON.parse(vault.open(contents ?? '', placeOf(id ?? ''))) as object), at: utc(at ?? '') },
  }));
  const of = (wantedKind: string) => entries.filter(({ kind }) => kind === wantedKind).map(({ entry }) => entry);
  return { sent: of('sent') as SandboxSent[], marks: of('mark') as SandboxMark[] };
}

function placeOf(id: string): string {
  return `_sandbox/${id}/contents`;
}
