/** A connection to a mailbox that waits for new mail (IDLE). */
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

  /** The connection, which tells nobody of new mail any more. */
  taken(): ImapFlow {
    this.#client.removeAllListeners('exists');
    return this.#client;
  }

  end(): void {
    this.taken().close();
  }
}

/** The connection that was left for the account with these settings, if it still stands. It is the caller's from now on. */
export function takeIdle(watch: Watch, accountId: string, settings: string): ImapFlow | undefined {
  const waiting = watch.take(accountId, settings);
  return waiting instanceof Idle ? waiting.taken() : undefined;
}

/** Leaves a connection, which calls `onNews` when the inbox has more than it had. */
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
  // It ends when the connection is taken up again, or breaks: the next look opens another.
  client.idle().catch(() => {});
}
