/** One operation by REST and by its tool. */
import type { Client, Reply } from '../support/kith.ts';
import type { Agent } from './agent.ts';

export interface Ids {
  readonly [name: string]: string;
}

export interface Pair {
  /** The operation. */
  readonly id: string;
  rest(client: Client, ids: Ids): Promise<Reply>;
  tool(agent: Agent, ids: Ids): ReturnType<Agent['call']>;
  /** Whether both can be asked one after the other and answer the same. */
  readonly twice?: false;
}

export const pair = (
  id: string,
  rest: Pair['rest'],
  tool: string,
  args: (ids: Ids) => object,
  twice?: false,
): Pair => ({
  id,
  rest,
  tool: (agent, ids) => agent.call(tool, { ...args(ids) }),
  ...(twice === false && { twice }),
});
export const get =
  (path: (ids: Ids) => string, query: object = {}) =>
  (client: Client, ids: Ids) =>
    client.get(path(ids), { ...query });
export const post = (path: string, body: (ids: Ids) => object) => (client: Client, ids: Ids) =>
  client.post(path, body(ids));

export const contacts = { object_name: 'contacts' };
