/** The arrow keys that mean forward and backward in the reading direction. */
export function sideArrows(): Readonly<Record<'forward' | 'backward', 'ArrowLeft' | 'ArrowRight'>> {
  return document.documentElement.dir === 'rtl'
    ? { forward: 'ArrowLeft', backward: 'ArrowRight' }
    : { forward: 'ArrowRight', backward: 'ArrowLeft' };
}
