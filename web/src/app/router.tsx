/** Every page by its address; each is fetched when it is first gone to. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { NotThere } from './not-there.tsx';
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

const page = <const Path extends string>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => root, path, component });

const records = lazyRouteComponent(() => import('../records/list-page.tsx'), 'ListPage');
const inbox = lazyRouteComponent(() => import('../inbox/inbox-page.tsx'), 'InboxPage');
const duplicates = lazyRouteComponent(() => import('../duplicates/duplicates-page.tsx'), 'DuplicatesPage');
const agents = lazyRouteComponent(() => import('../agents/agents-page.tsx'), 'AgentsPage');

const pages = [
  page(
    '/home',
    lazyRouteComponent(() => import('../home/home-page.tsx'), 'HomePage'),
  ),
  page('/r/$object', records),
  page(
    '/r/$object/trash',
    lazyRouteComponent(() => import('../records/trash-page.tsx'), 'TrashPage'),
  ),
  page(
    '/r/$object/$id',
    lazyRouteComponent(() => import('../record/record-page.tsx'), 'RecordPage'),
  ),
  page('/inbox', inbox),
  page('/inbox/$thread', inbox),
  page(
    '/tasks',
    lazyRouteComponent(() => import('../tasks/tasks-page.tsx'), 'TasksPage'),
  ),
  page(
    '/calendar',
    lazyRouteComponent(() => import('../calendar/calendar-page.tsx'), 'CalendarPage'),
  ),
  page(
    '/notifications',
    lazyRouteComponent(() => import('../notifications/notifications-page.tsx'), 'NotificationsPage'),
  ),
  page(
    '/dashboards',
    lazyRouteComponent(() => import('../dashboards/dashboards-page.tsx'), 'DashboardsPage'),
  ),
  page(
    '/dashboards/$id',
    lazyRouteComponent(() => import('../dashboards/dashboard-page.tsx'), 'DashboardPage'),
  ),
  page(
    '/lists',
    lazyRouteComponent(() => import('../lists/lists-page.tsx'), 'ListsPage'),
  ),
  page(
    '/lists/$id',
    lazyRouteComponent(() => import('../lists/list-entries-page.tsx'), 'ListEntriesPage'),
  ),
  page('/duplicates', duplicates),
  page('/duplicates/$object', duplicates),
  page('/agents', agents),
  page('/agents/$set', agents),
  page(
    '/import',
    lazyRouteComponent(() => import('../import/imports-page.tsx'), 'ImportsPage'),
  ),
  page(
    '/import/$job',
    lazyRouteComponent(() => import('../import/import-page.tsx'), 'ImportPage'),
  ),
];

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/settings-page.tsx'), 'SettingsPage'),
});

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

/** The one of this page. Text of a query stays text: the pages parse their own. */
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
