/**
 * Cases in which the service once differed from the model in memory, or from another world, as a failing test prints them. Each is
 * played before anything new is drawn. To add one, copy the line that the test prints.
 */
export interface PastFailure {
  /** The test that failed. */
  readonly of: string;
  readonly seed: number;
  /** Numbers of the steps that are played. */
  readonly steps: readonly number[];
}

export const pastFailures: readonly PastFailure[] = [];
