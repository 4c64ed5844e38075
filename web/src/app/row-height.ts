/** The height of table rows, as chosen in this browser. */
import { remember, remembered } from './remembered.ts';

const key = 'kith-rows';
const heights = { dense: 26, roomy: 34 } as const;

export type Rows = keyof typeof heights;
export const rowChoices = ['dense', 'roomy'] as const satisfies readonly Rows[];

/** The current choice. */
export function chosenRows(): Rows {
  return remembered(key) === 'roomy' ? 'roomy' : 'dense';
}

/** Stores the choice; it applies to tables rendered from then on. */
export function chooseRows(rows: Rows): void {
  remember(key, rows === 'dense' ? undefined : rows);
}

/** In pixels; on a phone, rows have two lines. */
export function rowHeight(): number {
  return heights[chosenRows()];
}
