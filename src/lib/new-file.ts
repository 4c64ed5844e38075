/** A file that is there as a whole or not at all, and is written through nothing that others laid ready. */
import { randomBytes } from 'node:crypto';
import { link, lstat, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { codeOf } from './thrown.ts';

export interface NewFile {
  /** For writing, and for reading what was written; closed with the file. */
  readonly handle: FileHandle;
  write(content: string | Uint8Array): Promise<void>;
  /** Gives the file its name. Throws EEXIST where the name is taken, unless it `replaces` the plain file that has it. */
  finish(replaces: boolean): Promise<void>;
  /** Removes what was written, unless it was finished. */
  discard(): Promise<void>;
}

/** Begins a file beside `path`, for its owner alone unless told, under a name that nobody can have laid ready. */
export async function newFile(path: string, mode = 0o600): Promise<NewFile> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.part`;
  const ofFile = (error: unknown): never => {
    throw toldOf(path, draft, error);
  };
  const handle = await open(draft, 'wx+', mode).catch(ofFile);
  let isOpen = true;
  const close = async () => {
    if (isOpen) await handle.close();
    isOpen = false;
  };
  return {
    handle,
    write: (content) => handle.writeFile(content),
    async finish(replaces) {
      await handle.sync();
      await close();
      await (replaces ? replace(draft, path) : nameAnew(draft, path)).catch(ofFile);
      await rm(draft, { force: true });
    },
    async discard() {
      await close();
      await rm(draft, { force: true });
    },
  };
}

/** What the system says of the draft, said of the file: nobody has heard of the other. */
function toldOf(path: string, draft: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const told = new Error(error.message.replaceAll(draft, path), { cause: error });
  return Object.assign(told, { code: codeOf(error), path });
}

/** A link or a device that has the name is there for a reason of its own. */
async function replace(draft: string, path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found && !found.isFile()) throw new Error('it is there, and no plain file');
  await rename(draft, path);
}

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A second name refuses to take the place of what is there; a file system without second names has the name claimed first. */
async function nameAnew(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error) ?? '')) throw error;
    await (await open(path, 'wx', 0o600)).close();
    await rename(draft, path);
  }
}
