/** Sends a mail by SMTP at most once. [contract: Accounts] */
import { Readable } from 'node:stream';
import type { Call } from '../../access/call.ts';
import type { MailServerSettings } from '../imap/imap-settings.ts';
import { ChannelFailure, failureOf } from '../channel-failure.ts';
import { withCredentials, type Credentials } from '../mail/credentials.ts';
import type { OutgoingMessage } from '../outgoing-message.ts';
import { closed, openSending, refusalOf } from './open-sending.ts';

/** The headers that mails are threaded by. */
export interface Headers {
  readonly messageId: string;
  /** Message-IDs of the conversation, latest last. */
  readonly references: readonly string[];
}

/** The message in MIME format, without bcc. */
export async function composeMail(
  { from, to, cc, subject, body }: OutgoingMessage,
  { messageId, references }: Headers,
  plain: string,
  date: Date,
): Promise<Buffer> {
  const { createTransport } = await import('nodemailer');
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...closed });
  const inReplyTo = references.at(-1);
  const { message } = await composer.sendMail({
    from,
    to: [...to],
    cc: [...cc],
    subject: subject ?? '',
    html: body,
    text: plain,
    messageId,
    date,
    ...(inReplyTo !== undefined && { inReplyTo, references: [...references] }),
  });
  return message as Buffer;
}

/**
 * Sends the message; returns the recipients that the server rejected, if it accepted others. Throws ChannelFailure if the message
 * was certainly not sent; any other error means that the outcome is unknown.
 */
export function sendMail(
  call: Call,
  server: MailServerSettings,
  message: OutgoingMessage,
  raw: Buffer,
): Promise<readonly string[]> {
  return withCredentials(call, server, (auth) => handOver(call, { server, auth }, message, raw));
}

async function handOver(
  call: Call,
  { server, auth }: { readonly server: MailServerSettings; readonly auth: Credentials },
  { from, to, cc, bcc }: OutgoingMessage,
  raw: Buffer,
): Promise<readonly string[]> {
  const transport = await openSending(call, server, auth);
  let isHandedOver = false;
  const message = new Readable({
    read() {
      isHandedOver = true;
      this.push(raw);
      this.push(null);
    },
  });
  try {
    const bare = (address: string) => /<([^<>]+)>$/.exec(address)?.[1] ?? address;
    const { rejected } = await transport.sendMail({
      envelope: { from: bare(from), to: [...to, ...cc, ...bcc].map(bare) },
      raw: message,
    });
    return (rejected ?? []).map(String);
  } catch (error) {
    const refusal = refusalOf(error, server);
    if (refusal) throw refusal;
    if (!isHandedOver) throw failureOf(error, (words) => `${server.host} by SMTP: ${words}`);
    throw error instanceof ChannelFailure ? new Error(error.message, { cause: error }) : error;
  } finally {
    transport.close();
  }
}
