/** The pages by their addresses: the router makes routes of them, and the build reads here which module each page begins with. */
const inbox = async () => (await import('../inbox/inbox-page.tsx')).InboxPage;
const duplicates = async () => (await import('../duplicates/duplicates-page.tsx')).DuplicatesPage;
const agents = async () => (await import('../agents/agents-page.tsx')).AgentsPage;

/** Gives the component of each; addresses of one page have the same function. */
export const pageModules = {
  '/home': async () => (await import('../home/home-page.tsx')).HomePage,
  '/r/$object': async () => (await import('../records/list-page.tsx')).ListPage,
  '/r/$object/trash': async () => (await import('../records/trash-page.tsx')).TrashPage,
  '/r/$object/$id': async () => (await import('../record/record-page.tsx')).RecordPage,
  '/inbox': inbox,
  '/inbox/$thread': inbox,
  '/tasks': async () => (await import('../tasks/tasks-page.tsx')).TasksPage,
  '/calendar': async () => (await import('../calendar/calendar-page.tsx')).CalendarPage,
  '/notifications': async () => (await import('../notifications/notifications-page.tsx')).NotificationsPage,
  '/dashboards': async () => (await import('../dashboards/dashboards-page.tsx')).DashboardsPage,
  '/dashboards/$id': async () => (await import('../dashboards/dashboard-page.tsx')).DashboardPage,
  '/lists': async () => (await import('../lists/lists-page.tsx')).ListsPage,
  '/lists/$id': async () => (await import('../lists/list-entries-page.tsx')).ListEntriesPage,
  '/duplicates': duplicates,
  '/duplicates/$object': duplicates,
  '/agents': agents,
  '/agents/$set': agents,
  '/import': async () => (await import('../import/imports-page.tsx')).ImportsPage,
  '/import/$job': async () => (await import('../import/import-page.tsx')).ImportPage,
  '/settings': async () => (await import('../settings/settings-page.tsx')).SettingsPage,
};
