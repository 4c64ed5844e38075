/**
 * The one door: every surface calls an operation through here. It validates, gates, counts, ends what takes too long, and
 * runs the operation again when what was remembered of the caller turns out to be old.
 */
import type { Call, Means } from '../../access/call.ts';
import { policiesFor } from '../../access/policies.ts';
import { openWorkspace, type Place, type Workspace } from '../../access/workspace.ts';
import type { Keyring } from '../../auth/keys.ts';
import type { TSchema } from 'typebox';
import { errors, type KithError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/id.ts';
import { forOneRequest } from '../../lib/nearest.ts';
import { RateLimited, type Limiter, type LimitDecision } from '../../limits/limiter.ts';
import type { ObjectDef } from '../../model/model.ts';
import { statementLimits } from '../../postgres/database.ts';
import { isRefusal } from '../../postgres/failure.ts';
import { cursorSigners, type CursorSigner } from '../../query/cursor.ts';
import { createAttempts, type Attempt } from './attempts.ts';
import { createCarryOutOnce } from './idempotency.ts';
import { carryOut, type WriteMode } from './write-mode.ts';
import { Download, type Answer, type Cost, type Operation } from './operation.ts';
import { neededObject } from './needed-object.ts';
import { startTime, type RequestTime } from './request-time.ts';
import type { Session, Sessions } from './sessions.ts';
import { validInput } from './valid-input.ts';

/** What a surface knows of a request beside its input; `perform` adds to `limitDecisions` and `warnings`. */
export interface RequestContext {
  readonly means: Means;
  /** IANA name from the `Time-Zone` header; the organization's when absent. */
  readonly timeZone?: string;
  /** Given where several calls are one change: the batches of a file. */
  readonly changeSet?: string;
  /** As the answer tells it. */
  readonly requestId?: string;
  /** The agent that calls in the user's name, by its own account. */
  readonly agent?: string;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** When its time began, by `performance.now()`: to read what was sent is a part of it. From now on when absent. */
  readonly since?: number;
  /** Budgets that the request used, in the order of counting. */
  readonly limitDecisions: LimitDecision[];
  /** Becomes `Warning` headers. */
  readonly warnings: string[];
  /** Puts what is behind an error into the log. Called when the answer is there, for what failed of a part of it. */
  report(error: KithError): void;
  /** How a write is carried out, plainly when it gives nothing. Called when the input was found right; may throw VALIDATION_ERROR. */
  writeMode?(): Promise<WriteMode | undefined>;
}

/** `input` is called rather than given, so that what is wrong with it is told only to a caller that is still one. */
export type Perform = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  session: Session,
  input: () => unknown,
  request: RequestContext,
) => Promise<Result>;

interface Parts {
  readonly sessions: Pick<Sessions, 'renew' | 'invalidate'>;
  /** Absent where limits are off. */
  readonly limiter: Limiter | undefined;
  readonly clock: Clock;
  readonly keyring: Keyring;
  /** How long a whole request may take, by what it costs: as long as one of its statements unless told. */
  readonly deadlines?: Readonly<Record<Cost, number>>;
  /** Has jobs looked at by a time. */
  wake(organizationId: string, at: number): void;
}

export function createPerform(parts: Parts): Perform {
  const { sessions, limiter, clock, keyring, wake, deadlines = statementLimits } = parts;
  const signers = cursorSigners(keyring.current('cursor').bytes);
  const once = createCarryOutOnce(keyring);
  const perform: Perform = async (operation, opened, input, request) => {
    const time = startTime(deadlines[operation.cost], request.signal, request.since);
    const changeSet = request.changeSet ?? newId(clock.now());
    const failures: KithError[] = [];
    let wakeAt = Infinity;
    const begin = (session: Session): Attempt => {
      const place = placeOf(session, operation, time, clock.now());
      const part: Call['part'] = (work) =>
        attempts(async (inner) => {
          try {
            return await work(inner.call);
          } finally {
            place.progress.hasCommitted ||= inner.place.progress.hasCommitted;
          }
        });
      return {
        place,
        call: callOf(
          place,
          operation,
          {
            ...request,
            changeSet,
            report: (error) => void failures.push(error),
            wake: (at) => void (wakeAt = Math.min(wakeAt, at)),
          },
          signers(session.caller.organizationId),
          part,
        ),
      };
    };
    const attempts = createAttempts(sessions, opened, begin, ({ visibility }) => {
      if (operation.adminOnly !== undefined && !visibility.isAdmin) throw errors.adminOnly(operation.adminOnly);
    });
    let counted = false;
    let goesOn = false;
    try {
      const answer = await attempts(async ({ call, place }) => {
        const values = validInput(operation, input());
        const writeMode = await request.writeMode?.();
        if (writeMode?.dryRun && operation.effect === 'external') throw cannotBeTried();
        if (!counted) await countCost(limiter, operation, opened, request);
        counted = true;
        const work = (workspace = call.workspace) => {
          request.warnings.length = 0;
          failures.length = 0;
          const given = workspace === call.workspace ? call : within(call, workspace);
          return operation.run(given, values, objectOf(operation, given, values));
        };
        if (!writeMode) return work();
        return carryOut(writeMode, operation.effect, place, once, request.warnings, work);
      });
      failures.forEach(request.report);
      if (!(answer instanceof Download)) return answer;
      goesOn = true;
      return answer.until(time.end) as typeof answer;
    } catch (error) {
      throw operation.effect !== 'read' && isRefusal(error) ? errors.writeFailed(error) : error;
    } finally {
      // Also where the call failed: what it committed before may have asked for a job.
      if (wakeAt < Infinity) wake(opened.caller.organizationId, wakeAt);
      if (!goesOn) time.end();
    }
  };
  return (...asked) => forOneRequest(() => perform(...asked));
}

const cannotBeTried = () =>
  errors.validation('This sends something outside, which cannot be taken back: it takes no dry_run');

/** What an operation on records is given beside its input; to others, which take none, it is nothing. */
function objectOf({ needs }: Operation, call: Call, values: unknown): ObjectDef {
  const { object } = values as { readonly object?: string };
  return needs === undefined ? (undefined as never) : neededObject(call, needs, object ?? '');
}

function placeOf(session: Session, { cost }: Operation, { signal, deadline }: RequestTime, now: number): Place {
  return { ...session, now, limitMs: statementLimits[cost], signal, deadline, progress: { hasCommitted: false } };
}

function callOf(
  place: Place,
  { id: operation, means, effect }: Operation,
  request: RequestContext & Pick<Call, 'changeSet' | 'wake'>,
  signer: CursorSigner,
  part: Call['part'],
): Call {
  const { caller, model, now, signal } = place;
  return {
    caller,
    model,
    visibility: policiesFor(caller.role, caller.workspaceUserId, model),
    workspace: openWorkspace(place),
    signal,
    part,
    async sendOut(work) {
      if (effect !== 'external') throw new Error(`${operation} is not said to be external`);
      signal.throwIfAborted();
      place.progress.hasCommitted = true;
      return work();
    },
    now,
    timeZone: request.timeZone ?? model.timeZone,
    means: request.means === 'demo' ? 'demo' : (means ?? request.means),
    changeSet: request.changeSet,
    operation,
    ...(request.requestId !== undefined && { request: request.requestId }),
    ...(request.agent !== undefined && { agent: request.agent }),
    signer,
    wake: request.wake,
    warn: (message) => void request.warnings.push(message),
    report: request.report,
  };
}

/** The call in one transaction with everything else: its parts are kept or undone with it. */
function within(call: Call, workspace: Workspace): Call {
  const inside: Call = { ...call, workspace, part: (work) => work(inside) };
  return inside;
}

/** [spec: Rate limits] A request can use two budgets at once; api:global was counted by the surface. */
async function countCost(
  limiter: Limiter | undefined,
  operation: Operation,
  session: Session,
  request: RequestContext,
): Promise<void> {
  if (!limiter || operation.cost === 'global') return;
  const { organizationId, workspaceUserId } = session.caller;
  const decision =
    operation.cost === 'bulk'
      ? await limiter.take('api:bulk', organizationId)
      : await limiter.take('api:expensive', workspaceUserId);
  if (!decision) return;
  request.limitDecisions.push(decision);
  if (!decision.allowed) throw new RateLimited(decision);
}
