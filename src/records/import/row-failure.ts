/** Why a row of an import or a batch did not go in. */
import type { ErrorCode, FieldError } from '../../errors.ts';

export interface RowFailure {
  /** Zero-based, of the rows given. */
  readonly index: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly fieldErrors?: readonly FieldError[];
}
