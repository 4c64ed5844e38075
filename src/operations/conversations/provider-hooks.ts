/** Hooks of account providers. They have no route in /api/v1; `http/provider-hooks` authenticates them. [contract: Hooks] */
import { Type } from 'typebox';
import type { HookRequest } from '../../channels/provider.ts';
import { confirmedHook, receiveFromProvider } from '../../channels/provider-hooks.ts';
import { defineOperation } from '../door/operation.ts';

const address = { provider: Type.String(), id: Type.String() };

export const confirmHook = defineOperation({
  id: 'hook.confirm',
  summary: "Answer a provider's verification of its hook address",
  input: Type.Object({ ...address, query: Type.Unsafe<URLSearchParams>({}) }),
  output: Type.Object({}),
  effect: 'read',
  cost: 'global',
  run: async (call, { query, ...account }) => ({ answer: await confirmedHook(call, account, query) }),
});

export const receiveHook = defineOperation({
  id: 'hook.receive',
  summary: "Process a hook request of an account's provider",
  input: Type.Object({ ...address, request: Type.Unsafe<HookRequest>({}) }),
  output: Type.Object({ received: Type.Boolean() }),
  effect: 'write',
  cost: 'long',
  async run(call, { request, ...account }) {
    await receiveFromProvider(call, account, request);
    return { received: true };
  },
});
