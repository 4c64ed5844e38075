/** Makes a tool from a table: the operation of each action, and the arguments it takes. */
import { Type } from 'typebox';
import { errors, type KithError } from '../errors.ts';
import { isObject, parseJson, type Json, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import { lengthOf, whole as wholeText, type LongText } from '../lib/long-text.ts';
import { EventStream } from '../operations/door/event-stream.ts';
import { Download, JsonText, type Answer, type Operation } from '../operations/door/operation.ts';
import {
  oneOf,
  presentational,
  readArgument,
  refuseTooLong,
  whole,
  type Argument,
  type Arguments,
  type ArgumentValues,
} from './arguments.ts';
import { cutAnswer } from './cut-answer.ts';
import { notTaken, unknownAction, unknownArgument, withExample } from './mistakes.ts';
import { narrow } from './narrowing.ts';
import { sourcesOf } from './samples.ts';
import type { Tool, ToolAction, ToolCaller, ToolHints, ToolResult } from './tool.ts';

/** One action of a tool. */
export interface Action {
  readonly operation: Operation;
  /** Required arguments. */
  readonly needs?: readonly string[];
  /** Optional arguments. */
  readonly takes?: readonly string[];
  /** Optional arguments to show in examples. */
  readonly shows?: readonly string[];
  /** Sample values for examples, of one object where they name one. */
  readonly samples?: JsonObject;
  /** Argument names by what the operation's errors call them, at the start of a path or message. */
  readonly errorNames?: Readonly<Record<string, string>>;
  /** Adjusts an example if arguments depend on each other. */
  adjustExample?(example: JsonObject, given: ArgumentValues, error: KithError): JsonObject;
  /** Lists that the operation takes as comma-separated texts. */
  readonly joins?: readonly string[];
  /** Default input, where it differs from the operation's. */
  readonly defaults?: JsonObject;
  /** The operation's input, if it is more than the renamed arguments. */
  input?(args: ArgumentValues): JsonObject;
  /** The rows of the answer from which `fields` selects members, for operations without such a parameter. */
  readonly rows?: readonly string[];
  /** The member of a row that `fields` compares, if it selects rows. */
  readonly rowName?: string;
  readonly affects?: ToolAction['affects'];
  /** Converts the answer, if agents get another form of it. */
  answer?(answer: Answer, args: ArgumentValues): ToolResult | Promise<ToolResult>;
}

export type Actions = Readonly<Record<string, Action>>;

interface Table {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The arguments; `action` is added in front. */
  readonly input: Arguments;
  /** Schemas that the arguments refer to. */
  readonly defs?: JsonObject;
  /** Members of the answer of any action, by type only. */
  readonly output: Readonly<Record<string, 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'any'>>;
  readonly hints: ToolHints;
  readonly actions: Actions;
  /** The default action. */
  readonly defaultAction?: string | ((args: ArgumentValues) => string);
  /** Chooses the action of a tool that has no `action` argument. */
  choose?(args: ArgumentValues): string;
  /** The name in the operations' inputs, by argument. */
  readonly as?: Readonly<Record<string, string>>;
}

/** Hints of a tool that changes nothing. */
export const reads: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Hints of a tool that changes or adds data. */
export const writes: ToolHints = { ...reads, readOnlyHint: false, idempotentHint: false };

/** Hints of a tool with an action that deletes data. */
export const destroys: ToolHints = { ...writes, destructiveHint: true };

/** Hints of a tool with effects outside the workspace. */
export const sends: ToolHints = { ...writes, openWorldHint: true };

/** The members of a page. */
export const paged = { data: 'array', total: 'integer', nextCursor: 'string' } as const;

/** The most tokens of an answer. */
export const maxTokens: Argument = whole();

/** Makes the tool; `action` is its first argument if it has several actions. */
export function defineTool(table: Table): Tool {
  const { name, title, description, hints, actions, defaultAction, choose } = table;
  const names = Object.keys(actions);
  const input: Arguments = choose
    ? table.input
    : {
        action: oneOf(names, typeof defaultAction === 'string' ? defaultAction : undefined),
        ...table.input,
      };
  const needed = Object.keys(input).filter((argument) =>
    argument === 'action' ? defaultAction === undefined : names.every((one) => actions[one]?.needs?.includes(argument)),
  );
  const full = { ...table, input };
  return {
    name,
    title,
    description,
    input: Type.Unsafe({
      type: 'object',
      properties: input,
      ...(needed.length > 0 && { required: needed }),
      ...(table.defs && { $defs: table.defs }),
    }),
    output: Type.Unsafe({
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(table.output).map(([member, type]) => [member, type === 'any' ? {} : { type }]),
      ),
    }),
    annotations: hints,
    actions: new Map(Object.entries(actions).map(([action, row]) => [action, toolAction(full, row)])),
    run: (caller, args) => run(full, caller, args),
  };
}

function toolAction(table: Table, row: Action): ToolAction {
  const { operation, needs = [], takes = [], joins = [], affects } = row;
  const inputOf = (args: ArgumentValues) => madeOf(table, row, args);
  return { operation, needs, takes, joins, inputOf, ...(affects && { affects }) };
}

async function run(table: Table, caller: ToolCaller, args: ArgumentValues): Promise<ToolResult> {
  if (!isObject(args))
    throw withExample(table, actionFor(table, {}), {}, errors.validation('arguments must be an object'));
  const action = actionOf(table, args);
  const row = table.actions[action];
  if (!row) throw unknownAction(table, args);
  try {
    const most = mostCharacters(table, args);
    const fields = fieldsOf(table, row, args);
    const answer = await caller.perform(
      row.operation,
      () => inputOf(table, action, row, args),
      most === undefined ? undefined : Math.max(1, most - beside),
    );
    return await withinSize(await narrowed(table, row, await resultOf(row, answer, args), fields), most);
  } catch (error) {
    throw withExample(table, action, args, error);
  }
}

function actionOf(table: Table, args: ArgumentValues): string {
  const { choose, defaultAction, actions } = table;
  if (choose) return choose(args);
  const { action = null } = args;
  if (action === null || action === '') {
    if (defaultAction !== undefined) return typeof defaultAction === 'string' ? defaultAction : defaultAction(args);
    const names = Object.keys(actions);
    throw withExample(table, actionFor(table, args), args, errors.missingField('action', `one of ${names.join(', ')}`));
  }
  if (typeof action === 'string' && Object.hasOwn(actions, action)) return action;
  throw unknownAction(table, args);
}

/** The first action that takes all given arguments, or else the first. */
function actionFor({ actions }: Table, args: ArgumentValues): string {
  const given = Object.keys(args).filter((name) => name !== 'action' && !presentational.has(name));
  const takesAll = ({ needs = [], takes = [] }: Action) =>
    given.every((name) => needs.includes(name) || takes.includes(name));
  const [first] = Object.entries(actions).find(([, action]) => takesAll(action)) ?? Object.entries(actions)[0] ?? [''];
  return first;
}

/** The operation's input. Throws MISSING_REQUIRED_FIELD, VALIDATION_ERROR. */
function inputOf(table: Table, action: string, row: Action, args: ArgumentValues): JsonObject {
  const { needs = [], takes = [], joins = [] } = row;
  const own = new Set([...needs, ...takes]);
  const read: Record<string, Json> = {};
  for (const [name, given] of Object.entries(args)) {
    if (name === 'action' && !table.choose) continue;
    const argument = Object.hasOwn(table.input, name) ? table.input[name] : undefined;
    if (!argument) throw unknownArgument(table, action, name, [...own]);
    const value = readArgument(name, argument, given);
    if (value === undefined || name === 'max_tokens') continue;
    if (own.has(name)) read[name] = joins.includes(name) && Array.isArray(value) ? joined(name, value) : value;
    else if (given !== null && given !== '' && !presentational.has(name)) throw notTaken(table, action, name, [...own]);
  }
  // Some clients send every argument: a null value without a field to compare means nothing.
  if (read['filter_value'] === null && read['filter_field'] === undefined) delete read['filter_value'];
  for (const name of needs)
    if (!Object.hasOwn(read, name)) throw errors.missingField(name, reasonOf(table, action, name));
  return madeOf(table, row, read);
}

/** The input from arguments that were read. */
function madeOf(table: Table, { defaults, input }: Action, args: ArgumentValues): JsonObject {
  return { ...defaults, ...(input ? input(args) : renamed(table, args)) };
}

/** A list as the operation takes it. Throws VALIDATION_ERROR. */
function joined(name: string, list: readonly Json[]): string {
  const message = `${name} must be a list of texts`;
  if (list.some((item) => typeof item === 'object')) throw errors.validation(message, [{ field: name, message }]);
  const text = list.join(',');
  refuseTooLong(name, text);
  return text;
}

/** The arguments under the names of the operation's input. */
function renamed({ as = {} }: Table, args: ArgumentValues): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [as[name] ?? name, value]));
}

function reasonOf({ actions, choose }: Table, action: string, name: string): string {
  const isOfAll = choose !== undefined || Object.values(actions).every(({ needs }) => needs?.includes(name));
  return [...(isOfAll ? [] : [`${action} needs it`]), ...sourcesOf(name).map((source) => `${source} has it`)].join(
    ', and ',
  );
}

async function resultOf(row: Action, answer: Answer, args: ArgumentValues): Promise<ToolResult> {
  if (row.answer) return row.answer(answer, args);
  if (answer instanceof Download || answer instanceof EventStream) throw new Error('A tool answers no files');
  return answer;
}

/** Characters that count as one token. */
const charactersOfToken = 4;

/** Characters for the members beside the records, and the cursor. */
const beside = 800;

function mostCharacters({ input }: Table, args: ArgumentValues): number | undefined {
  const { max_tokens: argument } = input;
  const given = argument && readArgument('max_tokens', argument, args.max_tokens);
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given * charactersOfToken;
  throw ofMaxTokens('max_tokens must be a whole number from 1');
}

const ofMaxTokens = (message: string) => errors.validation(message, [{ field: 'max_tokens', message }]);

/** Cuts an answer to `most` characters and states what was left out. Throws VALIDATION_ERROR if it cannot be made that small. */
async function withinSize(result: ToolResult, most: number | undefined): Promise<ToolResult> {
  if (most === undefined) return result;
  const text = await textOf(result);
  if (lengthOf(text) <= most) return result;
  const small = cutAnswer(parseJson(wholeText(text)) as JsonObject, most);
  if (small) return small;
  const needed = Math.ceil(lengthOf(text) / charactersOfToken);
  throw ofMaxTokens(
    `max_tokens is too small: the whole answer has about ${needed.toLocaleString('en')} tokens; ask for fewer fields or allow more`,
  );
}

/** The requested members, if the operation does not select them itself. Throws VALIDATION_ERROR. */
function fieldsOf({ input }: Table, { rows }: Action, args: ArgumentValues): readonly string[] {
  const { fields: argument } = input;
  const given = rows && argument ? readArgument('fields', argument, args.fields) : undefined;
  return Array.isArray(given) && given.length > 0 ? joined('fields', given).split(',') : [];
}

async function narrowed(
  { name }: Table,
  { operation, rows: paths, rowName: by }: Action,
  result: ToolResult,
  fields: readonly string[],
): Promise<ToolResult> {
  if (!paths || fields.length === 0) return result;
  const place = { paths, of: name, ...(by !== undefined && { by }) };
  return narrow(parseJson(wholeText(await textOf(result))) as JsonObject, place, fields, operation.output);
}

async function textOf(result: ToolResult): Promise<LongText> {
  return result instanceof JsonText ? result.text : writeJson(result);
}
