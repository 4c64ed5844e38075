/**
 * Long work in slices: one turn of the event loop gives ten milliseconds to such work, that of all requests together, and
 * whoever else is there is served between the turns. Those who go on take turns in the order in which they paused.
 */
const sliceMs = 10;

const line: (() => void)[] = [];
/** Undefined while nobody is at such work. */
let sliceEnd: number | undefined;

/** Whether the slice is used up: time to `nextSlice()`. Asked before each piece of work, which takes a few milliseconds at most. */
export function sliceIsOver(): boolean {
  if (sliceEnd === undefined) begin();
  return performance.now() >= (sliceEnd ?? 0);
}

/** Resolves when the caller may go on, and rejects with the reason of `signal` where that is aborted by then. */
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

/** What `map` gives for each item, in slices. */
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
