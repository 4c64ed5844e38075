import { plural } from '../plural.ts';

const count = plural('en');

/** Possible duplicates. */
export const duplicates = {
  none: 'No two look the same.',
  adminsOnly: 'Merging records is for admins.',
  groups: 'Groups that look the same',
  same: (reason: string) => `same ${reason}`,
  some: 'The newest 5,000 were compared.',
  hidden: (n: number) =>
    count(n, { one: '1 group is marked as not the same', other: `${n} groups are marked as not the same` }),
  showHidden: 'Show again',
  times: (name: string, n: number) => (n === 2 ? `${name}, twice` : `${name}, ${n} times`),
  of: (at: number, all: number) => `${at} of ${all}`,
  notSame: 'Not the same',
  markedNotSame: 'Marked as not the same, in this browser',
  merge: (n: number) => `Merge ${n}`,
  merged: (name: string) => `Merged into ${name}`,
  since: (day: string, who: string) => (who === '' ? `since ${day}` : `since ${day}, by ${who}`),
  keepsId: 'Keeps its id',
  after: 'After the merge',
  afterHint: 'Gaps are filled, links of both stay',
  field: 'Field',
  none1: 'none',
  take: (field: string, name: string) => `${field} of ${name}`,
  moves: (n: number) =>
    count(n, { one: '1 link moves to the record that stays.', other: `${n} links move to the record that stays.` }),
  lists: 'Lists',
  canUnmerge: 'The other id leads to it. Can be taken back for 30 days, here or among the changes of people.',
  changes: 'Changes of people',
  trying: 'Trying the merge',
  nextGroup: 'Next group',
  previousGroup: 'Previous group',
};
