/** A connection to the server that takes an account's mails, by SMTP. */
import type { Transporter } from 'nodemailer';
import type { Call } from '../../access/call.ts';
import type { MailServerSettings } from '../imap/imap-settings.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';

/** Nothing that a mail says may name a file or an address to be read. */
export const closed = { disableFileAccess: true, disableUrlAccess: true };
const patience = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/** Connected, for one message; the caller's to close. Throws ChannelFailure. */
export async function openSending(call: Call, server: MailServerSettings, auth: Credentials): Promise<Transporter> {
  const { host, port, security } = server;
  try {
    const isTls = security === 'tls';
    const socket = await call.outgoing.connect({ host, port, use: 'mail', tls: isTls }, { signal: call.signal });
    const { createTransport } = await import('nodemailer');
    return createTransport({
      host,
      port,
      connection: socket,
      secure: isTls,
      secured: isTls,
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would have its way otherwise.
      tls: { rejectUnauthorized: true },
      auth:
        'password' in auth
          ? { user: auth.user, pass: auth.password }
          : { type: 'OAuth2', user: auth.user, accessToken: auth.accessToken },
      ...closed,
      ...patience,
    });
  } catch (error) {
    call.signal.throwIfAborted();
    throw failureOf(error, (message) => `${host} by SMTP: ${message}`);
  }
}

/** Signs in and leaves. Throws ChannelFailure. */
export function trySending(call: Call, server: MailServerSettings): Promise<void> {
  return withCredentials(call, server, (auth) => signIn(call, server, auth));
}

async function signIn(call: Call, server: MailServerSettings, auth: Credentials): Promise<void> {
  const transport = await openSending(call, server, auth);
  try {
    await transport.verify();
  } catch (error) {
    throw refusalOf(error, server) ?? failureOf(error, (message) => `${server.host} by SMTP: ${message}`);
  } finally {
    transport.close();
  }
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly response?: string | false;
  readonly responseCode?: number;
}

/** What the server said no with; undefined where it said nothing. */
export function refusalOf(error: unknown, { host }: MailServerSettings): ChannelFailure | undefined {
  const { code, response, responseCode } = error as SmtpError;
  if (responseCode === undefined && code !== 'EAUTH') return undefined;
  const words = firstLine(response || (error as Error).message);
  if (code === 'EAUTH') return new ChannelFailure(`${host} does not accept user and password: ${words}`, true, error);
  return new ChannelFailure(`${host} does not take the message: ${words}`, false, error);
}
