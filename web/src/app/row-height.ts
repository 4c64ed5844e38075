/** How high the rows of tables are, as chosen in this browser. */
import { remember, remembered } from './remembered.ts';

const key = 'kith-rows';
const heights = { dense: 26, roomy: 34 } as const;

export type Rows = keyof typeof heights;
export const rowChoices = ['dense', 'roomy'] as const satisfies readonly Rows[];

/** What was chosen. */
export function chosenRows(): Rows {
  return remembered(key) === 'roomy' ? 'roomy' : 'dense';
}

/** Chooses one; tables that are drawn from here on have it. */
export function chooseRows(rows: Rows): void {
  remember(key, rows === 'dense' ? undefined : rows);
}

/** In pixels; a phone has two lines a row instead. */
export function rowHeight(): number {
  return heights[chosenRows()];
}
