/** Resources for agents: users, pipelines, an object's fields, a record. Each is the answer of an operation. */
import { ResourceNotFoundError, type ReadResourceResult, type ServerContext } from '@modelcontextprotocol/server';
import { KithError } from '../errors.ts';
import { parseJson, type JsonObject } from '../lib/json.ts';
import { writeJson } from '../lib/json-writer.ts';
import { whole, type LongText } from '../lib/long-text.ts';
import { JsonText, type Answer, type Operation } from '../operations/door/operation.ts';
import { listPipelines } from '../operations/workspace/pipelines.ts';
import { getRecord } from '../operations/records/records.ts';
import { getObjectSchema } from '../operations/workspace/schema.ts';
import { listUsers } from '../operations/people/users.ts';
import type { Visit } from './visit.ts';

const mimeType = 'application/json';

interface Kind {
  /** With `{name}` for each input property that the address contains. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly operation: Operation;
  /** Fixed further input. */
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

/** Resources with a fixed address. */
export const resources = kinds
  .filter((kind) => !isTemplate(kind))
  .map(({ uri, name, title, description }) => ({ uri, name, title, description, mimeType }));

/** Resource templates. */
export const resourceTemplates = kinds
  .filter(isTemplate)
  .map(({ uri, name, title, description }) => ({ uriTemplate: uri, name, title, description, mimeType }));

/** Reads the resource for this caller. Throws a protocol error for an unknown address. */
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

/** The answer as JSON. An incomplete page names the tool for the rest, as an address has no cursor. */
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

/** The operation and input of an address. */
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

/** Decodes percent-encoding; invalid encoding is kept. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
