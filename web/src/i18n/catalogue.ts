/** Every text of the application, by language. An incomplete language does not type-check. */
import { filters } from './en/filters.ts';
import { agents } from './en/agents.ts';
import { dashboards } from './en/dashboards.ts';
import { duplicates } from './en/duplicates.ts';
import { imports } from './en/imports.ts';
import { jobs } from './en/jobs.ts';
import { lists } from './en/lists.ts';
import { calendar, home, notifications } from './en/days.ts';
import { inbox } from './en/inbox.ts';
import { keySheet, palette } from './en/palette.ts';
import { board, records } from './en/records.ts';
import { record } from './en/record.ts';
import { settings } from './en/settings.ts';
import { shell } from './en/shell.ts';
import { tasks } from './en/tasks.ts';
import { values } from './en/values.ts';

/** English, which defines the keys. */
export const english = {
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

/** The same structure with texts of any language. */
export type Widened<T> = T extends string
  ? string
  : T extends (...given: infer G) => string
    ? (...given: G) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

export type Catalogue = Widened<typeof english>;
