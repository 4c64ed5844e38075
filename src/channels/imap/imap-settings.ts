/** The settings of a mailbox or calendar account. [contract: Accounts] */
import { Type, type Static } from 'typebox';
import { Secret } from '../secret.ts';

const Name = Type.String({ minLength: 1, maxLength: 320 });
const Address = Type.String({ minLength: 1, maxLength: 2_000 });

const Xoauth2 = Type.Object(
  { client_id: Secret(), client_secret: Type.Optional(Secret()), refresh_token: Secret(), token_url: Address },
  { additionalProperties: false },
);

const MailServer = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255 }),
    port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    security: Type.Enum(['tls', 'starttls', 'none'], { type: 'string' }),
    user: Name,
    password: Type.Optional(Secret()),
    xoauth2: Type.Optional(Xoauth2),
  },
  { additionalProperties: false },
);

const CalendarServer = Type.Object(
  { url: Address, user: Name, password: Type.Optional(Secret()), xoauth2: Type.Optional(Xoauth2) },
  { additionalProperties: false },
);

/** The schema of the document that connects a mailbox, a calendar, or both. */
export const ImapAccount = Type.Object(
  {
    provider: Type.Literal('imap'),
    account_email: Name,
    send_enabled: Type.Optional(Type.Boolean()),
    imap: Type.Optional(MailServer),
    smtp: Type.Optional(MailServer),
    caldav: Type.Optional(CalendarServer),
    folders: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: 200 })),
  },
  { additionalProperties: false },
);

export type MailServerSettings = Static<typeof MailServer>;
export type CalendarServerSettings = Static<typeof CalendarServer>;
export type ImapSettings = Static<typeof ImapAccount>;
