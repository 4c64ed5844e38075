/** Every page by its address; its code is loaded on the first visit. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { NotThere } from './not-there.tsx';
import { pageModules } from './page-modules.ts';
import { Failure } from '../ui/failure.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotThere,
  validateSearch: (search: Record<string, unknown>): Record<string, string | undefined> =>
    Object.fromEntries(
      Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    ),
});

type Modules = typeof pageModules;
type Load = () => Promise<Readonly<Record<string, ComponentType>>>;

/** Addresses of the same page share one component, so that its state stays when the address changes. */
const components = new Map<Load, ReturnType<typeof lazyRouteComponent>>();

/** The route of a path: the component with this name in its module. */
const page = <const Path extends keyof Modules>(
  path: Path,
  name: keyof Awaited<ReturnType<Modules[Path]>> & string,
) => {
  const load: Load = pageModules[path];
  const component = components.get(load) ?? lazyRouteComponent(load, name);
  components.set(load, component);
  return createRoute({ getParentRoute: () => root, path, component });
};

const pages = [
  page('/home', 'HomePage'),
  page('/r/$object', 'ListPage'),
  page('/r/$object/trash', 'TrashPage'),
  page('/r/$object/$id', 'RecordPage'),
  page('/inbox', 'InboxPage'),
  page('/inbox/$thread', 'InboxPage'),
  page('/tasks', 'TasksPage'),
  page('/calendar', 'CalendarPage'),
  page('/notifications', 'NotificationsPage'),
  page('/dashboards', 'DashboardsPage'),
  page('/dashboards/$id', 'DashboardPage'),
  page('/lists', 'ListsPage'),
  page('/lists/$id', 'ListEntriesPage'),
  page('/duplicates', 'DuplicatesPage'),
  page('/duplicates/$object', 'DuplicatesPage'),
  page('/agents', 'AgentsPage'),
  page('/agents/$set', 'AgentsPage'),
  page('/import', 'ImportsPage'),
  page('/import/$job', 'ImportPage'),
];

const settings = page('/settings', 'SettingsPage');

const setting = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => settings, path, component });

const settingPages = [
  setting(
    '/',
    lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'FirstSetting'),
  ),
  setting(
    '/you',
    lazyRouteComponent(() => import('../settings/you-page.tsx'), 'YouPage'),
  ),
  setting(
    '/keyboard',
    lazyRouteComponent(() => import('../settings/keyboard-page.tsx'), 'KeyboardPage'),
  ),
  setting(
    '/accounts',
    lazyRouteComponent(() => import('../settings/accounts-page.tsx'), 'AccountsPage'),
  ),
  setting(
    '/tokens',
    lazyRouteComponent(() => import('../settings/tokens-page.tsx'), 'TokensPage'),
  ),
  setting(
    '/apps',
    lazyRouteComponent(() => import('../settings/apps-page.tsx'), 'AppsPage'),
  ),
  setting(
    '/organization',
    lazyRouteComponent(() => import('../settings/organization-page.tsx'), 'OrganizationPage'),
  ),
  setting(
    '/people',
    lazyRouteComponent(() => import('../settings/people-page.tsx'), 'PeoplePage'),
  ),
  setting(
    '/roles',
    lazyRouteComponent(() => import('../settings/roles-page.tsx'), 'RolesPage'),
  ),
  setting(
    '/audit',
    lazyRouteComponent(() => import('../settings/audit-page.tsx'), 'AuditPage'),
  ),
];

/** The router. Query parameters stay text: pages parse their own. */
export const router = createRouter({
  routeTree: root.addChildren([...pages, settings.addChildren(settingPages)]),
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} again={reset} />,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch(search) {
    const given = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
