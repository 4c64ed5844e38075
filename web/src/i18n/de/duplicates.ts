import type { Catalogue } from '../catalogue.ts';
import { plural } from '../plural.ts';

const count = plural('de');

export const duplicates: Catalogue['duplicates'] = {
  none: 'Keine zwei sehen gleich aus.',
  adminsOnly: 'Datensätze zusammenführen können Administratoren.',
  groups: 'Gruppen, die gleich aussehen',
  same: (reason) => `gleich: ${reason}`,
  some: 'Die neuesten 5.000 wurden verglichen.',
  hidden: (n) =>
    count(n, { one: '1 Gruppe ist als verschieden markiert', other: `${n} Gruppen sind als verschieden markiert` }),
  showHidden: 'Wieder zeigen',
  times: (name, n) => (n === 2 ? `${name}, zweimal` : `${name}, ${n}-mal`),
  of: (at, all) => `${at} von ${all}`,
  notSame: 'Nicht dasselbe',
  markedNotSame: 'Als verschieden markiert, in diesem Browser',
  merge: (n) => `${n} zusammenführen`,
  merged: (name) => `Zusammengeführt in ${name}`,
  since: (day, who) => (who === '' ? `seit ${day}` : `seit ${day}, von ${who}`),
  keepsId: 'Behält seine Kennung',
  after: 'Nach dem Zusammenführen',
  afterHint: 'Lücken werden gefüllt, Verknüpfungen beider bleiben',
  field: 'Feld',
  none1: 'nichts',
  take: (field, name) => `${field} von ${name}`,
  moves: (n) =>
    count(n, {
      one: '1 Verknüpfung geht auf den Datensatz über, der bleibt.',
      other: `${n} Verknüpfungen gehen auf den Datensatz über, der bleibt.`,
    }),
  lists: 'Listen',
  canUnmerge: 'Die andere Kennung führt zu ihm. 30 Tage lang rücknehmbar, hier oder unter den Änderungen von Personen.',
  changes: 'Änderungen von Personen',
  trying: 'Das Zusammenführen wird geprobt',
  nextGroup: 'Nächste Gruppe',
  previousGroup: 'Vorige Gruppe',
};
