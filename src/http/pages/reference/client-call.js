/** A request as a call of the JavaScript client. */
import { pathValues, patternOf } from './place.js';
import { shapesOf } from './schema.js';

/** The client's own file, as this service serves it. */
const methodsAt = './client-methods.js';
const { operations } = await import(methodsAt);

/** The client's methods with their paths. */
const methods = Object.entries(operations).flatMap(([group, members]) =>
  Object.entries(members).map(([name, told]) => ({ ...told, call: `kith.${group}.${name}` })),
);

/** Options of calls by lower-case header name. */
const options = {
  'idempotency-key': 'idempotencyKey',
  'change-set': 'changeSet',
  'if-match': 'ifMatch',
  'time-zone': 'timeZone',
};

/** The call of `operation` with these values and body; undefined if the client has no method for it. */
export function clientCallOf(operation, values, body, { origin, resolve }) {
  const method = patternOf(operation, methods);
  if (!method) return undefined;
  const at = (place) => values.filter((value) => value.place === place);
  const query = at('query').filter(({ name }) => name !== 'dry_run' && name !== 'pretty');
  const isTrial = at('query').some(({ name, value }) => name === 'dry_run' && value === 'true');
  const given = Object.fromEntries(query.map(({ name, value }) => [name, typed(operation, name, value, resolve)]));
  const told = optionsOf(at('header'), isTrial);
  const parts = [
    ...pathValues(method, operation, at('path')).map(([, value]) => value),
    ...(method.body ? [parsed(body ?? '{}')] : []),
    ...(method.query ? [given] : []),
    told,
  ];
  // Empty arguments at the end are dropped.
  while (parts.length > 0 && isEmpty(parts.at(-1))) parts.pop();
  const call = `${method.call}(${parts.map((part) => literal(part)).join(', ')})`;
  const statement = method.isStream
    ? `for await (const { event, data } of ${call}) console.log(event, data);`
    : `const answer = await ${call};`;
  return `${beginning(origin)}\n\n${statement}`;
}

/** The first lines of a program with the client. */
export function beginning(origin) {
  return [
    "import { createClient } from 'kithcrm/client';",
    '',
    'const kith = createClient({',
    `  baseUrl: ${literal(origin)},`,
    '  token: process.env.KITH_TOKEN,',
    '});',
  ].join('\n');
}

function optionsOf(headers, isTrial) {
  const own = headers.filter(({ name }) => options[name.toLowerCase()]);
  const others = headers.filter(({ name }) => !options[name.toLowerCase()]);
  return {
    ...(isTrial && { dryRun: true }),
    ...Object.fromEntries(own.map(({ name, value }) => [options[name.toLowerCase()], value])),
    ...(others.length > 0 && { headers: Object.fromEntries(others.map(({ name, value }) => [name, value])) }),
  };
}

/** A parameter as a program passes it: JSON and lists as values. */
export function typed({ parameters }, name, value, resolve) {
  const { schema = {}, description = '' } = parameters.find((one) => one.name === name && one.in === 'query') ?? {};
  const [shape = {}] = shapesOf(schema, resolve).shapes;
  if (shape.contentMediaType === 'application/json') return parsed(value);
  if (shape.type === 'integer' || shape.type === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  if (shape.type === 'boolean') return value === 'true';
  // Lists are sent as comma-separated text, as their description says.
  return /\bcomma/i.test(description) && /^[^"]*,[^"]*$/.test(value) ? value.split(',') : value;
}

/** The parsed JSON; invalid JSON stays text. */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isEmpty(part) {
  return typeof part === 'object' && part !== null && !Array.isArray(part) && Object.keys(part).length === 0;
}

const widest = 48;

/** A JavaScript literal, on one line if it is short. */
function literal(value, indent = '') {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const deeper = `${indent}  `;
  const members = isList
    ? value.map((one) => literal(one, deeper))
    : Object.entries(value).map(
        ([key, one]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key)}: ${literal(one, deeper)}`,
      );
  const [opens, closes] = isList ? ['[', ']'] : ['{ ', ' }'];
  if (members.length === 0) return isList ? '[]' : '{}';
  const line = opens + members.join(', ') + closes;
  if (line.length + indent.length <= widest && !line.includes('\n')) return line;
  return `${opens.trim()}\n${members.map((one) => `${deeper}${one},\n`).join('')}${indent}${closes.trim()}`;
}

function quoted(text) {
  const inner = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${inner}'`;
}
