/** The settings of a LinkedIn account, which is reached through a provider with the API of Unipile. [contract: Accounts] */
import { Type, type Static } from 'typebox';
import { Secret } from '../secret.ts';

/** The schema of the document that connects a LinkedIn account. */
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
