import styles from './chip.module.css';

/** An option or tag: a coloured dot and its label. */
export function Chip({ label, color, isRing = false }: { label: string; color: string; isRing?: boolean }) {
  return (
    <span className={styles.chip}>
      <Dot color={color} isRing={isRing} />
      <bdi className={styles.label}>{label}</bdi>
    </span>
  );
}

/** A dot, or a ring for ended states. Decorative: a label is beside it. */
export function Dot({ color, isRing = false }: { color: string; isRing?: boolean }) {
  return <i className={isRing ? styles.ring : styles.dot} style={{ '--c': color }} aria-hidden="true" />;
}

const colors = ['var(--c-1)', 'var(--c-2)', 'var(--c-3)', 'var(--c-4)', 'var(--c-5)', 'var(--c-6)'];

const known = new Map<string, boolean>();

/** Whether the browser knows the colour; remembered, since CSS.supports is slow for 2,000 options. */
function isColor(text: string): boolean {
  const is = known.get(text) ?? CSS.supports('color', text);
  known.set(text, is);
  return is;
}

/** The colour of the option at `index`: its own if it is valid, else one of the theme's in turn. */
export function colorAt(index: number, own?: string | null): string {
  if (own && isColor(own)) return own;
  return colors[Math.max(0, index) % colors.length] ?? 'var(--c-6)';
}
