/** SMTP connections to the server for an account's outgoing mail. */
import type { Transporter } from 'nodemailer';
import type { Call } from '../../access/call.ts';
import type { MailServerSettings } from '../imap/imap-settings.ts';
import { ChannelFailure, failureOf, firstLine } from '../channel-failure.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';

/** Nodemailer must not read files or URLs that a mail names. */
export const closed = { disableFileAccess: true, disableUrlAccess: true };
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

/** Connects for one message; the caller closes the connection. Throws ChannelFailure. */
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
      // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED would apply otherwise.
      tls: { rejectUnauthorized: true },
      auth:
        'password' in auth
          ? { user: auth.user, pass: auth.password }
          : { type: 'OAuth2', user: auth.user, accessToken: auth.accessToken },
      ...closed,
      ...timeouts,
    });
  } catch (error) {
    call.signal.throwIfAborted();
    throw failureOf(error, (message) => `${host} by SMTP: ${message}`);
  }
}

/** Tests the credentials by signing in. Throws ChannelFailure. */
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

/** The server's refusal as a ChannelFailure; undefined for other errors, such as of the connection. */
export function refusalOf(error: unknown, { host }: MailServerSettings): ChannelFailure | undefined {
  const { code, response, responseCode } = error as SmtpError;
  if (responseCode === undefined && code !== 'EAUTH') return undefined;
  const words = firstLine(response || (error as Error).message);
  if (code === 'EAUTH') return new ChannelFailure(`${host} does not accept user and password: ${words}`, true, error);
  return new ChannelFailure(`${host} refuses the message: ${words}`, false, error);
}
