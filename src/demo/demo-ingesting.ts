/** Ingests conversations and meetings as `kith ingest` does; existing ones are skipped. */
import { ingestLines } from '../operations/conversations/ingest.ts';
import type { PlannedLine } from './demo-conversations.ts';
import type { DemoDesks } from './demo-desks.ts';

/** Lines per call, few enough to hardly delay other requests. */
const linesAtOnce = 60;

/** Ingests the lines in batches, each at the time of its last line. */
export async function bringConversations(
  desks: DemoDesks,
  lines: readonly PlannedLine[],
  stop: AbortSignal,
): Promise<void> {
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    stop.throwIfAborted();
    const some = lines.slice(start, start + linesAtOnce);
    const at = some.at(-1)?.at ?? 0;
    const batch = some.map(({ value }, place) => ({ line: start + place + 1, value }));
    const { errors } = await desks.perform(null, at, ingestLines, { lines: batch });
    if (errors.length > 0) throw new Error(`A line of the demo was refused: ${JSON.stringify(errors[0])}`);
  }
}
