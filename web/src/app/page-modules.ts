/** The pages by address. The router makes routes of them; the build reads which module each page starts with. */
const inbox = () => import('../inbox/inbox-page.tsx');
const duplicates = () => import('../duplicates/duplicates-page.tsx');
const agents = () => import('../agents/agents-page.tsx');

/** Loads each page's module; addresses of the same page share one function. */
export const pageModules = {
  '/home': () => import('../home/home-page.tsx'),
  '/r/$object': () => import('../records/list-page.tsx'),
  '/r/$object/trash': () => import('../records/trash-page.tsx'),
  '/r/$object/$id': () => import('../record/record-page.tsx'),
  '/inbox': inbox,
  '/inbox/$thread': inbox,
  '/tasks': () => import('../tasks/tasks-page.tsx'),
  '/calendar': () => import('../calendar/calendar-page.tsx'),
  '/notifications': () => import('../notifications/notifications-page.tsx'),
  '/dashboards': () => import('../dashboards/dashboards-page.tsx'),
  '/dashboards/$id': () => import('../dashboards/dashboard-page.tsx'),
  '/lists': () => import('../lists/lists-page.tsx'),
  '/lists/$id': () => import('../lists/list-entries-page.tsx'),
  '/duplicates': duplicates,
  '/duplicates/$object': duplicates,
  '/agents': agents,
  '/agents/$set': agents,
  '/import': () => import('../import/imports-page.tsx'),
  '/import/$job': () => import('../import/import-page.tsx'),
  '/settings': () => import('../settings/settings-page.tsx'),
};
