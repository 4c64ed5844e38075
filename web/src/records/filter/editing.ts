import type { FilterGroup } from '../../../../client/index.js';
import type { FilterField } from './use-filter-labels.ts';
import type { FilterLabels } from './words.ts';

/** What every line of a builder needs. */
export interface Editing {
  readonly filter: FilterGroup;
  readonly fields: readonly FilterField[];
  readonly filterLabels: FilterLabels;
  readonly put: (filter: FilterGroup) => void;
}
