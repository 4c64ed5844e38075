/** The users of the demo at their desks, at times before now. */
import type { TSchema } from 'typebox';
import type { Kernel, PastDesk } from '../kernel.ts';
import type { Answer, Operation } from '../operations/door/operation.ts';

export interface DemoDesks {
  /** Performs in the name of a user, the admin for null, as if it were `at` (milliseconds). */
  perform<Result extends Answer>(
    by: string | null,
    at: number,
    operation: Operation<TSchema, Result>,
    input: unknown,
  ): Promise<Result>;
}

/** Desks are opened when they are needed. */
export function demoDesks({ pastDesk }: Pick<Kernel, 'pastDesk'>, organizationId: string, adminId: string): DemoDesks {
  const desks = new Map<string, Promise<PastDesk>>();
  const deskOf = (userId: string) => {
    const known = desks.get(userId) ?? pastDesk(organizationId, userId);
    desks.set(userId, known);
    return known;
  };
  return {
    async perform(by, at, operation, input) {
      return (await deskOf(by ?? adminId)).performAt(at, operation, input);
    },
  };
}

/** What is to be done of one matter, in this order. */
export interface Errand {
  readonly at: number;
  run(): Promise<void>;
}

/** So many at once, each of another matter: what waits for the database and what makes requests take turns. */
const lanes = 3;

/** Does the errands of all matters, those of each in its order, the earlier ones of all first as far as that goes. */
export async function doErrands(matters: readonly (readonly Errand[])[], stop: AbortSignal): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([stop, failed.signal]);
  const lane = async (number: number) => {
    const errands = matters.filter((_, at) => at % lanes === number).flat();
    for (const errand of errands.toSorted((a, b) => a.at - b.at)) {
      signal.throwIfAborted();
      await errand.run();
    }
  };
  const done = Array.from({ length: lanes }, async (_, number) => {
    try {
      await lane(number);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  });
  await Promise.allSettled(done);
  signal.throwIfAborted();
}
