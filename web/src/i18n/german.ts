/** German, whole. */
import type { Catalogue } from './catalogue.ts';
import { calendar, home, notifications } from './de/days.ts';
import { inbox } from './de/inbox.ts';
import { keySheet, palette } from './de/palette.ts';
import { record } from './de/record.ts';
import { shell } from './de/shell.ts';
import { tasks } from './de/tasks.ts';
import { values } from './de/values.ts';

export const german: Catalogue = {
  shell,
  palette,
  keySheet,
  record,
  values,
  tasks,
  inbox,
  home,
  notifications,
  calendar,
};
