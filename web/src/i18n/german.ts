/** The complete German texts. */
import type { Catalogue } from './catalogue.ts';
import { filters } from './de/filters.ts';
import { agents } from './de/agents.ts';
import { dashboards } from './de/dashboards.ts';
import { duplicates } from './de/duplicates.ts';
import { imports } from './de/imports.ts';
import { jobs } from './de/jobs.ts';
import { lists } from './de/lists.ts';
import { calendar, home, notifications } from './de/days.ts';
import { inbox } from './de/inbox.ts';
import { keySheet, palette } from './de/palette.ts';
import { board, records } from './de/records.ts';
import { record } from './de/record.ts';
import { settings } from './de/settings.ts';
import { shell } from './de/shell.ts';
import { tasks } from './de/tasks.ts';
import { values } from './de/values.ts';

export const german: Catalogue = {
  shell,
  palette,
  keySheet,
  record,
  values,
  records,
  board,
  filters,
  imports,
  jobs,
  lists,
  dashboards,
  agents,
  duplicates,
  tasks,
  inbox,
  home,
  notifications,
  calendar,
  settings,
};
