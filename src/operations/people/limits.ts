/** [spec: Rate limits] The state of the caller's budgets. */
import { Type } from 'typebox';
import { Nullable } from '../outputs.ts';
import { defineOperation } from '../door/operation.ts';

export const listLimits = defineOperation({
  id: 'limits.list',
  summary: "The remaining budgets of the caller's rate limits",
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    limits: Type.Array(
      Type.Object({
        policy: Type.String({ examples: ['api:global'] }),
        counted_per: Type.String({ examples: ['workspace user'] }),
        limit: Type.Integer(),
        window_seconds: Type.Integer(),
        remaining: Nullable(Type.Integer({ description: 'Null while the store that counts does not answer' })),
        reset: Nullable(
          Type.Integer({ description: 'Epoch seconds at which the oldest request that counts leaves the window' }),
        ),
      }),
    ),
  }),
  effect: 'read',
  cost: 'global',
  async run({ workspace, budgets }) {
    await workspace.read(); // checks that the caller is still valid
    const limits = (await budgets()).map(({ policy, countedPer, limit, windowSeconds, remaining, reset }) => ({
      policy,
      counted_per: countedPer,
      limit,
      window_seconds: windowSeconds,
      remaining,
      reset,
    }));
    return { limits };
  },
});
