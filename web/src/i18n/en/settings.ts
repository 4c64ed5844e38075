/** The settings: their pages, by name, and what is said on them. */
export const settings = {
  groups: { you: 'You', access: 'Access', organization: 'Organization' },
  pages: {
    you: 'Profile',
    keyboard: 'Keyboard',
    accounts: 'Mail and messages',
    tokens: 'API tokens',
    apps: 'Connected apps',
    organization: 'General',
    people: 'People',
    roles: 'Roles',
    audit: 'Audit',
  },
};
