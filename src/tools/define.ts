/** Makes a tool of a table: which operation each of its actions is, and which of its arguments that takes. */
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
  type Given,
} from './arguments.ts';
import { fit } from './fitting.ts';
import { notTaken, unknownAction, unknownArgument, withExample } from './mistakes.ts';
import { narrow } from './narrowing.ts';
import { sourcesOf } from './samples.ts';
import type { Tool, ToolAction, ToolCaller, ToolHints, ToolResult } from './tool.ts';

/** One thing that a tool does. */
export interface Action {
  readonly operation: Operation;
  /** Arguments that it cannot do without. */
  readonly needs?: readonly string[];
  /** Others that it takes. */
  readonly takes?: readonly string[];
  /** Of what it takes, what an example has, too. */
  readonly shows?: readonly string[];
  /** What stands in an example where nothing was given: of one object, where it names one. */
  readonly samples?: JsonObject;
  /** What its errors call an argument, at the beginning of a path or of a message, with the name that it has here. */
  readonly told?: Readonly<Record<string, string>>;
  /** An example of what goes together, where arguments depend on each other. */
  fitted?(example: JsonObject, given: Given, error: KithError): JsonObject;
  /** Lists that the operation takes as texts with commas between. */
  readonly joins?: readonly string[];
  /** What stands where the arguments say nothing, and the operation has another usual. */
  readonly usual?: JsonObject;
  /** The input of the operation, where it is more than the arguments by their other names. */
  input?(args: Given): JsonObject;
  /** Where its answer has rows, of which `fields` picks members: for operations that do not take it by themselves. */
  readonly rows?: readonly string[];
  /** The member of a row that `fields` means, where it picks rows. */
  readonly rowName?: string;
  readonly affects?: ToolAction['affects'];
  /** Where agents are told it in another form than others. */
  answer?(answer: Answer, args: Given): ToolResult | Promise<ToolResult>;
}

export type Actions = Readonly<Record<string, Action>>;

interface Table {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** `action` comes first by itself. */
  readonly input: Arguments;
  /** What the arguments refer to. */
  readonly defs?: JsonObject;
  /** Members of what is answered, whatever the action: the types alone. */
  readonly output: Readonly<Record<string, 'string' | 'integer' | 'boolean' | 'array' | 'object' | 'any'>>;
  readonly hints: ToolHints;
  readonly actions: Actions;
  /** The action where none is given. */
  readonly usual?: string | ((args: Given) => string);
  /** Of a tool without the argument `action`: which one is meant. */
  choose?(args: Given): string;
  /** The name in the operations' inputs, by the argument's. */
  readonly as?: Readonly<Record<string, string>>;
}

/** Changes nothing. */
export const reads: ToolHints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Changes what is there, or adds to it. */
export const writes: ToolHints = { ...reads, readOnlyHint: false, idempotentHint: false };

/** Some action takes away what is there. */
export const destroys: ToolHints = { ...writes, destructiveHint: true };

/** Goes out into the world. */
export const sends: ToolHints = { ...writes, openWorldHint: true };

/** Of a page. */
export const paged = { data: 'array', total: 'integer', nextCursor: 'string' } as const;

/** The tokens that an answer may have. */
export const maxTokens: Argument = whole();

/** A tool with actions has them as the first argument. */
export function defineTool(table: Table): Tool {
  const { name, title, description, hints, actions, usual, choose } = table;
  const names = Object.keys(actions);
  const input: Arguments = choose
    ? table.input
    : {
        action: oneOf(names, typeof usual === 'string' ? usual : undefined),
        ...table.input,
      };
  const needed = Object.keys(input).filter((argument) =>
    argument === 'action' ? usual === undefined : names.every((one) => actions[one]?.needs?.includes(argument)),
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
  const inputOf = (args: Given) => madeOf(table, row, args);
  return { operation, needs, takes, joins, inputOf, ...(affects && { affects }) };
}

async function run(table: Table, caller: ToolCaller, args: Given): Promise<ToolResult> {
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
    return await withinSize(await narrowed(table, row, await told(row, answer, args), fields), most);
  } catch (error) {
    throw withExample(table, action, args, error);
  }
}

function actionOf(table: Table, args: Given): string {
  const { choose, usual, actions } = table;
  if (choose) return choose(args);
  const { action = null } = args;
  if (action === null || action === '') {
    if (usual !== undefined) return typeof usual === 'string' ? usual : usual(args);
    const names = Object.keys(actions);
    throw withExample(table, actionFor(table, args), args, errors.missingField('action', `one of ${names.join(', ')}`));
  }
  if (typeof action === 'string' && Object.hasOwn(actions, action)) return action;
  throw unknownAction(table, args);
}

/** The first action that takes all that is given, else the first. */
function actionFor({ actions }: Table, args: Given): string {
  const given = Object.keys(args).filter((name) => name !== 'action' && !presentational.has(name));
  const takesAll = ({ needs = [], takes = [] }: Action) =>
    given.every((name) => needs.includes(name) || takes.includes(name));
  const [first] = Object.entries(actions).find(([, action]) => takesAll(action)) ?? Object.entries(actions)[0] ?? [''];
  return first;
}

/** What the operation is given. Throws MISSING_REQUIRED_FIELD, VALIDATION_ERROR. */
function inputOf(table: Table, action: string, row: Action, args: Given): JsonObject {
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
  // Some clients send every argument: a null without a field to compare it with says nothing.
  if (read['filter_value'] === null && read['filter_field'] === undefined) delete read['filter_value'];
  for (const name of needs)
    if (!Object.hasOwn(read, name)) throw errors.missingField(name, reasonOf(table, action, name));
  return madeOf(table, row, read);
}

/** Of arguments that are read. */
function madeOf(table: Table, { usual, input }: Action, args: Given): JsonObject {
  return { ...usual, ...(input ? input(args) : renamed(table, args)) };
}

/** As the operation takes it. Throws VALIDATION_ERROR. */
function joined(name: string, list: readonly Json[]): string {
  const message = `${name} must be a list of texts`;
  if (list.some((item) => typeof item === 'object')) throw errors.validation(message, [{ field: name, message }]);
  const text = list.join(',');
  refuseTooLong(name, text);
  return text;
}

/** By the names that the operation has. */
function renamed({ as = {} }: Table, args: Given): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [as[name] ?? name, value]));
}

function reasonOf({ actions, choose }: Table, action: string, name: string): string {
  const isOfAll = choose !== undefined || Object.values(actions).every(({ needs }) => needs?.includes(name));
  return [...(isOfAll ? [] : [`${action} needs it`]), ...sourcesOf(name).map((source) => `${source} has it`)].join(
    ', and ',
  );
}

async function told(row: Action, answer: Answer, args: Given): Promise<ToolResult> {
  if (row.answer) return row.answer(answer, args);
  if (answer instanceof Download || answer instanceof EventStream) throw new Error('A tool answers no files');
  return answer;
}

/** Characters that are taken for one token. */
const charactersOfToken = 4;

/** What stands beside the records of an answer: its other members, and the cursor. */
const beside = 800;

function mostCharacters({ input }: Table, args: Given): number | undefined {
  const { max_tokens: argument } = input;
  const given = argument && readArgument('max_tokens', argument, args.max_tokens);
  if (given === undefined) return undefined;
  if (typeof given === 'number' && Number.isInteger(given) && given > 0) return given * charactersOfToken;
  throw ofMaxTokens('max_tokens must be a whole number from 1');
}

const ofMaxTokens = (message: string) => errors.validation(message, [{ field: 'max_tokens', message }]);

/** Of an answer that has no more: cut, with what is left out. Throws VALIDATION_ERROR for one that cannot be made as small. */
async function withinSize(result: ToolResult, most: number | undefined): Promise<ToolResult> {
  if (most === undefined) return result;
  const text = await textOf(result);
  if (lengthOf(text) <= most) return result;
  const small = fit(parseJson(wholeText(text)) as JsonObject, most);
  if (small) return small;
  const needed = Math.ceil(lengthOf(text) / charactersOfToken);
  throw ofMaxTokens(
    `max_tokens is too small: the whole answer has about ${needed.toLocaleString('en')} tokens; ask for fewer fields or allow more`,
  );
}

/** The members that are asked for, where it is not the operation that picks them. Throws VALIDATION_ERROR. */
function fieldsOf({ input }: Table, { rows }: Action, args: Given): readonly string[] {
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
