/**
 * Connections of one process that wait for new mail (IDLE). Whoever has synchronised a mailbox last leaves its connection here; the
 * next one takes it up again. What nobody has come back to, since another process has the account by now, is closed.
 */
import type { ImapFlow } from 'imapflow';

export interface Watch {
  /** The connection that was left for the account with these settings, if it still stands. It is the caller's from now on. */
  take(accountId: string, settings: string): ImapFlow | undefined;
  /** Leaves a connection, which calls `onNews` when the inbox has more than it had. */
  leave(accountId: string, settings: string, client: ImapFlow, onNews: () => void): Promise<void>;
  close(): void;
}

interface Waiting {
  readonly settings: string;
  readonly client: ImapFlow;
  readonly timer: NodeJS.Timeout;
}

/** Of one process; the accounts beyond are looked into from time to time. */
const most = 500;

/** `patienceMs`: how long a connection waits for whoever takes it up. */
export function createWatch(patienceMs: number): Watch {
  const waiting = new Map<string, Waiting>();

  function drop(accountId: string): Waiting | undefined {
    const held = waiting.get(accountId);
    waiting.delete(accountId);
    if (held) clearTimeout(held.timer);
    held?.client.removeAllListeners('exists');
    return held;
  }

  return {
    take(accountId, settings) {
      const held = drop(accountId);
      if (held?.settings === settings && held.client.usable) return held.client;
      held?.client.close();
      return undefined;
    },
    async leave(accountId, settings, client, onNews) {
      if (waiting.size >= most || !client.capabilities.has('IDLE')) {
        await client.logout();
        return;
      }
      await client.mailboxOpen('INBOX', { readOnly: true });
      drop(accountId)?.client.close();
      const timer = setTimeout(() => drop(accountId)?.client.close(), patienceMs).unref();
      waiting.set(accountId, { settings, client, timer });
      client.on('exists', ({ count, prevCount }) => {
        if (count > prevCount) onNews();
      });
      // It ends when the connection is taken up again, or breaks: the next look opens another.
      client.idle().catch(() => {});
    },
    close() {
      for (const accountId of [...waiting.keys()]) drop(accountId)?.client.close();
    },
  };
}
