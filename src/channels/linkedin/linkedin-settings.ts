/** How somebody's LinkedIn is reached: by a provider that has it among others, with the interface of Unipile. [contract: Accounts] */
import { Type, type Static } from 'typebox';
import { Secret } from '../secret.ts';

/** An account that is connected there. */
export const LinkedinAccount = Type.Object(
  {
    provider: Type.Literal('linkedin'),
    account_email: Type.String({ minLength: 1, maxLength: 320 }),
    base_url: Type.String({ minLength: 1, maxLength: 2_000 }),
    account_id: Type.String({ minLength: 1, maxLength: 200 }),
    api_key: Secret(),
    webhook_secret: Secret(),
  },
  { additionalProperties: false },
);

export type LinkedinSettings = Static<typeof LinkedinAccount>;
