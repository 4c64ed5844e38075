/** Extracts from a PostgreSQL program's output why it did not start. */

/** Remedies for messages of PostgreSQL that lack one. */
const remedies: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/shared memory segment .*No space left/, 'make room in /dev/shm (docker run --shm-size)'],
  [/insufficient file descriptors/, 'allow more open files (ulimit -n, LimitNOFILE of systemd)'],
];

/**
 * The last FATAL or PANIC with a known remedy, if any; undefined without one. Messages of a start contain no values.
 */
export function complaintIn(text: string): string | undefined {
  const complaint = text
    .split('\n')
    .flatMap((line) => /(?:FATAL|PANIC): +(.*)$/.exec(line)?.[1] ?? [])
    .at(-1);
  const remedy = remedies.find(([pattern]) => pattern.test(complaint ?? ''))?.[1];
  return remedy === undefined ? complaint : `${complaint}: ${remedy}`;
}
