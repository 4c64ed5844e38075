/** Performs operations without a caller, such as sign-in. Each has a budget of its own. */
import { errors } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { bucketBy } from '../../limits/buckets.ts';
import { count, type Limiter } from '../../limits/limiter.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import type { Sender } from './budgets.ts';
import { EventStream } from './event-stream.ts';
import type { Answer, PublicOperation } from './operation.ts';
import type { DoorRequest } from './request-context.ts';
import { validInput } from './valid-input.ts';

interface Parts {
  /** Absent if limits are off. */
  readonly limiter: Limiter | undefined;
  readonly clock: Clock;
  /** Absent in processes without sign-in. */
  readonly signIn?: SignIn;
}

/** Performs an operation without a caller. Throws VALIDATION_ERROR, RATE_LIMITED, and what the operation throws. */
export function performForAnyone({ limiter, clock, signIn }: Parts) {
  return async (operation: PublicOperation, sender: Sender, request: DoorRequest): Promise<Answer> => {
    request.time.signal.throwIfAborted();
    const values = validInput(operation, request.input());
    if (await request.writeMode?.()) throw withoutCaller();
    const { policy, of } = operation.budget;
    await count(limiter, [bucketBy(policy, of(sender, values))], request.limitDecisions);
    const answer = await operation.run(
      {
        sender,
        get signIn() {
          if (!signIn) throw new Error('There is no way to sign in here');
          return signIn;
        },
        signal: request.time.signal,
        now: clock.now(),
        ...(request.requestId !== undefined && { request: request.requestId }),
        warn: (message) => void request.warnings.push(message),
        report: (error) => void request.failures.push(error),
      },
      values,
    );
    if (answer instanceof EventStream) throw new Error('Nobody would be looked at again while it lasts');
    return answer;
  };
}

const withoutCaller = () =>
  errors.validation('This route has no caller, so it does not accept dry_run or Idempotency-Key');
