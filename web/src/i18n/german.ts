/** German, whole. */
import type { Catalogue } from './catalogue.ts';
import { filters } from './de/filters.ts';
import { keySheet, palette } from './de/palette.ts';
import { board, records } from './de/records.ts';
import { record } from './de/record.ts';
import { shell } from './de/shell.ts';
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
};
