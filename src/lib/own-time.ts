/**
 * Time that this process could use. While its event loop is blocked, or the machine is suspended, it cannot receive
 * answers: the silence of others is measured in this time, not by the clock.
 */

const beatMs = 250;
/** Time between two beats beyond this was not usable. */
const mostOfBeat = 2 * beatMs;

let own = 0;
let last: number | undefined;

/** Milliseconds since the first call. At most half a second counts between two beats. */
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

/** Measures a period from now; `lostMs` is the unusable part so far. */
export function stretch(): { readonly lostMs: number } {
  const [clock, begun] = [performance.now(), ownNow()];
  return {
    get lostMs() {
      return performance.now() - clock - (ownNow() - begun);
    },
  };
}
