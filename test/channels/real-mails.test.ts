/** Real mails, of people, lists, and those who send what nobody wants: all of them come in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMail } from '../../src/channels/mail/read-mail.ts';
import { noMailHost, startMailHost, type MailHost } from '../support/mail-host.ts';
import { startAccounts, type Accounts } from './accounts.ts';

const folder = new URL('../../../shared/data/email', import.meta.url).pathname;
const skipped = noMailHost !== undefined || !existsSync(folder);

let host: MailHost;
let accounts: Accounts;

beforeAll(async () => {
  if (skipped) return;
  host = await startMailHost();
  accounts = await startAccounts();
});
afterAll(async () => {
  await accounts?.stop();
  await host?.stop();
});

/** The messages of a file: one, or those of an archive, each behind a line that says from whom and when. */
function mailsIn(path: string): Buffer[] {
  const bytes = readFileSync(join(folder, path));
  if (path.endsWith('.eml')) return [bytes];
  const parts = bytes.toString('latin1').split(/^From \S+ .*\d{4}\r?\n/m);
  return parts.slice(1).map((part) => Buffer.from(part.replace(/^>(>*From )/gm, '$1'), 'latin1'));
}

/** The messages by the folder that their collection gets. */
function collections(): Map<string, Buffer[]> {
  const found = new Map<string, Buffer[]>();
  for (const path of readdirSync(folder, { recursive: true }) as string[])
    if (/\.(eml|mbox)$/.test(path)) {
      const [group = ''] = path.split('/');
      found.set(group, [...(found.get(group) ?? []), ...mailsIn(path)]);
    }
  return found;
}

interface Message {
  readonly participants: readonly string[];
  readonly date: string;
}

/** Every message of the inbox, thread by thread. */
async function messagesOfInbox(): Promise<{ threads: number; messages: Message[] }> {
  const { admin } = accounts;
  const messages: Message[] = [];
  let threads = 0;
  let cursor: string | undefined;
  do {
    const page = (await admin.get('/inbox/threads', { limit: '100', ...(cursor && { cursor }) })).json;
    for (const { id } of page.data) {
      threads++;
      let next: string | undefined;
      do {
        const query = { message_limit: '200', ...(next && { message_cursor: next }) };
        const { json } = await admin.get(`/inbox/threads/${id}`, query);
        messages.push(...json.messages);
        next = json.next_message_cursor ?? undefined;
      } while (next);
    }
    cursor = page.nextCursor;
  } while (cursor);
  return { threads, messages };
}

describe.skipIf(skipped)('a mailbox of real mails', () => {
  it('comes in as a whole: each message once, and a second time nothing', { timeout: 300_000 }, async () => {
    const groups = collections();
    for (const [group, mails] of groups) await host.deliver('ada', mails, `Real ${group}`);
    const mails = await Promise.all([...groups.values()].flat().map((bytes) => readMail(bytes)));
    const ids = new Set(mails.map(({ id }) => id));
    const id = await accounts.connected(host.account('ada'));
    const sync = async () => (await accounts.sync(id)).json;
    const came = await sync();
    expect(came).toMatchObject({ interactions: ids.size, failed: [] });
    expect(ids.size).toBeGreaterThan(1_400);

    const { threads, messages } = await messagesOfInbox();
    expect([threads, messages.length]).toEqual([came['threads'], ids.size]);
    const people = new Set(messages.flatMap(({ participants }) => participants));
    expect(people.size).toBeGreaterThan(500);
    console.log(
      `${mails.length} mails: ${ids.size} messages, ${threads} threads, ${people.size} participants, ${(came['failed'] as unknown[]).length} failures`,
    );
    expect(await sync()).toMatchObject({ interactions: 0, threads: 0 });
  });
});
