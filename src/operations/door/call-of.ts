/** Builds the `Call` that an operation receives. */
import type { Call } from '../../access/call.ts';
import { policiesFor } from '../../access/policies.ts';
import { openWorkspace, type StatementScope, type Workspace } from '../../access/workspace.ts';
import { newId } from '../../lib/id.ts';
import type { Operation } from './operation.ts';
import type { DoorRequest } from './request-context.ts';

/** The call of one attempt. */
export function callOf(
  place: StatementScope,
  { id: operation, source, effect, showsOnly }: Operation,
  request: DoorRequest,
  rest: Pick<
    Call,
    'changeSet' | 'signer' | 'part' | 'wake' | 'vault' | 'audit' | 'outgoing' | 'gateway' | 'countSend' | 'budgets'
  >,
): Call {
  const { caller, model, now, signal } = place;
  return {
    ...rest,
    jobId: request.isChangeSetChosen ? newId(now) : rest.changeSet,
    caller,
    model,
    visibility: policiesFor(caller, model),
    me: caller.workspaceUserId,
    workspace: openWorkspace(place),
    signal,
    async sendOut(work) {
      if (effect !== 'external') throw new Error(`${operation} is not said to be external`);
      signal.throwIfAborted();
      place.progress.hasCommitted = true;
      return work();
    },
    now,
    timeZone: request.timeZone ?? model.timeZone,
    source: request.source === 'demo' ? 'demo' : (source ?? request.source),
    operation,
    ...(request.requestId !== undefined && { request: request.requestId }),
    ...(request.calledAt !== undefined && { calledAt: request.calledAt }),
    ...(request.agent !== undefined && { agent: request.agent }),
    ...(request.mostBytes !== undefined && { mostBytes: request.mostBytes }),
    ...(request.onHistoryWritten !== undefined && !showsOnly && { onHistoryWritten: request.onHistoryWritten }),
    isPast: request.happened !== undefined,
    warn: (message) => void request.warnings.push(message),
    report: (error) => void request.failures.push(error),
  };
}

/** The call inside the one transaction of a dry run or an idempotent request: its parts join that transaction. */
export function within(call: Call, workspace: Workspace, isTrial: boolean): Call {
  const inside: Call = { ...call, workspace, part: (work) => work(inside), ...(isTrial && { isTrial }) };
  return inside;
}
