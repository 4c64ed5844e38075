import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useFormats } from '../i18n/language.tsx';
import { useSettingTexts } from '../i18n/setting-texts.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import styles from './tokens.module.css';

/** A new token; its text is known only here, and cannot be shown again. */
export interface MadeToken {
  readonly id: string;
  readonly name: string;
  readonly expires_at: string | null;
  readonly token: string;
}

/** Shows a new token to be copied. */
export function FreshToken({ made: { name, token, expires_at: end } }: { made: MadeToken }) {
  const { tokens } = useSettingTexts();
  const formats = useFormats();
  const copy = useRef<HTMLButtonElement>(null);
  useEffect(() => copy.current?.focus(), []);
  const first = `export KITH_TOKEN=${token}\ncurl -H "Authorization: Bearer $KITH_TOKEN" '${location.origin}/api/v1/me?pretty'`;
  return (
    <section className={styles.fresh} role="status">
      <header className={styles.ready}>
        <Check size={16} aria-hidden="true" />
        <h3>{tokens.ready(name)}</h3>
        {end !== null && <span className="dim">{tokens.until(formats.day(end))}</span>}
      </header>
      <CodeBlock label={tokens.once} text={token} copyRef={copy} />
      <CodeBlock label={tokens.firstRequest} text={first} />
    </section>
  );
}
