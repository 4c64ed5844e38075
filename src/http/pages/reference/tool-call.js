/** A request as a call of a tool, for agents: of the tables that the tools themselves are made of. */
import { parsed, typed } from './client-call.js';
import { pathValues, patternOf } from './place.js';

/** Made by the service of its tools. */
const callsAt = './tool-calls.js';
const { toolCalls } = await import(callsAt);

/** The message that has a tool do the same, and what it cannot say; undefined where no tool does it. */
export function toolCallOf(operation, values, body, { resolve }) {
  const route = patternOf(operation, toolCalls);
  if (!route) return undefined;
  const input = inputOf(route, operation, values, body, resolve);
  const [chosen] = route.calls
    .map((call) => ({ call, ...said(call, structuredClone(input)) }))
    .filter(({ isOther }) => !isOther)
    .toSorted((a, b) => a.left.length - b.left.length);
  if (!chosen) return undefined;
  const { call, given, left } = chosen;
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: call.tool, arguments: given } };
  const unsaid = Object.entries(call.only ?? {}).filter(([name]) => input[name] === undefined && name !== 'action');
  return { text: JSON.stringify(message, null, 2), notes: notesOn(values, left, unsaid) };
}

/** What the operation is given, by its own names. */
function inputOf(route, operation, values, body, resolve) {
  const query = values.filter(({ place, name }) => place === 'query' && name !== 'dry_run' && name !== 'pretty');
  const content = body === undefined ? {} : parsed(body);
  const inBody = route.body === 'merged' ? content : { [route.body?.under]: content };
  return {
    ...(route.body !== undefined && inBody),
    ...Object.fromEntries(query.map(({ name, value }) => [name, typed(operation, name, value, resolve)])),
    ...Object.fromEntries(
      pathValues(
        route,
        operation,
        values.filter(({ place }) => place === 'path'),
      ),
    ),
  };
}

/** The arguments of `call` that say the input, what of it none of them says, and whether it is another call that does this. */
function said({ action, only = {}, from, joins = [] }, input) {
  const given = action === undefined ? {} : { action };
  const isOther = Object.entries(only).some(([name, value]) => input[name] !== undefined && input[name] !== value);
  for (const name of Object.keys(only)) delete input[name];
  for (const [argument, path] of Object.entries(from)) {
    const holder = path.slice(0, -1).reduce((part, key) => part?.[key], input);
    const value = holder?.[path.at(-1)];
    if (value === undefined) continue;
    given[argument] = joins.includes(argument) ? [value].flat().join(',').split(',') : value;
    delete holder[path.at(-1)];
  }
  const left = Object.entries(input).flatMap(([name, value]) => (isEmpty(value) ? [] : [name]));
  return { given, left, isOther };
}

function isEmpty(value) {
  return typeof value === 'object' && value !== null ? Object.values(value).every(isEmpty) : value === undefined;
}

function notesOn(values, left, unsaid) {
  const isTrial = values.some(({ name, value }) => name === 'dry_run' && value === 'true');
  return [
    isTrial && 'A tool has no dry run: this call writes.',
    left.length > 0 && `The tool has no argument for ${left.join(', ')}.`,
    ...unsaid.map(([name, value]) => `The tool always says ${name}=${value}.`),
  ].filter(Boolean);
}
