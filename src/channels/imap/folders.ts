/** Which folders of a mailbox are synchronised. [contract: Accounts] */
import type { ImapFlow, ListResponse } from 'imapflow';
import { ChannelFailure } from '../channel-failure.ts';

export interface Folder {
  readonly path: string;
  readonly isSent: boolean;
  /** As of the list; undefined where the server does not say. */
  readonly uidValidity: string | undefined;
  readonly uidNext: number | undefined;
}

/** Found by their special use, or by what they are mostly called where the server names none. */
const leftOut: ReadonlySet<string> = new Set(['\\Trash', '\\Junk', '\\Drafts']);

/** Those that are named, else all but trash, junk and drafts; the inbox first. Throws ChannelFailure for one that is not there. */
export async function foldersOf(client: ImapFlow, named: readonly string[] | undefined): Promise<readonly Folder[]> {
  const listed = await client.list({ statusQuery: { uidNext: true, uidValidity: true } });
  const there = listed.filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'));
  const missing = named?.find((name) => !there.some(({ path }) => path === name));
  if (missing !== undefined) throw new ChannelFailure(`The mailbox has no folder ${JSON.stringify(missing)}`);
  const wanted = there.filter(({ path, specialUse }) =>
    named ? named.includes(path) : specialUse === undefined || !leftOut.has(specialUse),
  );
  return wanted.map(folderOf).toSorted((a, b) => Number(b.path === 'INBOX') - Number(a.path === 'INBOX'));
}

/** The folder with that special use, such as `\Sent`; undefined where there is none. */
export async function folderFor(client: ImapFlow, use: string): Promise<string | undefined> {
  return (await client.list()).find(({ specialUse }) => specialUse === use)?.path;
}

function folderOf({ path, specialUse, status }: ListResponse): Folder {
  return {
    path,
    isSent: specialUse === '\\Sent',
    uidValidity: status?.uidValidity?.toString(),
    uidNext: status?.uidNext,
  };
}
