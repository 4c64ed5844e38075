/** One tool call or resource read, on any surface: its operations share a change set and warnings. */
import type { TSchema } from 'typebox';
import { newId } from '../lib/id.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Answer, Operation } from '../operations/door/operation.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { ToolCaller } from './tool.ts';

export interface Turn extends ToolCaller {
  /** The change set of the turn's writes; undefined if nothing was written that can be undone. */
  readonly changeSet: string | undefined;
  /** Warnings of its operations. */
  readonly warnings: readonly string[];
}

/** Performs an operation for the caller in the context of the turn. */
type PerformInTurn = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  input: () => JsonObject,
  ofTurn: Pick<RequestContext, 'changeSet' | 'warnings' | 'mostBytes' | 'onHistoryWritten'>,
) => Promise<Result>;

/** Makes a turn. */
export function newTurn(perform: PerformInTurn): Turn {
  const changeSet = newId();
  const warnings: string[] = [];
  let hasWritten = false;
  return {
    perform: (operation, input, mostBytes) =>
      perform(operation, input, {
        changeSet,
        warnings,
        ...(mostBytes !== undefined && { mostBytes }),
        // An external effect cannot be undone, even if history has an entry.
        ...(operation.effect !== 'external' && { onHistoryWritten: () => void (hasWritten = true) }),
      }),
    get changeSet() {
      return hasWritten ? changeSet : undefined;
    },
    warnings,
  };
}
