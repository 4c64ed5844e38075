/** The folders of a mailbox that are synced. [contract: Accounts] */
import type { ImapFlow, ListResponse } from 'imapflow';
import { ChannelFailure } from '../channel-failure.ts';

/** A folder to sync. */
export interface Folder {
  readonly path: string;
  readonly isSent: boolean;
  /** From the listing, like `uidNext`; undefined if the server does not report it. */
  readonly uidValidity: string | undefined;
  readonly uidNext: number | undefined;
}

/** Special uses of folders that are not synced; imapflow guesses them from names if the server has none. */
const leftOut: ReadonlySet<string> = new Set(['\\Trash', '\\Junk', '\\Drafts']);

/** The named folders, else all except trash, junk and drafts; the inbox first. Throws ChannelFailure if a named folder does not exist. */
export async function foldersOf(client: ImapFlow, named: readonly string[] | undefined): Promise<readonly Folder[]> {
  const listed = await client.list({ statusQuery: { uidNext: true, uidValidity: true } });
  const existing = listed.filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'));
  const missing = named?.find((name) => !existing.some(({ path }) => path === name));
  if (missing !== undefined) throw new ChannelFailure(`The mailbox has no folder ${JSON.stringify(missing)}`);
  const wanted = existing.filter(({ path, specialUse }) =>
    named ? named.includes(path) : specialUse === undefined || !leftOut.has(specialUse),
  );
  return wanted.map(folderOf).toSorted((a, b) => Number(b.path === 'INBOX') - Number(a.path === 'INBOX'));
}

/** The folder with that special use, such as `\Sent`; undefined without one. */
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
