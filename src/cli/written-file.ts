/** Writes files atomically: they appear when complete, and replace others only on request. */
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errors, quoted } from '../errors.ts';
import { newFile } from '../lib/new-file.ts';
import { systemFailure } from '../lib/system-failure.ts';
import { codeOf, messageOf } from '../lib/thrown.ts';
import { othersCanWrite } from '../lib/trusted.ts';

export type Write = (content: string | Uint8Array) => Promise<void>;

export interface WrittenFile {
  readonly path: string;
  /** Whether an existing plain file is replaced. */
  readonly replaces: boolean;
  /** The mode of a new file; defaults to owner only. A replaced file keeps its mode. */
  readonly mode?: number;
}

/** Throws CONFLICT if the file exists; call it before the work, as `writeWhole` can only tell afterwards. */
export async function refuseExisting(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw taken(path);
}

/** Throws NOT_FOUND if the file's folder does not exist; call it before the work. */
export async function refuseMissingFolder(path: string): Promise<void> {
  const found = await stat(dirname(path)).catch(() => undefined);
  if (!found?.isDirectory()) throw errors.noFolder(path, dirname(path));
}

/** Notes if others can write in the folder and so replace the file at `path`; not for sticky folders such as `/tmp`. */
export async function noteSharedFolder(path: string, note: (message: string) => void): Promise<void> {
  const folder = dirname(path);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory() || (found.mode & 0o1000) !== 0 || !othersCanWrite(found)) return;
  note(
    `Others on this machine can write in ${folder}, and so remove ${path} or put another file in its place: chmod go-w ${folder}, or name a folder of your own`,
  );
}

/** Runs `work`, then gives the file its name. Throws CONFLICT, NOT_FOUND, PERMISSION_DENIED or INVALID_OPERATION if that fails. */
export async function writeWhole<T>(
  { path, replaces, mode }: WrittenFile,
  work: (write: Write) => Promise<T>,
): Promise<T> {
  const earlier = mode === undefined ? undefined : await stat(path).catch(() => undefined);
  const file = await newFile(path, earlier?.mode ?? mode).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  try {
    const result = await work((content) =>
      file.write(content).catch((error: unknown) => Promise.reject(unwritable(path, error))),
    );
    await file.finish(replaces).catch((error: unknown) => {
      throw unwritable(path, error);
    });
    return result;
  } finally {
    await file.discard();
  }
}

function unwritable(path: string, error: unknown): Error {
  const code = codeOf(error);
  if (code === 'EEXIST') return taken(path);
  if (code === 'ENOENT') return errors.noFolder(path, dirname(path));
  const reason = systemFailure(error, quoted(path));
  if (reason !== undefined)
    return code === 'EACCES' ? errors.permissionDenied(reason) : errors.invalidOperation(reason);
  return errors.notFound(`${quoted(path)} cannot be written: ${messageOf(error)}`);
}

function taken(path: string): Error {
  return errors.conflict(`The file ${quoted(path)} is there already: --force writes over it`);
}
