/** Messages of a messenger, kept in one transaction: what is there already is passed over, however often a provider tells it. */
import type { Call } from '../../access/call.ts';
import type { WorkspaceTransaction } from '../../access/workspace.ts';
import { keepInteractions, type NewInteraction } from '../../records/conversations/ingest.ts';
import { lockAccounts, type Mailbox } from '../mailbox.ts';
import { storable, storableKey, storableLine } from '../storable-text.ts';

export interface ChatMessage {
  /** One message of the account has it, and no other. */
  readonly id: string;
  readonly chatId: string;
  /** What the chat is called, where several people take part. */
  readonly title?: string | undefined;
  readonly isOwn: boolean;
  /** In ISO 8601. */
  readonly date: string;
  /** As they are written, the sender first. */
  readonly participants: readonly string[];
  readonly text: string;
}

/** A history may be of thousands: what so many say is sealed at one go. */
const mostAtOnce = 200;
const longestText = 1_000_000;
const longestName = 320;
/** Each message has them with it. */
export const mostParticipants = 100;

/** Keeps the messages in one transaction, and before them what belongs to them. Throws AccountGone. */
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

/** What a message brings along that is not kept: what it is, and what it is called. */
export function attached(what: string, name?: string): string {
  return `[${name === undefined ? what : `${what}: ${name}`}]`;
}

/** A name with the address beside it, where there are both. */
export function written(name: string | undefined, address: string | undefined): string {
  const called = storableLine(name ?? '', 200).replaceAll(/[<>"]/g, '');
  if (address === undefined) return called;
  return called === '' || called === address ? address : `${called} <${address}>`;
}
