/** How the application asks: what is known stays shown while it is asked for anew, and nobody is asked twice at once. */
import { QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './kith.ts';

/** What one screen fetched is good for the next so long; the stream of changes makes it stale earlier. */
const freshMs = 30_000;

/** One for the application. */
export const queries = new QueryClient({
  defaultOptions: {
    // The client of the service repeats what may be repeated.
    queries: { staleTime: freshMs, retry: false, refetchOnWindowFocus: true, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** Names of what is kept, so that one change makes everything stale that shows it. */
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

/** Whoever is not signed in any more goes to where one signs in, and comes back to the same address. */
export function leaveWhereSignedOut(error: unknown): void {
  if (!isSignedOut(error)) return;
  location.assign(`/signin?next=${encodeURIComponent(location.pathname + location.search)}`);
}
