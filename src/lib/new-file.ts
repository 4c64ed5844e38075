/** Writes a file that appears as a whole or not at all, and never through a link that others have prepared. */
import { randomBytes } from 'node:crypto';
import { link, lstat, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { codeOf } from './thrown.ts';

export interface NewFile {
  /** For writing and reading; closed with the file. */
  readonly handle: FileHandle;
  write(content: string | Uint8Array): Promise<void>;
  /** Gives the file its name. Throws EEXIST where the name is taken, unless it `replaces` a plain file. */
  finish(replaces: boolean): Promise<void>;
  /** Removes the draft, unless it was finished. */
  discard(): Promise<void>;
}

/** Starts a draft beside `path` under an unpredictable name, by default accessible to its owner alone. */
export async function newFile(path: string, mode = 0o600): Promise<NewFile> {
  const draft = `${path}.${randomBytes(8).toString('hex')}.part`;
  const ofFile = (error: unknown): never => {
    throw errorAboutFile(path, draft, error);
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

/** Rewrites the system's error about the draft as one about the file, since users do not know the draft. */
function errorAboutFile(path: string, draft: string, error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const copy = new Error(error.message.replaceAll(draft, path), { cause: error });
  return Object.assign(copy, { code: codeOf(error), path });
}

/** A link or a device with that name exists for a reason, so it is not replaced. */
async function replace(draft: string, path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found && !found.isFile()) throw new Error('it is there, and no plain file');
  await rename(draft, path);
}

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** A hard link fails where the name is taken; without hard links, the name is claimed by an empty file first. */
async function nameAnew(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
  } catch (error) {
    if (!withoutLinks.has(codeOf(error) ?? '')) throw error;
    await (await open(path, 'wx', 0o600)).close();
    await rename(draft, path);
  }
}
