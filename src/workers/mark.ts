/** How a process knows that it is a worker. */

/** The variable of its environment that says so. */
export const workerMark = 'KITH_IS_WORKER';

/** Whether this process is a worker. The mark is taken away: what a worker starts is none. */
export function takeMark(): boolean {
  const marked = process.env[workerMark] === '1' && process.connected;
  delete process.env[workerMark];
  return marked;
}
