/** IMAP connections to mailboxes. */
import type { ImapFlow } from 'imapflow';
import type { Call } from '../../access/call.ts';
import type { MailServerSettings } from './imap-settings.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';

const connectMs = 15_000;
/** A server that is silent this long counts as dead. */
const silenceMs = 60_000;

/** Keeps a connection open between syncs. */
export interface IdleConnections {
  /** Takes the kept connection; undefined without one. */
  take(): ImapFlow | undefined;
  /** Keeps the connection, or closes it. */
  leave(client: ImapFlow): Promise<void>;
}

/** Marks a rejection of `work` as Kith's own error, which `withMailbox` does not attribute to the mail server. */
export type Ours = <T>(work: Promise<T>) => Promise<T>;

/**
 * Runs `work` with a connection, taken from `idle` or newly opened; afterwards it is left to `idle` or closed. Errors of `work`
 * become ChannelFailures of the server, unless they are marked as `ours`.
 */
export async function withMailbox<T>(
  call: Call,
  server: MailServerSettings,
  work: (client: ImapFlow, ours: Ours) => Promise<T>,
  idle?: IdleConnections,
): Promise<T> {
  const client = idle?.take() ?? (await withCredentials(call, server, (auth) => openMailbox(call, server, auth)));
  const failures = new WeakSet<object>();
  const ours: Ours = (promise) =>
    promise.catch((error: unknown) => {
      if (typeof error === 'object' && error !== null) failures.add(error);
      throw error;
    });
  const close = () => client.close();
  call.signal.addEventListener('abort', close, { once: true });
  try {
    const outcome = await work(client, ours);
    await (idle ? idle.leave(client) : client.logout()).catch(close);
    return outcome;
  } catch (error) {
    close();
    call.signal.throwIfAborted();
    throw failures.has(error as object) ? error : failureOfServer(error, server);
  } finally {
    call.signal.removeEventListener('abort', close);
  }
}

/** Connects and signs in; the caller closes the connection. Throws ChannelFailure. */
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
      // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED would apply otherwise.
      tls: { rejectUnauthorized: true, lookup },
      auth: 'password' in auth ? { user: auth.user, pass: auth.password } : auth,
      logger: false,
      emitLogs: false,
      disableAutoIdle: true,
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      socketTimeout: silenceMs,
    });
    // Without a listener, a broken connection would end the process; its user gets the error from the next command.
    client.on('error', () => {});
    await client.connect();
    return client;
  } catch (error) {
    call.signal.throwIfAborted();
    throw failureOfServer(error, server);
  }
}

interface ServerError extends Error {
  readonly authenticationFailed?: boolean;
  readonly responseText?: string;
}

/** The error as a ChannelFailure, in the server's words if it gave a reason. */
function failureOfServer(error: unknown, { host }: MailServerSettings): unknown {
  if (!(error instanceof Error) || error instanceof ChannelFailure) return error;
  const { authenticationFailed: isRefusal = false, responseText } = error as ServerError;
  if (isRefusal) {
    const words = firstLine(responseText ?? '') || 'no reason given';
    return new ChannelFailure(`${host} does not accept user and password: ${words}`, true, error);
  }
  const words = firstLine(responseText ?? error.message);
  return failureOf(error, () => `${host} by IMAP: ${words}`);
}
