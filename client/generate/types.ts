/** Writes the types of the client's methods, from the schemas of the OpenAPI document. */
import { sharedSchemas } from '../../src/describe/components.ts';
import { fileTypes } from '../../src/describe/endpoint.ts';
import { pascal } from '../../src/describe/names.ts';
import { declaration, typeOf } from '../../src/describe/typescript.ts';
import type { JsonSchema } from '../../src/fields/json-schema.ts';
import { answerErrorCodes } from '../../src/cli/exit-codes.ts';
import type { Method } from './methods.ts';

/** The first line of both modules. */
export const generatedBy = '// Made by `npm run client` of the operations of the service.';

/** The text of `generated/types.d.ts`. */
export function typesText(methods: readonly Method[]): string {
  const shared = ['FilterGroup', 'FilterCondition', 'SortKey', 'FieldError', 'ListOutcome', 'Manifest'];
  const used = [
    'Answered',
    'EventStream',
    'FileOptions',
    'IfMatch',
    'KeyOptions',
    'ObjectName',
    'ObjectTypes',
    'Pages',
  ];
  const imported = [...used, 'ReadOptions', 'StreamOptions', 'Trial', 'WriteOptions'].toSorted();
  const groups = [...Map.groupBy(methods, ({ group }) => group)].map(
    ([group, all]) => `  readonly ${group}: {\n${all.flatMap(signaturesOf).join('')}  };\n`,
  );
  return [
    `${generatedBy}\nimport type { ${imported.join(', ')} } from '../index.js';\n`,
    `/** What an error of the service may be called. */\nexport type ServiceErrorCode = ${quotedUnion(answerErrorCodes())};\n`,
    `/** The types of files that an import takes. */\nexport type FileType = ${quotedUnion(Object.keys(fileTypes))};\n`,
    ...shared.map((name) => declaration(name, sharedSchemas[name] ?? {})),
    ...eachOnce(methods.flatMap(declarationsOf)),
    `/** Every operation of the service. */\nexport interface Operations<O extends Record<keyof O, ObjectTypes>> {\n${groups.join('')}}\n`,
  ].join('\n');
}

function declarationsOf(method: Method): string[] {
  const { query, body, answer, paging, route, download, isStream } = method;
  const name = nameOf(method);
  const isGeneric = genericsOf(method);
  const generic = (type: string) => (isGeneric(type) ? '<R extends ObjectTypes>' : '');
  const text = (suffix: string, schema: JsonSchema) => declaration(`${name}${suffix}${generic(suffix)}`, schema);
  const list: string[] = [];
  if (query) list.push(readonlyLists(text('Query', inQuery(query))));
  if (body && route.body === 'merged') list.push(readonlyLists(text('Body', body)));
  if (isGroupedList(method)) {
    const [page = {}, groups = {}] = answer.anyOf ?? [];
    list.push(text('Answer', page), text('Groups', groups));
  } else if (download !== 'always') list.push(text(isStream ? 'Event' : 'Answer', answer));
  if (paging) {
    const items = `${name}Answer${isGeneric('Answer') ? '<R>' : ''}["${paging.items}"][number]`;
    list.push(`export type ${name}Item${generic('Answer')} = ${items};\n`);
  }
  return list;
}

/** Identical answers are declared once; further ones become aliases of the first. */
function eachOnce(declarations: readonly string[]): string[] {
  const names = new Map<string, string>();
  return declarations.map((text) => {
    const [, name = '', generic = '', body] = /^export interface (\w+)(<[^>]*>)? (\{\n[^]*\})\n$/.exec(text) ?? [];
    if (body === undefined) return text;
    const first = names.get(generic + body);
    if (first !== undefined) return `export type ${name}${generic} = ${first}${generic && '<R>'};\n`;
    names.set(generic + body, name);
    return text;
  });
}

/** Makes lists in inputs readonly. */
function readonlyLists(text: string): string {
  return text.replaceAll(/(?<=[ (])(\w+\[\])/g, 'readonly $1');
}

/** Whether a list can also return groups. */
function isGroupedList({ query, answer, paging }: Method): boolean {
  return paging !== undefined && answer.anyOf?.length === 2 && query?.properties?.['group_by'] !== undefined;
}

/** Allows structured values for query parameters that are sent as JSON text. */
function inQuery(query: JsonSchema): JsonSchema {
  const properties = Object.entries(query.properties ?? {}).map(([name, schema]): [string, JsonSchema] => {
    const { contentSchema, description = '', type, enum: options, ...rest } = schema;
    const text: JsonSchema = { type: 'string' };
    if (contentSchema)
      return [name, { anyOf: [contentSchema, text], description: description.replace(/ as JSON text/, '') }];
    if (type === 'string' && !options && /\bcommas?\b/i.test(description))
      return [name, { anyOf: [text, { type: 'array', items: text }], description, ...rest }];
    return [name, schema];
  });
  return { ...query, properties: Object.fromEntries(properties) };
}

/** Returns whether the declaration with a suffix is generic over the object's types. */
function genericsOf({ query, body, answer }: Method): (suffix: string) => boolean {
  const speaks = (schema: JsonSchema | undefined) => JSON.stringify(schema ?? {}).includes(String.raw`R[\"`);
  return (suffix) => speaks(suffix === 'Query' ? query : suffix === 'Body' ? body : answer);
}

function nameOf({ group, name }: Method): string {
  return `${pascal(group)}${pascal(name)}`;
}

/** The signatures of a method and of its variants: over all pages, returning a file, taking a file. */
function signaturesOf(method: Method): string[] {
  const { paging, isStream, download, route } = method;
  const name = nameOf(method);
  const isGeneric = genericsOf(method);
  const of = (suffix: string) => `${name}${suffix}${isGeneric(suffix) ? '<O[K]>' : ''}`;
  const line = (called: string, given: readonly string[], result: string) =>
    `    ${called}${method.path.includes('object') && method.isTyped ? '<K extends ObjectName<O>>' : ''}(${given.join(', ')}): ${result};\n`;
  const given = argumentsOf(method, of);
  const lines = [`    /** ${route.operation.summary}. \`${route.method} ${route.path}\` */\n`];
  if (isStream) return [...lines, line(method.name, given, `EventStream<${of('Event')}>`)];
  if (download === 'always') return [...lines, line(method.name, given, 'Answered<Response>')];
  if (isGroupedList(method)) {
    const grouped = given.map((one) => one.replace(/^query\?: (.*)$/, 'query: $1 & { group_by: string }'));
    lines.push(line(method.name, grouped, `Answered<${of('Answer').replace('Answer', 'Groups')}>`));
  }
  lines.push(line(method.name, given, `Answered<${of('Answer')}>`));
  if (paging) {
    lines.push('    /** The same on all pages, one after the other. */\n');
    const item = isGeneric('Answer') ? `${name}Item<O[K]>` : `${name}Item`;
    const plain = isGroupedList(method)
      ? given.map((one) => one.replace(/^query\?: (.*)$/, 'query?: Omit<$1, "group_by">'))
      : given;
    lines.push(line(`${method.name}All`, plain, `Pages<${item}, ${of('Answer')}>`));
  }
  if (download === 'also') {
    lines.push('    /** The same as a file, in the `format` that is asked for. */\n');
    lines.push(line(`${method.name}File`, given, 'Answered<Response>'));
  }
  if (route.operation.takesFile) lines.push(...fileSignature(method, of));
  return lines;
}

function argumentsOf(method: Method, of: (suffix: string) => string): string[] {
  const { path, body, query, route } = method;
  const list = path.map((name) => `${name}: ${name === 'object' ? objectType(method) : 'string'}`);
  if (body) {
    const type = route.body === 'merged' ? of('Body') : typeOf(body).replace('R["', 'O[K]["');
    list.push(`${typeof route.body === 'object' ? route.body.under : 'body'}${isOptional(body) ? '?' : ''}: ${type}`);
  }
  if (query) list.push(`query${isOptional(query) ? '?' : ''}: ${of('Query')}`);
  return [...list, `options?: ${optionsOf(method)}`];
}

function objectType({ isTyped, route: { operation } }: Method): string {
  const name = isTyped ? 'K' : 'ObjectName<O>';
  return operation.takesManaged ? `${name} | 'tasks' | 'notes'` : name;
}

/** Whether the argument is optional, since none of its members is required. A reference to a record's values counts as required. */
function isOptional({ properties, required = [] }: JsonSchema): boolean {
  return properties !== undefined && required.length === 0;
}

function optionsOf({ isSafe, takesKey, isStream, canBeTried, headers }: Method): string {
  if (isStream) return 'StreamOptions';
  const kind = isSafe ? 'ReadOptions' : takesKey ? 'KeyOptions' : 'WriteOptions';
  return [kind, ...(canBeTried ? ['Trial'] : []), ...(headers.has('If-Match') ? ['IfMatch'] : [])].join(' & ');
}

/** With a file, all other input is in the query. */
function fileSignature(method: Method, of: (suffix: string) => string): string[] {
  const plain = Object.entries(method.body?.properties ?? {})
    .filter(([name, { type }]) => (type === 'string' || type === 'boolean') && !['format', 'encoding'].includes(name))
    .map(([name]) => JSON.stringify(name));
  const objects = method.path.map((name) => `${name}: ${name === 'object' ? objectType(method) : 'string'}`);
  const beside = `Pick<${of('Body')}, ${plain.join(' | ')}>`;
  const needed = (method.body?.required ?? []).some((name) => plain.includes(JSON.stringify(name)));
  const query = needed ? `query: ${beside}` : `query: ${beside} | undefined`;
  const given = [
    ...objects,
    'file: string | Blob | ArrayBuffer | Uint8Array',
    query,
    `options: ${optionsOf(method)} & FileOptions`,
  ];
  return [
    '    /** The same with a file as the body. */\n',
    `    ${method.name}File(${given.join(', ')}): Answered<${of('Answer')}>;\n`,
  ];
}

function quotedUnion(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}
