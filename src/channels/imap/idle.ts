/** Mailbox connections that wait for new mail between syncs (IDLE). */
import type { ImapFlow } from 'imapflow';
import type { Waiting, Watch } from '../watch.ts';

class Idle implements Waiting {
  readonly #client: ImapFlow;

  constructor(client: ImapFlow) {
    this.#client = client;
  }

  get isThere(): boolean {
    return this.#client.usable;
  }

  /** The connection, no longer listening for new mail. */
  taken(): ImapFlow {
    this.#client.removeAllListeners('exists');
    return this.#client;
  }

  end(): void {
    this.taken().close();
  }
}

/** Takes the account's waiting connection from the watch; undefined if there is none with these settings or it has closed. */
export function takeIdle(watch: Watch, accountId: string, settings: string): ImapFlow | undefined {
  const waiting = watch.take(accountId, settings);
  return waiting instanceof Idle ? waiting.taken() : undefined;
}

/** Leaves a connection in the watch; it calls `onNews` when the inbox grows. Logs out instead without IDLE or if the watch is full. */
export async function leaveIdle(
  watch: Watch,
  accountId: string,
  settings: string,
  client: ImapFlow,
  onNews: () => void,
): Promise<void> {
  if (watch.isFull() || !client.capabilities.has('IDLE')) {
    await client.logout();
    return;
  }
  await client.mailboxOpen('INBOX', { readOnly: true });
  watch.leave(accountId, settings, new Idle(client));
  client.on('exists', ({ count, prevCount }) => {
    if (count > prevCount) onNews();
  });
  // Ends when the connection is taken or breaks; the next sync then opens another.
  client.idle().catch(() => {});
}
