import { Link, Navigate, Outlet, useLocation } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useIsPhone } from '../app/use-is-phone.ts';
import { useTitle } from '../app/use-title.ts';
import { useWorkspace } from '../app/workspace-context.tsx';
import { useTexts } from '../i18n/language.tsx';
import { TopBar } from '../ui/top-bar.tsx';
import { settingGroups, type SettingPage } from './pages.ts';
import styles from './settings.module.css';

/** Settings: the list of pages with the open one beside it; on a phone, the list, then the page. */
export function SettingsPage() {
  const { shell, settings } = useTexts();
  const isPhone = useIsPhone();
  const open = useOpenPage();
  const label = open && settings.pages[open];
  useTitle(label ?? shell.settings);
  const isListAlone = isPhone && open === undefined;
  return (
    <>
      {isPhone && label !== undefined ? (
        <TopBar title={label} back={<Back />} />
      ) : (
        <TopBar title={shell.settings}>
          {label !== undefined && (
            <>
              <span className="faint" aria-hidden="true">
                /
              </span>
              <span>{label}</span>
            </>
          )}
        </TopBar>
      )}
      <div className={styles.split}>
        {(!isPhone || isListAlone) && <List open={open} />}
        {!isListAlone && (
          <div className={styles.page}>
            <Outlet />
          </div>
        )}
      </div>
    </>
  );
}

/** Opens the first page beside the list. */
export function FirstSetting() {
  return useIsPhone() ? undefined : <Navigate to="/settings/you" replace />;
}

function useOpenPage(): SettingPage | undefined {
  const { settings } = useTexts();
  const name = useLocation({ select: ({ pathname }) => pathname.split('/')[2] ?? '' });
  return Object.hasOwn(settings.pages, name) ? (name as SettingPage) : undefined;
}

function Back() {
  const { shell } = useTexts();
  return (
    <Link to="/settings" className={styles.back} aria-label={shell.settings}>
      <ArrowLeft size={16} />
    </Link>
  );
}

function List({ open }: { open: SettingPage | undefined }) {
  const { shell, settings } = useTexts();
  const { reader } = useWorkspace();
  return (
    <nav className={styles.list} aria-label={shell.settings}>
      {settingGroups(reader.isAdmin).map(({ name, pages }) => (
        <section key={name}>
          <h2>{settings.groups[name]}</h2>
          <ul>
            {pages.map((page) => (
              <li key={page}>
                <Link
                  to={`/settings/${page}`}
                  className={styles.place}
                  aria-current={page === open ? 'page' : undefined}
                >
                  {settings.pages[page]}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}
