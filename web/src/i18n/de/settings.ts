import type { Catalogue } from '../catalogue.ts';

export const settings: Catalogue['settings'] = {
  groups: { you: 'Sie', access: 'Zugriff', organization: 'Organisation' },
  pages: {
    you: 'Profil',
    keyboard: 'Tastatur',
    accounts: 'Mail und Nachrichten',
    tokens: 'API-Tokens',
    apps: 'Verbundene Apps',
    organization: 'Allgemein',
    people: 'Personen',
    roles: 'Rollen',
    audit: 'Protokoll',
  },
};
