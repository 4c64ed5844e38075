/**
 * The one door: every surface calls an operation through here. It validates, gates, counts, and runs the operation again
 * when what was remembered of the caller turns out to be old.
 */
import type { Call, Means } from '../access/call.ts';
import { policiesFor } from '../access/policies.ts';
import { openWorkspace, StaleCaller, type Workspace } from '../access/workspace.ts';
import type { Keyring } from '../auth/keys.ts';
import type { TSchema } from 'typebox';
import { KithError, errors } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/id.ts';
import { RateLimited, type Limiter, type Verdict } from '../limits/limiter.ts';
import { statementLimits } from '../postgres/database.ts';
import { isRefusal } from '../postgres/failure.ts';
import { cursorSeal, type CursorSeal } from '../query/cursor.ts';
import { createCarryOutOnce } from './idempotency.ts';
import { carryOut, type Manner } from './manner.ts';
import type { Answer, Operation } from './operation.ts';
import type { Session, Sessions } from './sessions.ts';
import { validInput } from './valid-input.ts';

/** What a surface knows of a request beside its input; `perform` adds to `verdicts` and `warnings`. */
export interface RequestContext {
  readonly means: Means;
  /** IANA name from the `Time-Zone` header; the organization's when absent. */
  readonly timeZone?: string;
  /** Given where several calls are one change: the batches of a file. */
  readonly changeSet?: string;
  /** Budgets that the request used, in the order of counting. */
  readonly verdicts: Verdict[];
  /** Becomes `Warning` headers. */
  readonly warnings: string[];
  /** How a write is carried out, plainly when it gives nothing. Called when the input was found right; may throw VALIDATION_ERROR. */
  manner?(): Manner | undefined;
}

/** `input` is called rather than given, so that what is wrong with it is told only to a caller that is still one. */
export type Perform = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  session: Session,
  input: () => unknown,
  request: RequestContext,
) => Promise<Result>;

interface Parts {
  readonly sessions: Pick<Sessions, 'renew' | 'doubt'>;
  /** Absent where limits are off. */
  readonly limiter: Limiter | undefined;
  readonly clock: Clock;
  readonly keyring: Keyring;
}

/** A workspace may change under a request more than once, while one manifest follows the other; more often it is a defect. */
const attempts = 12;

export function createPerform({ sessions, limiter, clock, keyring }: Parts): Perform {
  const seal = cursorSeal(keyring.current('cursor').bytes);
  const once = createCarryOutOnce(keyring);
  return async (operation, opened, input, request) => {
    const limitMs = statementLimits[operation.cost];
    let session = opened;
    let counted = false;
    for (let attempt = 1; ; attempt++) {
      const call = callOf(session, request, clock.now(), limitMs, seal);
      try {
        if (operation.adminOnly !== undefined && !call.visibility.isAdmin) throw errors.adminOnly(operation.adminOnly);
        const values = validInput(operation, input());
        const manner = request.manner?.();
        if (!counted) await countCost(limiter, operation, session, request);
        counted = true;
        const work = (workspace: Workspace) => {
          request.warnings.length = 0;
          return operation.run(workspace === call.workspace ? call : { ...call, workspace }, values);
        };
        if (!manner) return await work(call.workspace);
        return await carryOut(manner, { ...session, now: call.now, limitMs }, once, request.warnings, work);
      } catch (error) {
        if (error instanceof KithError && error.code === 'UNAVAILABLE') sessions.doubt(session);
        const stale = error instanceof StaleCaller || (await isStale(error, call.workspace));
        if (!stale) throw operation.mode === 'write' && isRefusal(error) ? errors.writeFailed(error) : error;
        if (attempt === attempts) throw errors.internal(error);
        session = await sessions.renew(session);
      }
    }
  };
}

function callOf(session: Session, request: RequestContext, now: number, limitMs: number, seal: CursorSeal): Call {
  const { caller, model } = session;
  return {
    caller,
    model,
    visibility: policiesFor(caller.role, caller.workspaceUserId, model),
    workspace: openWorkspace({ ...session, now, limitMs }),
    now,
    timeZone: request.timeZone ?? model.timeZone,
    means: request.means,
    changeSet: request.changeSet ?? newId(now),
    seal,
    warn: (message) => void request.warnings.push(message),
  };
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
  const verdict =
    operation.cost === 'bulk'
      ? await limiter.take('api:bulk', organizationId)
      : await limiter.take('api:expensive', workspaceUserId);
  if (!verdict) return;
  request.verdicts.push(verdict);
  if (!verdict.allowed) throw new RateLimited(verdict);
}

/** A refusal that no statement has confirmed may come from what is no longer true: a revoked token's is 401, whatever it asked. */
async function isStale(error: unknown, workspace: Workspace): Promise<boolean> {
  if (!(error instanceof KithError) || error instanceof RateLimited || error.code === 'UNAVAILABLE') return false;
  try {
    await workspace.read();
    return false;
  } catch (check) {
    if (check instanceof StaleCaller) return true;
    throw check;
  }
}
