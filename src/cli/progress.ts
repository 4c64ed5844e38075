/** A progress line for long work, on terminals only. */
import type { WriteStream } from 'node:tty';
import { soMany } from '../lib/so-many.ts';

export interface Progress {
  /** `share` is the part that is done, from 0 to 1, if known. */
  show(rows: number, share: number | undefined): void;
  /** Removes the line. */
  clear(): void;
}

const everyMs = 100;
const barWidth = 24;
const clearLine = '\r\u001b[K';

const silent: Progress = { show() {}, clear() {} };

/** Shows progress on `stream` if it is a terminal. */
export function createProgress(stream: WriteStream, env: NodeJS.ProcessEnv): Progress {
  if (!stream.isTTY || env['TERM'] === 'dumb' || env['CI']) return silent;
  const started = performance.now();
  let shownAt = -Infinity;
  return {
    show(rows, share) {
      const now = performance.now();
      if (now - shownAt < everyMs) return;
      shownAt = now;
      stream.write(clearLine + progressLine(rows, share, (now - started) / 1000));
    },
    clear() {
      if (shownAt > 0) stream.write(clearLine);
    },
  };
}

/** For example `[######------------------]  25 %  12,000 rows  4,000/s`. */
export function progressLine(rows: number, share: number | undefined, seconds: number): string {
  const rate = Math.round(rows / Math.max(seconds, 0.001)).toLocaleString('en');
  const counted = `${soMany(rows, 'row')}  ${rate}/s`;
  if (share === undefined) return counted;
  const done = Math.min(1, Math.max(0, share));
  const bar = '#'.repeat(Math.round(done * barWidth)).padEnd(barWidth, '-');
  return `[${bar}] ${String(Math.floor(done * 100)).padStart(3)} %  ${counted}`;
}
