/**
 * Time as far as this process could use it. While its event loop is held, or the machine does not let it run, it hears of
 * no answer: whoever judges by how long another one is silent counts in this time, not by the clock.
 */

const beatMs = 250;
/** What passes between two beats beyond this was not the process's own. */
const mostOfBeat = 2 * beatMs;

let own = 0;
let last: number | undefined;

/** Milliseconds since it was asked first. Between two beats at most half a second passes. */
export function ownNow(): number {
  if (last === undefined) begin();
  return own + sinceBeat();
}

function sinceBeat(): number {
  return Math.min(performance.now() - (last ?? 0), mostOfBeat);
}

function begin(): void {
  last = performance.now();
  setInterval(() => {
    own += sinceBeat();
    last = performance.now();
  }, beatMs).unref();
}

/** A stretch of time that begins now; `lostMs` of it this process could not use so far. */
export function stretch(): { readonly lostMs: number } {
  const [clock, begun] = [performance.now(), ownNow()];
  return {
    get lostMs() {
      return performance.now() - clock - (ownNow() - begun);
    },
  };
}
