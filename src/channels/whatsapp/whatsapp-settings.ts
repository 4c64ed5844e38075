/** The settings of a WhatsApp business number. [contract: Accounts] */
import { Type, type Static } from 'typebox';
import { Secret } from '../secret.ts';

/** The schema of the document that connects a number. */
export const WhatsappAccount = Type.Object(
  {
    provider: Type.Literal('whatsapp'),
    account_email: Type.String({ minLength: 1, maxLength: 320 }),
    base_url: Type.Optional(Type.String({ maxLength: 2_000 })),
    phone_number_id: Type.String({ minLength: 1, maxLength: 100 }),
    access_token: Secret(),
    app_secret: Secret(),
    verify_token: Secret(),
  },
  { additionalProperties: false },
);

export type WhatsappSettings = Static<typeof WhatsappAccount>;
