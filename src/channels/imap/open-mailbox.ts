/** A connection to a mailbox by IMAP. */
import type { ImapFlow } from 'imapflow';
import type { Call } from '../../access/call.ts';
import type { MailServerSettings } from './imap-settings.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';

const connectMs = 15_000;
/** A server that says nothing for so long is taken for dead. */
const silenceMs = 60_000;

/** Where a connection comes from, and goes to. */
export interface Kept {
  take(): ImapFlow | undefined;
  leave(client: ImapFlow): Promise<void>;
}

/** Marks what `doing` rejects with as our own failure: it says nothing of the mail server. */
export type Ours = <T>(doing: Promise<T>) => Promise<T>;

/**
 * Does `work` with an open connection, which is closed after it unless it is `kept`. What it throws is taken for the server's doing,
 * a ChannelFailure, unless it is marked as `ours`.
 */
export async function withMailbox<T>(
  call: Call,
  server: MailServerSettings,
  work: (client: ImapFlow, ours: Ours) => Promise<T>,
  kept?: Kept,
): Promise<T> {
  const client = kept?.take() ?? (await withCredentials(call, server, (auth) => openMailbox(call, server, auth)));
  const failures = new WeakSet<object>();
  const ours: Ours = (doing) =>
    doing.catch((error: unknown) => {
      if (typeof error === 'object' && error !== null) failures.add(error);
      throw error;
    });
  const close = () => client.close();
  call.signal.addEventListener('abort', close, { once: true });
  try {
    const outcome = await work(client, ours);
    await (kept ? kept.leave(client) : client.logout()).catch(close);
    return outcome;
  } catch (error) {
    close();
    call.signal.throwIfAborted();
    throw failures.has(error as object) ? error : spoken(error, server);
  } finally {
    call.signal.removeEventListener('abort', close);
  }
}

/** Connected and signed in; the caller's to close. Throws ChannelFailure. */
async function openMailbox(call: Call, server: MailServerSettings, auth: Credentials): Promise<ImapFlow> {
  const { host, port, security } = server;
  try {
    const isTls = security === 'tls';
    const lookup = await call.outgoing.pinned({ host, port, use: 'mail', tls: isTls }, { signal: call.signal });
    const { ImapFlow: Client } = await import('imapflow');
    const client = new Client({
      host,
      port,
      secure: isTls,
      doSTARTTLS: security === 'starttls',
      // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would have its way otherwise.
      tls: { rejectUnauthorized: true, lookup },
      auth: 'password' in auth ? { user: auth.user, pass: auth.password } : auth,
      logger: false,
      emitLogs: false,
      disableAutoIdle: true,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
    });
    // Without a listener, a connection that breaks would end the process; who uses it hears of it by its own call.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    call.signal.throwIfAborted();
    throw spoken(error, server);
  }
}

interface SpokenError extends Error {
  readonly authenticationFailed?: boolean;
  readonly responseText?: string;
}

/** What went wrong, in the server's words where it has some. */
function spoken(error: unknown, { host }: MailServerSettings): unknown {
  if (!(error instanceof Error) || error instanceof ChannelFailure) return error;
  const { authenticationFailed: isRefusal = false, responseText } = error as SpokenError;
  if (isRefusal) {
    const words = firstLine(responseText ?? '') || 'no reason given';
    return new ChannelFailure(`${host} does not accept user and password: ${words}`, true, error);
  }
  const words = firstLine(responseText ?? error.message);
  return failureOf(error, () => `${host} by IMAP: ${words}`);
}
