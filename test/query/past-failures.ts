/**
 * Cases in which PostgreSQL and the model in memory once differed, as a failing test prints them. Each is played before anything
 * new is drawn. To add one, copy the line that the test prints.
 */
import type { Case } from './shrink.ts';

export interface PastFailure extends Case {
  /** The test whose question it is. */
  readonly of: string;
  readonly seed: number;
  /** How many things the whole world has. */
  readonly count: number;
}

export const pastFailures: readonly PastFailure[] = [
  // Of a model in memory that was broken on purpose: what is empty is not equal to a value, either.
  {
    of: 'queries',
    seed: 1,
    count: 150,
    things: [51],
    choices: [
      0, 0.4446486788801849, 0.3711656369268894, 0, 0, 0.5328190694563091, 0, 0.6568139418959618, 0.30295964260585606,
      0.8751914780586958, 0.5256592470686883, 0.7235333621501923, 0.9208345015067607, 0.3002054092939943,
      0.14841397665441036,
    ],
  },
];
