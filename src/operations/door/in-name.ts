/**
 * Performs operations for a caller: a token's, a job's user, or an admin on the machine itself. The cached caller may be
 * stale: then the operation is repeated with the current one.
 */
import type { Call } from '../../access/call.ts';
import type { StatementScope, Workspace } from '../../access/workspace.ts';
import type { Keyring } from '../../auth/keys.ts';
import { AdminOnly, errors } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/id.ts';
import type { Limiter } from '../../limits/limiter.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { statementLimits } from '../../postgres/database.ts';
import { cursorSigners } from '../../query/cursor.ts';
import type { SignIn } from '../../signin/sign-in.ts';
import { createAttempts, type Attempt } from './attempts.ts';
import { auditOf } from './auditing.ts';
import { budgetsOf, countCost, isCounted } from './budgets.ts';
import { callOf, within } from './call-of.ts';
import { EventStream } from './event-stream.ts';
import { createGuardStream, defaultStreamBounds, type PerformHere, type StreamBounds } from './guard-stream.ts';
import { createCarryOutOnce } from './idempotency.ts';
import { refuseOthersChangeSet } from './chosen-change-set.ts';
import { createDenials } from './denials.ts';
import { gatewayOf } from './organization-gateway.ts';
import { neededObject } from './needed-object.ts';
import type { Answer, Operation } from './operation.ts';
import type { DoorRequest } from './request-context.ts';
import type { Session, Sessions } from './sessions.ts';
import { validInput } from './valid-input.ts';
import { createVaults } from './vaults.ts';
import { carryOut } from './write-mode.ts';

export interface CallerParts {
  readonly sessions: Pick<Sessions, 'renew' | 'invalidate'>;
  /** Absent if limits are off. */
  readonly limiter: Limiter | undefined;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly streams?: StreamBounds;
  /** Has the organization's jobs polled at that time. */
  wake(organizationId: string, at: number): void;
  /** Absent in processes without outgoing connections. */
  readonly outgoing?: Outgoing;
  /** Absent in processes without sign-in. */
  readonly signIn?: SignIn;
  /** The public address of the service, if configured. */
  readonly publicUrl?: string | undefined;
  /** Called for each organization in which something may have been committed. */
  wrote?(organizationId: string): void;
}

/** The change set of reads, which write nothing. */
const noChangeSet = '00000000-0000-0000-0000-000000000000';

const nowhere: Outgoing = {
  request: () => Promise.reject(new Error('There is no way out here')),
  stream: () => Promise.reject(new Error('There is no way out here')),
  judge: () => Promise.reject(new Error('There is no way out here')),
  connect: () => Promise.reject(new Error('There is no way out here')),
  pinned: () => Promise.reject(new Error('There is no way out here')),
};

/**
 * Performs an operation for a caller; `performHere` is the door itself, for operations that streams perform. Throws what
 * the door and the operation throw.
 */
export function performInName(parts: CallerParts, performHere: PerformHere) {
  const perform = performAttempts(parts, performHere);
  const denials = createDenials(parts.clock);
  return async (operation: Operation, opened: Session, request: DoorRequest): Promise<Answer> => {
    let last: Call | undefined;
    try {
      return await perform(operation, opened, request, (call) => void (last = call));
    } catch (error) {
      if (error instanceof AdminOnly && last) await denials.note(last, request);
      throw error;
    }
  };
}

type Begun = (call: Call) => void;

/** As `performInName`; calls `begun` for each attempt. */
function performAttempts(parts: CallerParts, performHere: PerformHere) {
  const { sessions, limiter, clock, keyring, streams, outgoing = nowhere } = parts;
  const guard = createGuardStream(sessions, streams ?? defaultStreamBounds, performHere);
  const signers = cursorSigners(keyring.current('cursor').bytes);
  const once = createCarryOutOnce(keyring);
  const vaults = createVaults(keyring);
  return async (operation: Operation, opened: Session, request: DoorRequest, begun: Begun): Promise<Answer> => {
    const changeSet = request.changeSet ?? (operation.effect === 'read' ? noChangeSet : newId(clock.now()));
    const { wakeBy, ended } = endOf(parts, operation, opened);
    const begin = (session: Session): Attempt => {
      const place = placeOf(session, operation, request, request.happened ?? clock.now());
      const part: Call['part'] = (work) => attempts((inner) => partOf(place, inner, work));
      const signer = signers(session.caller.organizationId);
      const call = callOf(place, operation, request, {
        changeSet,
        signer,
        part,
        wake: wakeBy,
        vault: vaults(place.model),
        audit: auditOf({ keyring, clock }, place, request),
        outgoing,
        gateway: gatewayOf(parts, session.caller),
        ...budgetsOf(limiter, session.caller, request.limitDecisions),
      });
      begun(call);
      return { place, call };
    };
    const attempts = createAttempts(sessions, opened, begin, (call) => refuseCaller(operation, call));
    const counted = onlyOnce(() => countCost(limiter, opened.caller, operation, request.limitDecisions));
    let goesOn = false;
    try {
      const { answer, session } = await attempts(async ({ call, place }) => {
        const values = validInput(operation, request.input());
        const writeMode = await request.writeMode?.();
        if (writeMode?.dryRun && operation.effect === 'external') throw cannotBeTried();
        if (isCounted(operation)) await counted();
        const work = async (workspace?: Workspace) => {
          request.warnings.length = 0;
          request.failures.length = 0;
          const given = workspace ? within(call, workspace, writeMode?.dryRun === true) : call;
          if (request.isChangeSetChosen) await refuseOthersChangeSet(given);
          return operation.run(given, values, objectOf(operation, given, values));
        };
        const given = writeMode
          ? await carryOut(writeMode, operation, place, once, request.warnings, work)
          : await work();
        return { answer: given, session: place };
      });
      if (!(answer instanceof EventStream)) return answer;
      const guarded = guard(answer, session, request, ended);
      goesOn = true;
      return guarded;
    } finally {
      if (!goesOn) ended();
    }
  };
}

/** Throws PERMISSION_DENIED for a caller who may not perform the operation at all. */
function refuseCaller({ personOnly, adminOnly }: Operation, { visibility, caller }: Call): void {
  if (personOnly !== undefined && caller.tokenId !== null) throw errors.personOnly(personOnly);
  if (adminOnly !== undefined && !visibility.isAdmin) throw errors.adminOnly(adminOnly);
}

/** What to do at the end of a call, even of a failed one, since an earlier part may have committed a job. */
function endOf({ wake, wrote }: CallerParts, { effect }: Operation, { caller: { organizationId } }: Session) {
  let wakeAt = Infinity;
  return {
    wakeBy: (at: number) => void (wakeAt = Math.min(wakeAt, at)),
    ended() {
      if (wakeAt < Infinity) wake(organizationId, wakeAt);
      if (effect !== 'read') wrote?.(organizationId);
    },
  };
}

function placeOf(
  session: Session,
  { cost }: Operation,
  { time: { signal, deadline } }: DoorRequest,
  now: number,
): StatementScope {
  return { ...session, now, limitMs: statementLimits[cost], signal, deadline, progress: { hasCommitted: false } };
}

/** A commit of a part is a commit of the whole. */
async function partOf<T>(
  whole: StatementScope,
  { place, call }: Attempt,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  try {
    return await work(call);
  } finally {
    whole.progress.hasCommitted ||= place.progress.hasCommitted;
  }
}

/** Runs `work` until it has succeeded once. */
function onlyOnce(work: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (!isDone) await work();
    isDone = true;
  };
}

/** The object argument of a record operation; undefined for other operations. */
function objectOf(operation: Operation, call: Call, values: unknown): ObjectDef {
  const { object } = values as { readonly object?: string };
  if (operation.needs === undefined) return undefined as never;
  return neededObject(call, operation, operation.manages ?? object ?? '');
}

const cannotBeTried = () =>
  errors.validation('This reaches beyond the workspace, where nothing can be undone: it takes no dry_run');
