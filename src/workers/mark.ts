/** How a process knows that it is a worker. */

/** The environment variable that marks a worker. */
export const workerMark = 'KITH_IS_WORKER';

/** Whether this process is a worker. Removes the mark, so that its children are none. */
export function takeMark(): boolean {
  const marked = process.env[workerMark] === '1' && process.connected;
  delete process.env[workerMark];
  return marked;
}
