/** Stores messages of messengers. Existing ones are skipped, so that providers may repeat them. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { keepInteractions, type NewInteraction } from '../../records/conversations/ingest.ts';
import { lockAccounts, type Mailbox } from '../mailbox.ts';
import { storable, storableKey, storableLine } from '../storable-text.ts';

/** A message of a messenger. */
export interface ChatMessage {
  /** Unique among the account's messages. */
  readonly id: string;
  readonly chatId: string;
  /** The name of a group chat. */
  readonly title?: string | undefined;
  readonly isOwn: boolean;
  /** In ISO 8601. */
  readonly date: string;
  /** Names with addresses as written, the sender first. */
  readonly participants: readonly string[];
  readonly text: string;
}

/** Messages inserted at once: histories have thousands, and contents are sealed without yielding. */
const mostAtOnce = 200;
const longestText = 1_000_000;
const longestName = 320;
/** Participants per message, since each message stores them all. */
export const mostParticipants = 100;

/** Runs `before` and stores the messages, in one transaction. Throws AccountGone. */
export function takeMessages(
  call: Call,
  account: Mailbox,
  channel: string,
  messages: readonly ChatMessage[],
  before: (tx: WorkspaceTransaction) => Promise<void> = async () => {},
): Promise<void> {
  return call.workspace.transaction(async (tx) => {
    await lockAccounts(call, tx, account);
    await before(tx);
    for (let at = 0; at < messages.length; at += mostAtOnce) {
      const part = messages.slice(at, at + mostAtOnce);
      await keepInteractions(
        call,
        tx,
        part.map((message) => lineOf(account, channel, message)),
      );
    }
  });
}

function lineOf({ owner, integrationId }: Mailbox, channel: string, message: ChatMessage): NewInteraction {
  const { id, chatId, title, isOwn, date, participants } = message;
  const text = storable(message.text, longestText);
  const written = participants.map((participant) => storableLine(participant, longestName));
  return {
    kind: 'interaction',
    owner,
    channel,
    threadId: storableKey(chatId),
    externalId: storableKey(id),
    subject: title === undefined ? null : storableLine(title, longestName),
    direction: isOwn ? 'outbound' : 'inbound',
    date,
    participants: [...new Set(written.filter((participant) => participant !== ''))].slice(0, mostParticipants),
    text,
    html: null,
    plain: text,
    visibility: undefined,
    integrationId,
  };
}

/** A placeholder for an attachment, which is not stored: its kind and name. */
export function attached(what: string, name?: string): string {
  return `[${name === undefined ? what : `${what}: ${name}`}]`;
}

/** A participant: the name with the address, or the one that exists. */
export function written(name: string | undefined, address: string | undefined): string {
  const called = storableLine(name ?? '', 200).replaceAll(/[<>"]/g, '');
  if (address === undefined) return called;
  return called === '' || called === address ? address : `${called} <${address}>`;
}
