/** The query cache: known data stays on the screen while it is fetched again, and the same query runs once at a time. */
import { notifyManager, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './kith.ts';

/** Data counts as fresh for so long; the stream of changes makes it stale earlier. */
const freshMs = 30_000;

/** The cache of the application. */
export const queries = new QueryClient({
  defaultOptions: {
    // The service's client retries what may be retried.
    queries: { staleTime: freshMs, retry: false, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// What a click or key changes is in the next frame: browsers put off timers, the default here, until after it.
notifyManager.setScheduler(queueMicrotask);

/** Query keys, nested so that one change can make everything stale that shows it. */
export const keys = {
  workspace: ['workspace'] as const,
  /** Everything about the records of an object: lists, boards, records. */
  object: (object: string) => ['records', object] as const,
  list: (object: string, query: object) => ['records', object, 'list', query] as const,
  groups: (object: string, query: object) => ['records', object, 'groups', query] as const,
  sums: (object: string, query: object) => ['records', object, 'sums', query] as const,
  record: (object: string, id: string) => ['records', object, 'record', id] as const,
  activity: (object: string, id: string) => ['records', object, 'activity', id] as const,
  history: (object: string, id: string) => ['records', object, 'history', id] as const,
  views: (object: string) => ['views', object] as const,
  draft: (id: string) => ['draft', id] as const,
  counts: ['counts'] as const,
  tasks: ['tasks'] as const,
  notes: ['notes'] as const,
  notifications: ['notifications'] as const,
  threads: ['inbox'] as const,
  meetings: ['meetings'] as const,
  lists: ['lists'] as const,
  dashboards: ['dashboards'] as const,
  changeSets: ['change-sets'] as const,
  imports: ['imports'] as const,
  jobs: ['jobs'] as const,
  accounts: ['accounts'] as const,
  users: ['users'] as const,
  invitations: ['invitations'] as const,
  tokens: ['tokens'] as const,
  connectedApps: ['connected-apps'] as const,
  audit: ['audit'] as const,
  roles: ['roles'] as const,
};

/** Without a session, goes to the sign-in page, which leads back to the same address. */
export function leaveWhereSignedOut(error: unknown): void {
  if (!isSignedOut(error)) return;
  location.assign(`/signin?next=${encodeURIComponent(location.pathname + location.search)}`);
}
