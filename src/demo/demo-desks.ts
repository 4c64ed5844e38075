/** Performs operations of the demo's users at past times. */
import type { TSchema } from 'typebox';
import type { Kernel, PastDesk } from '../kernel.ts';
import type { Answer, Operation } from '../operations/door/operation.ts';

export interface DemoDesks {
  /** Performs in the name of a user, or of the admin for null, at the time `at` in milliseconds. */
  perform<Result extends Answer>(
    by: string | null,
    at: number,
    operation: Operation<TSchema, Result>,
    input: unknown,
  ): Promise<Result>;
}

/** Makes the desks, which are opened on demand. */
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

/** One step of a record's history; steps of one record run in order. */
export interface Errand {
  readonly at: number;
  run(): Promise<void>;
}

/** The most concurrent errands, each of another record, so that requests are hardly delayed. */
const lanes = 3;

/** Runs all errands: those of each record in order, and earlier ones first as far as possible. */
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
