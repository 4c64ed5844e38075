import type { Catalogue } from '../catalogue.ts';

export const palette: Catalogue['palette'] = {
  title: 'Suchen oder tun',
  actions: 'Aktionen',
  nothing: (text) => `Nichts gefunden zu „${text}“.`,
  create: (what) => `Neu: ${what}`,
  recentChanges: 'Ihre letzten Änderungen',
  begunNew: 'Neu: ',
  open: (what) => `${what} öffnen`,
};

export const keySheet: Catalogue['keySheet'] = {
  title: 'Tasten',
  everywhere: 'Überall',
  thisPage: 'Auf dieser Seite',
  singleLetters: 'Einzelne Buchstaben sind Tasten',
  singleLettersHint: 'Ausgeschaltet gelten nur Kombinationen mit Strg oder ⌘.',
};
