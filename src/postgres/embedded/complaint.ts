/** Why a program of PostgreSQL did not start, out of what it wrote. */

/** What PostgreSQL tells without saying what to do. */
const remedies: readonly (readonly [told: RegExp, remedy: string])[] = [
  [/shared memory segment .*No space left/, 'make room in /dev/shm (docker run --shm-size)'],
  [/insufficient file descriptors/, 'allow more open files (ulimit -n, LimitNOFILE of systemd)'],
];

/** The last FATAL or PANIC, with what to do where that is known; undefined where there is none. Of a start there are no values in it. */
export function complaintIn(text: string): string | undefined {
  const complaint = text
    .split('\n')
    .flatMap((line) => /(?:FATAL|PANIC): +(.*)$/.exec(line)?.[1] ?? [])
    .at(-1);
  const remedy = remedies.find(([told]) => told.test(complaint ?? ''))?.[1];
  return remedy === undefined ? complaint : `${complaint}: ${remedy}`;
}
