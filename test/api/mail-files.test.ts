/** [contract: Ingest] Real mail, some of it broken, as lines of a file: what can be taken is in, once, and the rest is named. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startKith, type TestKith, type TestOrganization } from '../support/kith.ts';
import { emailOf, ingest } from './conversations.ts';

const folder = fileURLToPath(new URL('../../../shared/data/email', import.meta.url));

interface Mail {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

let kith: TestKith;
let organization: TestOrganization;
let user: string;
beforeAll(async () => {
  kith = await startKith();
  organization = await kith.organization();
  user = await emailOf(organization.admin);
});
afterAll(() => kith.stop());

/** Enough for headers and what follows them; parts and their encodings stay as they are. */
function mailIn(text: string): Mail {
  const [head = '', ...body] = text.replaceAll('\r\n', '\n').split('\n\n');
  const lines = head.replaceAll(/\n[ \t]+/g, ' ').split('\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value);
  }
  return { headers, body: body.join('\n\n') };
}

function lineOf({ headers, body }: Mail, file: string): object {
  const of = (name: string) => headers.get(name)?.replaceAll('\0', '').trim();
  const list = (name: string) => (of(name) ?? '').split(',').map((address) => address.trim());
  const date = new Date(of('date') ?? '');
  return {
    kind: 'interaction',
    user,
    channel: 'email',
    external_thread_id: of('references')?.split(/\s+/)[0] ?? of('in-reply-to') ?? of('message-id') ?? file,
    external_id: of('message-id') ?? file,
    subject: of('subject'),
    date: Number.isNaN(date.getTime()) ? of('date') : date.toISOString(),
    from: of('from'),
    to: list('to'),
    cc: list('cc'),
    content_text: body.replaceAll('\0', '').toWellFormed(),
  };
}

it.skipIf(!existsSync(folder))(
  'takes every mail (needs shared/data beside the project) that has a sender and a time, and names the others',
  async () => {
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const lines = files.map(({ parentPath, name }) =>
      lineOf(mailIn(readFileSync(join(parentPath, name), 'latin1')), name),
    );
    const counts = await ingest(kith, organization, lines);
    const { interactions, threads, skipped, errors, failed } = counts;
    expect(interactions + skipped + failed).toBe(files.length);
    expect(errors).toHaveLength(failed);
    expect(interactions).toBeGreaterThan(500);
    const { total, data } = (await organization.admin.get('/inbox/threads', { limit: 1 })).json;
    expect(total).toBe(threads);
    expect(data[0].message_count).toBeGreaterThan(0);
    const again = await ingest(kith, organization, lines);
    expect(again).toEqual({ ...counts, interactions: 0, threads: 0, skipped: skipped + interactions });
  },
);
