import { Link } from '@tanstack/react-router';
import styles from './tabs.module.css';

export interface Tab {
  readonly id: string;
  readonly label: string;
  readonly to: string;
  readonly search?: Record<string, string>;
}

/** Views of a page, each with its own address. */
export function Tabs({ label, tabs, chosen }: { label: string; tabs: readonly Tab[]; chosen: string }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ id, label: text, to, search = {} }) => (
        <Link
          key={id}
          to={to}
          search={search}
          className={styles.tab}
          activeProps={{}}
          aria-current={id === chosen ? 'true' : undefined}
          data-chosen={id === chosen}
        >
          {text}
        </Link>
      ))}
    </nav>
  );
}
