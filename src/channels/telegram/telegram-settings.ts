/** How a bot of Telegram is reached. [contract: Accounts] */
import { Type, type Static } from 'typebox';
import { Secret } from '../secret.ts';

/** A bot: what people write to it comes in. */
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
