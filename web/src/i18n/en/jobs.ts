import { plural } from '../plural.ts';

const count = plural('en');
const number = new Intl.NumberFormat('en');

const doing: Readonly<Record<string, (what: string) => string>> = {
  import: (what) => `Importing ${what.toLowerCase()}`,
  delete: (what) => `Deleting ${what.toLowerCase()}`,
  restore: (what) => `Restoring ${what.toLowerCase()}`,
};

const stopped = (status: string) => (status === 'cancelled' ? 'Stopped: ' : '');
const refused = (n: number) => (n > 0 ? `, ${number.format(n)} refused` : '');

/** Background work. */
export const jobs = {
  going: 'Under way',
  records: 'Records',
  stop: 'Stop',
  show: 'Show',
  doing: (action: string, what: string) => doing[action]?.(what) ?? `Changing ${what.toLowerCase()}`,
  begun: (n: number) => `Changing ${number.format(n)} records: it goes on while you do other things.`,
  changed: (status: string, n: number, failed: number) =>
    `${stopped(status)}${count(n, { one: '1 record changed', other: `${number.format(n)} records changed` })}${refused(failed)}.`,
  imported: (status: string, what: string, n: number, failed: number) =>
    `${stopped(status)}${what}: ${number.format(n)} imported${refused(failed)}.`,
  failed: 'It did not work:',
  over: 'A change of many records that you asked for is over.',
};
