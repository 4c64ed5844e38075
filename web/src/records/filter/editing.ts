import type { FilterGroup } from '../../../../client/index.js';
import type { FilterField } from './use-telling.ts';
import type { Telling } from './words.ts';

/** What each line of a builder knows of the whole. */
export interface Editing {
  readonly filter: FilterGroup;
  readonly fields: readonly FilterField[];
  readonly telling: Telling;
  readonly put: (filter: FilterGroup) => void;
}
