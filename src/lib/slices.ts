/**
 * Long work in slices: in one turn of the event loop, all such work together gets ten milliseconds, and other
 * requests are served between turns. Paused work continues in the order in which it paused.
 */
const sliceMs = 10;

const line: (() => void)[] = [];
/** Undefined while no such work runs. */
let sliceEnd: number | undefined;

/** Whether the slice is used up: call `nextSlice()`. Check before each piece of work of a few milliseconds. */
export function sliceIsOver(): boolean {
  if (sliceEnd === undefined) begin();
  return performance.now() >= (sliceEnd ?? 0);
}

/** Resolves when the caller may continue; rejects with the reason of `signal` if aborted by then. */
export function nextSlice(signal?: AbortSignal): Promise<void> {
  if (sliceEnd === undefined) begin();
  return new Promise((resolve, reject) => line.push(() => (signal?.aborted ? reject(signal.reason) : resolve())));
}

/** Calls `work` for each item, in slices. */
export async function inSlices<T>(items: Iterable<T>, work: (item: T, at: number) => void): Promise<void> {
  let at = 0;
  for (const item of items) {
    if (sliceIsOver()) await nextSlice();
    work(item, at++);
  }
}

/** Maps the items in slices. */
export async function mapInSlices<T, R>(items: Iterable<T>, map: (item: T, at: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  await inSlices(items, (item, at) => mapped.push(map(item, at)));
  return mapped;
}

function begin(): void {
  sliceEnd = performance.now() + sliceMs;
  setImmediate(turn);
}

function turn(): void {
  const next = line.shift();
  sliceEnd = undefined;
  if (!next) return;
  begin();
  next();
}
