/** Manifests applied over REST, and the records that they have to keep. */
import { afterAll, beforeAll, expect } from 'vitest';
import { startKith, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';

/** What a test expects of it, the test says. */
// oxlint-disable-next-line typescript/no-explicit-any -- as `Reply.json`
export type Loose = any;

/** Gives the tests of a file their service; each test has an organization of its own. */
export function useWorkspaces(): { organization(): Promise<TestOrganization>; admin(): Promise<Client> } {
  let kith: TestKith;
  beforeAll(async () => {
    kith = await startKith();
  });
  afterAll(() => kith.stop());
  return {
    organization: () => kith.organization(),
    admin: async () => (await kith.organization()).admin,
  };
}

export async function apply(client: Client, manifest: object, query = ''): Promise<Reply> {
  return client.post(`/manifest${query}`, manifest);
}

/** Applies and expects that it went well; the changes as `action kind name`. */
export async function applied(client: Client, manifest: object, query = ''): Promise<readonly string[]> {
  const reply = await apply(client, manifest, query);
  expect(reply.json, reply.text).toHaveProperty('changes');
  const changes: readonly Record<string, string>[] = reply.json.changes;
  return changes.map(({ action, kind, name, from }) => [action, kind, ...(from ? [from, '→'] : []), name].join(' '));
}

export async function create(client: Client, object: string, values: object): Promise<Loose> {
  const reply = await client.post(`/records/${object}`, values);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.record;
}

export async function fieldOf(client: Client, object: string, name: string): Promise<Loose | undefined> {
  const { json } = await client.get(`/schema/${object}`);
  return json.fields.find((field: { name: string }) => field.name === name);
}

/** An object `items` with a name, and a field `value` of that type. */
export const withValue = (type: string, more: object = {}) => ({
  objects: [
    {
      name: 'items',
      fields: [
        { name: 'name', type: 'TEXT', isSearchable: true },
        { name: 'value', type, ...more },
      ],
    },
  ],
});
