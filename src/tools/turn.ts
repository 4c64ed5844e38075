/** One call of a tool, or one look at a resource, however an agent comes by it: what it performs is one change set, with its warnings. */
import type { TSchema } from 'typebox';
import { newId } from '../lib/id.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Answer, Operation } from '../operations/door/operation.ts';
import type { RequestContext } from '../operations/door/request-context.ts';
import type { ToolCaller } from './tool.ts';

export interface Turn extends ToolCaller {
  /** Ties together in history what the turn writes; undefined where it writes nothing that can be taken back. */
  readonly changeSet: string | undefined;
  /** What its operations warned of. */
  readonly warnings: readonly string[];
}

/** Performs an operation in the caller's name, with what the turn says of it. */
type PerformInTurn = <Result extends Answer>(
  operation: Operation<TSchema, Result>,
  input: () => JsonObject,
  ofTurn: Pick<RequestContext, 'changeSet' | 'warnings' | 'mostBytes' | 'onHistoryWritten'>,
) => Promise<Result>;

/** A turn of which nothing is done yet. */
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
        // What went out is beyond taking back, whatever is kept of it.
        ...(operation.effect !== 'external' && { onHistoryWritten: () => void (hasWritten = true) }),
      }),
    get changeSet() {
      return hasWritten ? changeSet : undefined;
    },
    warnings,
  };
}
