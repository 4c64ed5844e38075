/** Where the application has pages, whatever records there are. */
export const generalPages = [
  '/home',
  '/inbox',
  '/tasks',
  '/calendar',
  '/notifications',
  '/dashboards',
  '/lists',
  '/duplicates',
  '/agents',
  '/import',
];

export const settingPages = [
  '/settings/you',
  '/settings/keyboard',
  '/settings/accounts',
  '/settings/tokens',
  '/settings/apps',
  '/settings/organization',
  '/settings/people',
  '/settings/roles',
  '/settings/audit',
];
