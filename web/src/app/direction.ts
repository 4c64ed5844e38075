/** The keys of the arrows towards the end of a line, and back towards its start: where it is read from right to left, the other way round. */
export function sideArrows(): Readonly<Record<'forward' | 'backward', 'ArrowLeft' | 'ArrowRight'>> {
  return document.documentElement.dir === 'rtl'
    ? { forward: 'ArrowLeft', backward: 'ArrowRight' }
    : { forward: 'ArrowRight', backward: 'ArrowLeft' };
}
