/** Mails for tests. */

export interface MailParts {
  readonly id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly subject?: string;
  readonly date?: string;
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly text?: string;
}

/** A message as it comes by the wire. */
export function mailOf({
  id,
  from = 'Bob <bob@globex.test>',
  to = 'ada@acme.test',
  subject = 'Offer',
  date = '2026-10-01T09:00:00Z',
  inReplyTo,
  references,
  text = 'Hello',
}: MailParts): string {
  const lines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date(date).toUTCString().replace('GMT', '+0000')}`,
    ...(id === undefined ? [] : [`Message-ID: ${id}`]),
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${inReplyTo}`]),
    ...(references === undefined ? [] : [`References: ${references}`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    '',
  ];
  return lines.join('\r\n');
}
