/** Detects a worker process that hangs: it serves nobody, and does not end by itself. */

export interface Pulse {
  /** The worker has answered. */
  felt(): void;
  stop(): void;
}

const beatMillis = 1_000;
/** The largest body keeps a worker busy for fewer, even on a busy machine. */
const mostMissed = 10;
/** Loading the program takes longer than any request. */
const mostMissedAtFirst = 60;

/**
 * Calls `ask` once a second, and `lost` when too many in a row were unanswered. It counts beats rather than time, so
 * a primary that was suspended reads pending answers before it judges.
 */
export function watchPulse(ask: () => void, lost: (seconds: number) => void): Pulse {
  let missed = 0;
  let most = mostMissedAtFirst;
  const timer = setInterval(() => {
    if (missed === most) {
      clearInterval(timer);
      lost((missed * beatMillis) / 1_000);
    } else {
      missed++;
      ask();
    }
  }, beatMillis);
  timer.unref();
  return {
    felt() {
      missed = 0;
      most = mostMissed;
    },
    stop: () => clearInterval(timer),
  };
}
