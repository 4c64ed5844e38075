/** Calls a tool and makes its result: the answer as structured content and text, and errors as results. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { errors, KithError, quoted } from '../errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import type { LongText } from '../lib/long-text.ts';
import { didYouMean } from '../lib/nearest.ts';
import { errorBody } from '../operations/door/error-body.ts';
import { JsonText } from '../operations/door/operation.ts';
import { isSend, lossOf } from '../tools/asking.ts';
import { textBeside } from '../tools/model-texts.ts';
import type { Tool } from '../tools/tool.ts';
import type { Turn } from '../tools/turn.ts';
import { afterShowing } from './ask-before-loss.ts';
import { givenToTool, refuseUnstorable } from './passing.ts';
import { afterAsking, canAsk, isQuestion } from './ask-person.ts';
import type { Visit } from './visit.ts';

/** Calls the tool. Throws a protocol error for an unknown name. */
export async function callTool(
  tools: readonly Tool[],
  { name, arguments: args = {} }: CallToolRequest['params'],
  context: ServerContext,
  visit: Visit,
): Promise<CallToolResult | InputRequiredResult> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw unknownTool(name, tools);
  try {
    return await visit.take(context, async (turn) => {
      refuseUnstorable(args as JsonObject);
      const given = givenToTool(args as JsonObject) as JsonObject;
      const loss = canAsk(context) && isObject(given) ? lossOf(tool, given) : undefined;
      const result = loss
        ? await afterShowing(tool, loss, given, context, turn)
        : canAsk(context) && isObject(given) && isSend(tool, given)
          ? await afterAsking(tool, given, context, turn)
          : await tool.run(turn, given);
      if (isQuestion(result)) return result;
      return resultOf(result instanceof JsonText ? result.text : await writeJson(result), turn, visit);
    });
  } catch (thrown) {
    const error = thrown instanceof KithError ? thrown : errors.internal(thrown);
    if (error.cause !== undefined) visit.report(error);
    const body = errorBody(error);
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body };
  }
}

function resultOf(text: LongText, { changeSet, warnings }: Turn, { splices }: Visit): CallToolResult {
  return {
    content: [
      { type: 'text', text: splices.asText(text) },
      { type: 'text', text: textBeside(changeSet, warnings) },
    ],
    structuredContent: splices.asObject(text),
    ...(changeSet !== undefined && { _meta: { 'kith/change_set': changeSet } }),
  };
}

function unknownTool(name: string, tools: readonly Tool[]): ProtocolError {
  const names = tools.map((tool) => tool.name);
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${quoted(name)}${didYouMean(name, names)}`,
  );
}
