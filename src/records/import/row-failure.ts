/** Why a row of an import or a batch failed. */
import type { ErrorCode, FieldError } from '../../errors.ts';

export interface RowFailure {
  /** Zero-based index of the given rows. */
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly fieldErrors?: readonly FieldError[];
}
