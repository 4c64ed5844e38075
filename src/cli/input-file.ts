/** Input files of commands that take any size. */
import { openGiven } from '../lib/given-file.ts';
import { unreadable } from './unreadable.ts';

/** A file or standard input. */
export interface Input {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Whether it can be read again from the start. */
  readonly isPlain: boolean;
  /** The share read so far, if the size is known. */
  share(): number | undefined;
  stop(): void;
}

/** Opens the file, or standard input for `-`. Throws an error with one sentence if it cannot be read. */
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
