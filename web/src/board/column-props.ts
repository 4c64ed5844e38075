import type { KithRecord } from '../api/workspace.ts';
import type { Sums } from '../records/sums.ts';
import type { List } from '../records/use-list.ts';
import type { CardFields } from './card-fields.ts';
import type { BoardColumn, Grouping } from './grouping.ts';
import type { useMoves } from './use-moves.ts';

/** What a column and its cards share. */
export interface ColumnProps {
  readonly list: List;
  readonly grouping: Grouping;
  readonly column: BoardColumn;
  readonly columns: readonly BoardColumn[];
  readonly cards: readonly KithRecord[];
  readonly count: number;
  readonly sums: Sums | undefined;
  readonly shown: CardFields;
  readonly moves: ReturnType<typeof useMoves>;
  readonly mayMove: boolean;
  readonly currentId: string | undefined;
  readonly place: (card: KithRecord) => void;
  readonly ask: (card: KithRecord) => void;
  readonly showMore: () => void;
  /** Whether a record is being created in this column. */
  readonly isNew: boolean;
  readonly setNew: (isNew: boolean) => void;
}
