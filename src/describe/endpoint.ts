/** What the description of the interface needs to know of a route and its operation, and what it is called there. */
import type { TSchema } from 'typebox';
import type { Policies } from '../access/policies.ts';
import { hasRecords, type ObjectDef } from '../model/model.ts';
import type { ObjectNames } from './names.ts';
import { pascal } from './names.ts';

/** The right on an object that an operation on its records takes. */
export type Need = 'view' | 'create' | 'update' | 'delete';

/**
 * What an operation does beyond its answer: nothing; changes; changes by which something is lost or put away; something beyond
 * the workspace, such as a mail that is sent, which nothing undoes.
 */
export type Effect = 'read' | 'write' | 'destructive' | 'external';

/** The part of an operation that is told to readers. */
export interface DescribedOperation {
  /** For example `records.list`. */
  readonly id: string;
  readonly summary: string;
  readonly input: TSchema;
  /** What is answered, for readers: no answer is held against it. */
  readonly output: TSchema;
  readonly effect: Effect;
  readonly cost: string;
  /** Whether it is for callers without a token; `budget` is what it counts against then. */
  readonly isPublic?: true | undefined;
  /** It shows what would be: what it writes is undone before it ends, and has no change set. */
  readonly showsOnly?: true;
  readonly budget?: { readonly policy: string };
  /** Set where it works on the records of `object`: the right on some of them that it takes. */
  readonly needs?: Need;
  /** Set where it takes the right to create or update records of some object, which its input need not name as `object`. */
  readonly forWriters?: true;
  /** Set where it also takes managed objects. */
  readonly takesManaged?: true;
  /** The managed object that it works on, where its input names none: `needs` is a right on that. */
  readonly manages?: string;
  /** Set where it is about one field alone, which it tells or sets: which one of the object; undefined where the object has none. */
  ofField?(object: ObjectDef): string | undefined;
  /** The status of an answer that is no refusal; 200 unless told. */
  readonly status?: 201 | 202;
  /** The types of files that may be answered instead. */
  readonly downloads?: readonly string[];
  /** Set where the body may be a file itself: it becomes `data` and its format, and what else is given comes in the query. */
  readonly takesFile?: true;
  /** Set where it changes what its body names and leaves the rest: a request without a body says nothing, and is refused. */
  readonly isPartial?: true;
  /** Set where only admins may: how the refusal names it, for example `Importing records`. */
  readonly adminOnly?: string;
  /** Set where no token may: how the refusal names what a signed-in person does, or the command line, for example `Creating a token`. */
  readonly personOnly?: string;
  /**
   * Set where answers have an ETag: `state`, that of the record, which the operation gives; `answer`, one of the text, which a
   * surface makes where answers seldom change, so that a reader need not take the same one twice.
   */
  readonly etag?: 'state' | 'answer';
}

/** The types of a body that is a file itself, and the formats that they say it has. */
export const fileTypes: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'application/x-ndjson': 'json',
  'application/jsonl': 'json',
  'text/vcard': 'vcard',
};

export interface Endpoint {
  readonly method: string;
  /** Below the interface's prefix; `:name` is a property of the operation's input. */
  readonly path: string;
  readonly operation: DescribedOperation;
  /** The property of the input that the body becomes, or `merged`: its keys are properties themselves. */
  readonly body: { readonly under: string } | 'merged' | undefined;
}

/** Whether the caller may use it at all; with `object`, on that object of the `objects` that there are. */
export function mayUse(
  { operation }: Endpoint,
  policies: Policies,
  objects: readonly ObjectDef[],
  object?: ObjectDef,
): boolean {
  if (operation.adminOnly !== undefined && !policies.isAdmin) return false;
  if (operation.forWriters && !objects.some((one) => hasRecords(one) && mayWrite(policies, one.name))) return false;
  if (operation.needs === undefined) return true;
  const worksOn = object ?? objects.find(({ name }) => name === operation.manages);
  if (worksOn && !hasItsField(operation, policies, worksOn)) return false;
  if (operation.manages !== undefined) return mayDo(policies, operation.needs, operation.manages);
  return object === undefined || (takes(operation, object) && mayDo(policies, operation.needs, object.name));
}

/** Whether the one field that it is about is there for the caller. */
function hasItsField({ ofField, needs }: DescribedOperation, policies: Policies, object: ObjectDef): boolean {
  if (!ofField) return true;
  const field = ofField(object);
  if (field === undefined) return false;
  return needs === 'view' ? policies.shows(object.name, field) : policies.writes(object.name, field);
}

/** Whether the operation works on records of that object. */
export function takes(
  { takesManaged, manages }: Pick<DescribedOperation, 'takesManaged' | 'manages'>,
  object: ObjectDef,
): boolean {
  if (manages !== undefined) return object.kind === 'managed' && object.name === manages;
  return hasRecords(object) || (takesManaged === true && object.kind === 'managed');
}

/** Whether the caller has the right on some records of the object. */
export function mayDo(policies: Policies, need: Need, objectName: string): boolean {
  if (need === 'create') return policies.mayCreate(objectName);
  if (policies.rows(objectName) === 'none') return false;
  if (need === 'update') return policies.updates(objectName) !== 'none';
  return need === 'view' || policies.deletes(objectName) !== 'none';
}

/** Whether the caller may create or update some records of the object. */
function mayWrite(policies: Policies, objectName: string): boolean {
  return policies.mayCreate(objectName) || policies.updates(objectName) !== 'none';
}

/** Whether it can be tried: what is done beyond the workspace cannot be taken back. */
export function canBeTried({ effect }: DescribedOperation): boolean {
  return effect === 'write' || effect === 'destructive';
}

/** Whether what it writes belongs to a change set, which the caller may choose. */
export function namesChangeSet({ effect, isPublic, showsOnly }: DescribedOperation): boolean {
  return effect !== 'read' && !isPublic && !showsOnly;
}

/** Whether a reader that names the ETag of what it has is answered 304. */
export function knowsTags({ method, operation }: Endpoint): boolean {
  return method === 'GET' && operation.etag !== undefined;
}

/** Whether it is told for each object apart. */
export function isPerObject({ operation, path }: Endpoint): boolean {
  return operation.needs !== undefined && path.includes('/:object');
}

/** `/records/:object/:id` as `/records/contacts/{id}`. */
export function describedPath({ path }: Endpoint, object?: ObjectDef): string {
  const named = object ? path.replace('/:object', `/${object.name}`) : path;
  return named.replace(/:(\w+)/g, '{$1}');
}

const readingVerbs = new Set(['list', 'get', 'export', 'aggregate', 'search', 'pull', 'explain']);

/** Verb and noun: `listContacts`, `getContactHistory`, `pullManifest`. Several methods of one operation need `another`. */
export function operationName(endpoint: Endpoint, names: ObjectNames | undefined, another: boolean): string {
  const { id, effect } = endpoint.operation;
  const parts = id.split('.').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  const [resource = '', last = ''] = parts;
  const noun = names ? nounOf(endpoint, names) + (resource === 'Records' ? '' : resource) : resource;
  const verb = last.charAt(0).toLowerCase() + last.slice(1);
  if (another) return endpoint.method.toLowerCase() + noun;
  return effect !== 'read' || readingVerbs.has(verb) ? verb + noun : `get${noun}${last}`;
}

/** Operations on one record that no path names. */
const ofOne: ReadonlySet<string> = new Set(['records.create', 'records.upsert']);

function nounOf({ path, operation }: Endpoint, { singular, plural }: ObjectNames): string {
  return path.includes('/:id') || ofOne.has(operation.id) ? singular : plural;
}

/** Headings of the specification, by the first segment of a path. */
const tags: Readonly<Record<string, string>> = {
  me: 'Identity and workspace',
  limits: 'Identity and workspace',
  explain: 'Identity and workspace',
  users: 'Identity and workspace',
  tokens: 'Identity and workspace',
  invitations: 'Identity and workspace',
  'connected-apps': 'Identity and workspace',
  integrations: 'Identity and workspace',
  schema: 'Schema',
  'openapi.json': 'Schema',
  manifest: 'Workspace manifest',
  trash: 'Records',
};

/** The heading under which the endpoint is described. */
export function tagOf({ path }: Endpoint): string {
  const segment = path.split('/')[1] ?? '';
  return tags[segment] ?? pascal(segment) ?? 'Kith';
}
