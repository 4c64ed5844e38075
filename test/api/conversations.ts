/** Conversations for tests: lines brought in as the command does, and what everybody's account needs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kithJson } from '../cli/in-process.ts';
import { kithSecret, type Client, type Reply, type TestKith, type TestOrganization } from '../support/kith.ts';

/** What the command answers. */
export async function ingest(
  kith: TestKith,
  { id }: TestOrganization,
  lines: readonly (object | string)[],
): Promise<Reply['json']> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-ingest-'));
  try {
    const file = join(folder, 'lines.jsonl');
    await writeFile(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
    const environment = { DATABASE_URL: kith.database.url, KITH_SECRET_KEY: kithSecret };
    return (await kithJson(['ingest', '--org', id, '--file', file], environment)).json;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The address of a user, as their account has it. */
export async function emailOf(client: Client): Promise<string> {
  return (await client.get('/me')).json.profile.email;
}

/** A message as a line, with what the test says of it. */
export function messageLine(user: string, id: string, more: object = {}): object {
  return {
    kind: 'interaction',
    user,
    channel: 'email',
    external_thread_id: 't-1',
    external_id: id,
    subject: 'Offer',
    direction: 'inbound',
    date: '2026-10-01T09:00:00Z',
    from: 'Bob <Bob@Globex.test>',
    to: [user],
    content_text: 'The zebra is in the garden',
    ...more,
  };
}
