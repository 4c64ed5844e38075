/** Every text of the application, by language. A language is complete, or it does not type-check. */
import { calendar, home, notifications } from './en/days.ts';
import { inbox } from './en/inbox.ts';
import { keySheet, palette } from './en/palette.ts';
import { record } from './en/record.ts';
import { shell } from './en/shell.ts';
import { tasks } from './en/tasks.ts';
import { values } from './en/values.ts';

/** English: what the others translate. */
export const english = {
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

type Widened<T> = T extends string
  ? string
  : T extends (...given: infer G) => string
    ? (...given: G) => string
    : { readonly [K in keyof T]: Widened<T[K]> };

export type Catalogue = Widened<typeof english>;
