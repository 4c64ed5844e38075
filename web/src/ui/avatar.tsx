import { Bot } from 'lucide-react';
import styles from './avatar.module.css';

interface AvatarProps {
  readonly name: string;
  /** Circles for people, squares for companies, a robot for agents. */
  readonly kind?: 'person' | 'company' | 'agent';
  readonly size?: 'small' | 'large';
}

/** The initials of a name in a colour derived from it. Decorative: the name is beside it. */
export function Avatar({ name, kind = 'person', size = 'small' }: AvatarProps) {
  const classes = [styles.avatar, styles[kind], styles[size]].join(' ');
  return (
    <span className={classes} style={{ '--h': hueOf(name) }} aria-hidden="true">
      {kind === 'agent' ? <Bot size={12} strokeWidth={1.6} /> : initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
}

function hueOf(name: string): number {
  let sum = 0;
  for (const sign of name) sum = (sum * 31 + (sign.codePointAt(0) ?? 0)) % 360;
  return sum;
}
