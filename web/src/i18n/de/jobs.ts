import type { Catalogue } from '../catalogue.ts';
import { plural } from '../plural.ts';

const count = plural('de');
const number = new Intl.NumberFormat('de');

const doing: Readonly<Record<string, (what: string) => string>> = {
  import: (what) => `${what}: Import läuft`,
  delete: (what) => `${what}: wird gelöscht`,
  restore: (what) => `${what}: wird geholt`,
};

const stopped = (status: string) => (status === 'cancelled' ? 'Angehalten: ' : '');
const refused = (n: number) => (n > 0 ? `, ${number.format(n)} abgelehnt` : '');

export const jobs: Catalogue['jobs'] = {
  going: 'Im Gange',
  records: 'Datensätze',
  stop: 'Anhalten',
  show: 'Zeigen',
  doing: (action, what) => doing[action]?.(what) ?? `${what}: wird geändert`,
  begun: (n) => `${number.format(n)} Datensätze werden geändert: Das läuft weiter, während Sie anderes tun.`,
  changed: (status, n, failed) =>
    `${stopped(status)}${count(n, { one: '1 Datensatz geändert', other: `${number.format(n)} Datensätze geändert` })}${refused(failed)}.`,
  imported: (status, what, n, failed) => `${stopped(status)}${what}: ${number.format(n)} importiert${refused(failed)}.`,
  failed: 'Das hat nicht geklappt:',
  over: 'Eine Änderung vieler Datensätze, die Sie angestoßen haben, ist abgeschlossen.',
};
