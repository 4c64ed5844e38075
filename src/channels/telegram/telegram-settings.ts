/** The settings of a Telegram bot. [contract: Accounts] */
import { Type, type Static } from 'typebox';
import { Secret } from '../secret.ts';

/** The schema of the document that connects a bot. */
export const TelegramAccount = Type.Object(
  {
    provider: Type.Literal('telegram'),
    account_email: Type.String({ minLength: 1, maxLength: 320 }),
    base_url: Type.Optional(Type.String({ maxLength: 2_000 })),
    bot_token: Secret(500),
    secret_token: Secret(256),
  },
  { additionalProperties: false },
);

export type TelegramSettings = Static<typeof TelegramAccount>;
