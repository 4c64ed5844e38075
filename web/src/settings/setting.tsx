import type { ReactNode } from 'react';
import { useTexts } from '../i18n/language.tsx';
import type { SettingPage } from './pages.ts';
import styles from './settings.module.css';

/** One page of settings: title, introduction and content. */
export function Setting({ page, lead, children }: { page: SettingPage; lead?: ReactNode; children?: ReactNode }) {
  const { settings } = useTexts();
  return (
    <>
      <header className={styles.head}>
        <h2>{settings.pages[page]}</h2>
        {lead !== undefined && <p className="dim">{lead}</p>}
      </header>
      {children}
    </>
  );
}

/** A section with its own heading. */
export function SettingPart({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** An entry of a definition list: its label and its value. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
