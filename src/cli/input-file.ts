/** What commands read that take a file of any size. */
import { openGiven } from '../lib/given-file.ts';
import { unreadable } from './unreadable.ts';

/** A file, or standard input, that a command reads. */
export interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether it can be read once more from its beginning. */
  readonly isPlain: boolean;
  /** The part that is read, where the size is known. */
  share(): number | undefined;
  stop(): void;
}

/** Opens the file, or standard input for `-`. Throws one sentence where it cannot be read. */
export function openInput(path: string, interruption: AbortSignal): Input {
  if (path === '-')
    return { bytes: process.stdin, isPlain: false, share: () => undefined, stop: () => process.stdin.destroy() };
  let given: ReturnType<typeof openGiven>;
  try {
    given = openGiven(path, interruption);
  } catch (error) {
    throw unreadable(path, error);
  }
  const { bytes, found } = given;
  return {
    bytes,
    isPlain: found.isFile(),
    share: () => (found.size > 0 ? bytes.bytesRead / found.size : undefined),
    stop: () => bytes.destroy(),
  };
}
