/**
 * The one door: every surface calls operations through here, for callers with a session, jobs in a user's name and anonymous
 * callers. It validates the input, checks access, counts, and enforces deadlines.
 */
import type { TSchema } from 'typebox';
import { errors } from '../../errors.ts';
import { forOneRequest } from '../../lib/nearest.ts';
import { statementLimits } from '../../postgres/database.ts';
import { isRefusal } from '../../postgres/failure.ts';
import type { Cost, Sender } from './budgets.ts';
import { EventStream } from './event-stream.ts';
import { performForAnyone } from './for-anyone.ts';
import { performInName, type CallerParts } from './in-name.ts';
import { Download, type Answer, type Operation, type PublicOperation } from './operation.ts';
import type { DoorRequest, RequestContext } from './request-context.ts';
import { startTime } from './request-time.ts';
import type { Session } from './sessions.ts';

/** `input` is a function: it is read only after the caller was checked. */
export interface Perform {
  /** Performs in the name of the session's caller, who is checked with each statement. */
  <Result extends Answer>(
    operation: Operation<TSchema, Result>,
    session: Session,
    input: () => unknown,
    request: RequestContext,
  ): Promise<Result>;
  /** Performs an operation that takes no caller. */
  <Result extends Answer>(
    operation: PublicOperation<TSchema, Result>,
    sender: Sender,
    input: () => unknown,
    request: RequestContext,
  ): Promise<Result>;
}

interface Parts extends CallerParts {
  /** Milliseconds that a whole request may take, by its cost; defaults to the limit of one statement. */
  readonly deadlines?: Readonly<Record<Cost, number>>;
}

/** Makes the door of a process. Without a limiter nothing is counted; a deadline of Infinity is none. */
export function createPerform(parts: Parts): Perform {
  const { deadlines = statementLimits } = parts;
  const inName = performInName(parts, (...given) => door(...given));
  const forAnyone = performForAnyone(parts);
  async function perform(
    operation: Operation | PublicOperation,
    from: Session | Sender,
    input: () => unknown,
    request: RequestContext,
  ): Promise<Answer> {
    const time = startTime(deadlines[operation.cost], request.signal, request.since);
    const doorRequest: DoorRequest = { ...request, input, time, failures: [] };
    let goesOn = false;
    try {
      const answer = operation.isPublic
        ? await forAnyone(operation, from as Sender, doorRequest)
        : await inName(operation, from as Session, doorRequest);
      doorRequest.failures.forEach(request.report);
      goesOn = answer instanceof Download || answer instanceof EventStream;
      return answer instanceof Download ? answer.until(time.end) : answer;
    } catch (error) {
      if (operation.effect === 'read' || !isRefusal(error)) throw error;
      throw (operation.isPublic ? undefined : operation.refused?.(error)) ?? errors.writeFailed(error);
    } finally {
      if (!goesOn) time.end();
    }
  }
  const door: Perform = (...given: Parameters<typeof perform>) => forOneRequest(() => perform(...given));
  return door;
}
