/** The connection that the primary is handing over to a worker: Node forgets it when the worker ends before it took it. */
import type { ChildProcess, Serializable } from 'node:child_process';

/** Closes that connection at the end of `worker`; its client would wait for ever. */
export function closeHandedOver(worker: ChildProcess): void {
  const send: (message: Serializable, ...rest: never[]) => boolean = worker.send.bind(worker);
  let last: unknown;
  worker.send = (message: Serializable, ...rest: never[]) => {
    // Only connections are handed over, one at a time; one that was taken is closed here already, and stays so.
    const [handle]: readonly unknown[] = rest;
    if (isHandle(handle)) last = handle;
    return send(message, ...rest);
  };
  worker.once('exit', () => isHandle(last) && last.close());
}

function isHandle(value: unknown): value is { close(): void } {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function';
}
