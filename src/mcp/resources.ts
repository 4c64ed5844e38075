/** What agents may read without a tool: users, pipelines, the fields of an object, a record. Each is what an operation answers. */
import { ResourceNotFoundError, type ReadResourceResult, type ServerContext } from '@modelcontextprotocol/server';
import { KithError } from '../errors.ts';
import { parseJson, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import { whole, type LongText } from '../lib/long-text.ts';
import { JsonText, type Answer, type Operation } from '../operations/door/operation.ts';
import { listPipelines } from '../operations/pipelines.ts';
import { getRecord } from '../operations/records.ts';
import { getObjectSchema } from '../operations/schema.ts';
import { listUsers } from '../operations/users.ts';
import type { Visit } from './visit.ts';

const mimeType = 'application/json';

interface Kind {
  /** With `{name}` for each property of the operation's input that the address gives. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: Operation;
  /** What else the operation is given. */
  readonly input?: JsonObject;
}

const kinds: readonly Kind[] = [
  {
    uri: 'svc://users',
    name: 'users',
    title: 'Users',
    description: 'Everybody who works here, with the ids that owners and assignees are given by',
    operation: listUsers,
    input: { limit: 500 },
  },
  {
    uri: 'svc://pipelines',
    name: 'pipelines',
    title: 'Pipelines',
    description: 'All pipelines with their steps, and every question of a step with its flags',
    operation: listPipelines,
  },
  {
    uri: 'svc://schema/{object}',
    name: 'schema',
    title: 'Fields of an object',
    description: 'Its fields with types, options and relations',
    operation: getObjectSchema,
  },
  {
    uri: 'svc://record/{object}/{id}',
    name: 'record',
    title: 'A record',
    description: 'One record with its displays, relations and lists',
    operation: getRecord,
  },
];

const isTemplate = ({ uri }: Kind) => uri.includes('{');

/** Those of which there is one. */
export const resources = kinds
  .filter((kind) => !isTemplate(kind))
  .map(({ uri, name, title, description }) => ({ uri, name, title, description, mimeType }));

/** Those of which there are many, by their addresses. */
export const resourceTemplates = kinds
  .filter(isTemplate)
  .map(({ uri, name, title, description }) => ({ uriTemplate: uri, name, title, description, mimeType }));

/** What stands at the address for this caller. Throws an error of the protocol where nothing does. */
export async function readResource(uri: string, context: ServerContext, visit: Visit): Promise<ReadResourceResult> {
  const meant = meantBy(uri);
  if (!meant) throw new ResourceNotFoundError(uri);
  const { operation, input } = meant;
  try {
    return await visit.take(context, async (turn) => {
      const answer = await turn.perform(operation, () => input);
      const text = await textOf(answer);
      return { contents: [{ uri, mimeType, text: visit.splices.asText(text) }] };
    });
  } catch (error) {
    if (error instanceof KithError && notThere.has(error.code)) throw new ResourceNotFoundError(uri);
    throw error;
  }
}

/** As JSON; of a page that has not all, with what to ask for the others, since an address has no place for a cursor. */
async function textOf(answer: Answer): Promise<LongText> {
  if (!(answer instanceof JsonText)) return writeJson(answer);
  const { text, page } = answer;
  if (page?.nextCursor === undefined) return text;
  const all = parseJson(whole(text)) as JsonObject;
  const rest = page.total - (Array.isArray(all['data']) ? all['data'].length : 0);
  const left_out = `${rest.toLocaleString('en')} more: crm_get_schema with action users finds them by search, or pages with cursor`;
  return writeJson({ ...all, left_out });
}

const notThere: ReadonlySet<string> = new Set(['RECORD_NOT_FOUND', 'INVALID_OBJECT']);

/** The operation behind an address, and its input. */
function meantBy(uri: string): { readonly operation: Kind['operation']; readonly input: JsonObject } | undefined {
  const parts = uri.split('/');
  for (const kind of kinds) {
    const pattern = kind.uri.split('/');
    const input: JsonObject = { ...kind.input };
    const fits = pattern.every((part, at) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1];
      const given = parts[at] ?? '';
      if (name === undefined || given === '') return part === given;
      input[name] = decoded(given);
      return true;
    });
    if (fits && pattern.length === parts.length) return { operation: kind.operation, input };
  }
  return undefined;
}

/** What is no percent-encoding stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
