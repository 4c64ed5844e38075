/** Navigation: icons only below 1180 pixels, a bar of five at the foot on phones. */
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import {
  Bell,
  Bot,
  Calendar,
  CircleCheck,
  CopyCheck,
  Download,
  House,
  Inbox,
  LayoutDashboard,
  List,
  Search,
  Settings,
} from 'lucide-react';
import { type ComponentType, type MouseEvent, type ReactNode } from 'react';
import { lazyPart } from './lazy-part.ts';
import { kith } from '../api/kith.ts';
import { keys } from '../api/queries.ts';
import type { ObjectShape } from '../api/workspace.ts';
import { useFormats, useTexts } from '../i18n/language.tsx';
import { keyText } from './keys.ts';
import { useIsLater } from './later.ts';
import { ObjectIcon } from './object-icon.tsx';
import { PersonMenu } from './person-menu.tsx';
import type { Over } from './over.ts';
import styles from './side-bar.module.css';
import { useWorkspace } from './workspace-context.tsx';

const Going = lazyPart(
  () => import('./going.tsx'),
  (file) => file.Going,
);

/** Objects that have pages of their own. */
const elsewhere = new Set(['tasks', 'notes']);

/** The bar. */
export function SideBar({ open }: { open: (over: Over) => void }) {
  const { shell } = useTexts();
  const { objects, permissions, reader } = useWorkspace();
  const shown = [...objects.values()].filter(({ name }) => !elsewhere.has(name));
  const counts = useCounts(shown);
  const unread = useUnread();
  const isLater = useIsLater();
  return (
    <nav className={styles.side} aria-label={shell.navigation}>
      <Brand name={reader.organization} />
      <Find open={() => open('palette')} />
      <Group>
        <NavItem to="/home" icon={House} label={shell.home} isOnPhone />
        <NavItem to="/inbox" icon={Inbox} label={shell.inbox} isOnPhone />
        {(permissions['tasks']?.view ?? 'none') !== 'none' && (
          <NavItem to="/tasks" icon={CircleCheck} label={shell.tasks} isOnPhone />
        )}
        <NavItem to="/calendar" icon={Calendar} label={shell.calendar} />
      </Group>
      {shown.length > 0 && (
        <Group title={shell.records}>
          {shown.map(({ name, label, iconName }, at) => (
            <li key={name} className={at === 0 ? styles.onPhone : undefined}>
              <Way to={`/r/${name}`} label={label}>
                <ObjectIcon name={iconName} />
                <bdi className={styles.label}>{label}</bdi>
                <Count value={counts.get(name)} />
              </Way>
            </li>
          ))}
        </Group>
      )}
      <Group title={shell.more}>
        <NavItem to="/dashboards" icon={LayoutDashboard} label={shell.dashboards} />
        <NavItem to="/lists" icon={List} label={shell.lists} />
        {reader.isAdmin && <NavItem to="/duplicates" icon={CopyCheck} label={shell.duplicates} />}
        {reader.isAdmin && <NavItem to="/import" icon={Download} label={shell.imports} />}
        <NavItem to="/agents" icon={Bot} label={shell.agents} />
      </Group>
      <div className={styles.foot}>
        {isLater && <Going />}
        <Group>
          <NavItem to="/notifications" icon={Bell} label={shell.notifications} count={unread} />
          <NavItem to="/settings" icon={Settings} label={shell.settings} />
        </Group>
        <PersonMenu open={open} />
      </div>
    </nav>
  );
}

/** The organization's name, a link to the first page. */
function Brand({ name }: { name: string }) {
  return (
    <a className={styles.brand} href="/" title={name}>
      <svg viewBox="0 0 16 16" className={styles.mark} aria-hidden="true">
        <path d="M4 1.5v13M4.3 8.6l6.2-4.1M4.3 8.6l6.2 4" />
        <circle cx="12" cy="3.5" r="1.75" />
        <circle cx="12" cy="13" r="1.75" />
      </svg>
      <bdi className={styles.label}>{name}</bdi>
    </a>
  );
}

function Find({ open }: { open: () => void }) {
  const { shell } = useTexts();
  return (
    <button type="button" className={styles.search} title={shell.searchOrDo} onClick={open}>
      <Search size={16} aria-hidden="true" />
      <span className={`${styles.label} ${styles.whole}`}>{shell.searchOrDo}</span>
      <span className={`${styles.label} ${styles.short}`} aria-hidden="true">
        {shell.search}
      </span>
      <kbd aria-hidden="true">{keyText('mod+k')}</kbd>
    </button>
  );
}

function Group({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <>
      {title !== undefined && <h2 className={styles.title}>{title}</h2>}
      <ul className={styles.group}>{children}</ul>
    </>
  );
}

interface NavItemProps {
  readonly to: string;
  readonly icon: ComponentType<{ size: number }>;
  readonly label: string;
  readonly count?: number | undefined;
  readonly isOnPhone?: boolean;
}

function NavItem({ to, icon: Icon, label, count, isOnPhone = false }: NavItemProps) {
  return (
    <li className={isOnPhone ? styles.onPhone : undefined}>
      <Way to={to} label={label}>
        <Icon size={16} aria-hidden="true" />
        <span className={styles.label}>{label}</span>
        <Count value={count} />
      </Way>
    </li>
  );
}

/** A link of the bar. The router's own `Link` would cost a tenth of a page's loading time. */
function Way({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  const router = useRouter();
  const isHere = useRouterState({
    select: ({ location }) => location.pathname === to || location.pathname.startsWith(`${to}/`),
  });
  const go = (event: MouseEvent) => {
    // With a modifier key, the browser opens the link its own way.
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    router.history.push(to);
  };
  return (
    <a href={to} className={styles.place} title={label} aria-current={isHere ? 'page' : undefined} onClick={go}>
      {children}
    </a>
  );
}

function Count({ value }: { value: number | undefined }) {
  const formats = useFormats();
  return value === undefined ? undefined : <span className={styles.count}>{formats.number(value)}</span>;
}

/** The number of records of each object that the reader may see. */
function useCounts(objects: readonly ObjectShape[]): ReadonlyMap<string, number> {
  const isLater = useIsLater();
  const names = objects.slice(0, 24).map(({ name }) => name);
  const { data } = useQuery({
    queryKey: [...keys.counts, names],
    enabled: isLater,
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        names.map((name) => kith.records.list(name, { limit: 1, fields: 'id' }, { signal })),
      );
      return new Map(names.map((name, at) => [name, lists[at]?.total ?? 0]));
    },
  });
  return data ?? new Map();
}

function useUnread(): number | undefined {
  const isLater = useIsLater();
  const { data } = useQuery({
    queryKey: [...keys.notifications, 'unread'],
    enabled: isLater,
    queryFn: ({ signal }) => kith.notifications.list({ limit: 1 }, { signal }),
  });
  return data && data.unread > 0 ? data.unread : undefined;
}
