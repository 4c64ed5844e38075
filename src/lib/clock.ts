/** The one source of time. Tests move it; SQL gets it as a bound value. */

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
