/** What the description of the interface needs of a route and its operation, and their names there. */
import type { TSchema } from 'typebox';
import type { Policies } from '../access/policies.ts';
import { hasRecords, type ObjectDef } from '../model/model.ts';
import type { ObjectNames } from './names.ts';
import { pascal } from './names.ts';

/** The right on an object that a record operation requires. */
export type Need = 'view' | 'create' | 'update' | 'delete';

/**
 * The effect of an operation: none; changes; changes that delete or lose something; or an effect outside the workspace,
 * such as a sent mail, that cannot be undone.
 */
export type Effect = 'read' | 'write' | 'destructive' | 'external';

/** The documented part of an operation. */
export interface DescribedOperation {
  /** For example `records.list`. */
  readonly id: string;
  readonly summary: string;
  readonly input: TSchema;
  /** The documented answer; answers are not validated. */
  readonly output: TSchema;
  readonly effect: Effect;
  readonly cost: string;
  /** Whether it needs no caller; then `budget` is what it counts against. */
  readonly isPublic?: true | undefined;
  /** Whether it is a preview: its writes are rolled back and have no change set. */
  readonly showsOnly?: true;
  readonly budget?: { readonly policy: string };
  /** For operations on records of `object`: the required right on some of them. */
  readonly needs?: Need;
  /** Whether it requires the right to create or update records of any object. */
  readonly forWriters?: true;
  /** Whether managed objects are accepted, too. */
  readonly takesManaged?: true;
  /** The managed object it works on, if not named by the input; `needs` is a right on it. */
  readonly manages?: string;
  /** For operations on a single field: the field of the object; undefined if the object has none. */
  ofField?(object: ObjectDef): string | undefined;
  /** The status of a successful answer; defaults to 200. */
  readonly status?: 201 | 202;
  /** The content types of files that may be answered instead. */
  readonly downloads?: readonly string[];
  /** Whether the body may be a file: it becomes `data` and `format`, and other input comes in the query. */
  readonly takesFile?: true;
  /** Whether it changes only the keys of its body: an empty body is refused. */
  readonly isPartial?: true;
  /** For operations of admins: the activity in the refusal, for example `Importing records`. */
  readonly adminOnly?: string;
  /** For operations without tokens: the activity in the refusal, for example `Creating a token`. */
  readonly personOnly?: string;
  /**
   * Whether answers have an ETag: `state` is that of the record, from the operation; `answer` is a hash of the text, for
   * answers that rarely change.
   */
  readonly etag?: 'state' | 'answer';
}

/** Content types of file bodies, with their formats. */
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
  /** The input property that the body becomes; with `merged`, its keys are properties themselves. */
  readonly body: { readonly under: string } | 'merged' | undefined;
}

/** Whether the caller may use it at all; with `object`, on that object. */
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

/** Whether the operation's single field is visible to the caller. */
function hasItsField({ ofField, needs }: DescribedOperation, policies: Policies, object: ObjectDef): boolean {
  if (!ofField) return true;
  const field = ofField(object);
  if (field === undefined) return false;
  return needs === 'view' ? policies.shows(object.name, field) : policies.writes(object.name, field);
}

/** Whether the operation accepts the object. */
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

/** Whether a dry run is possible: external effects cannot be rolled back. */
export function canBeTried({ effect }: DescribedOperation): boolean {
  return effect === 'write' || effect === 'destructive';
}

/** Whether its writes have a change set, which the caller may choose. */
export function namesChangeSet({ effect, isPublic, showsOnly }: DescribedOperation): boolean {
  return effect !== 'read' && !isPublic && !showsOnly;
}

/** Whether `If-None-Match` is supported. */
export function knowsTags({ method, operation }: Endpoint): boolean {
  return method === 'GET' && operation.etag !== undefined;
}

/** Whether it is documented per object. */
export function isPerObject({ operation, path }: Endpoint): boolean {
  return operation.needs !== undefined && path.includes('/:object');
}

/** The documented path: `/records/:object/:id` as `/records/contacts/{id}`. */
export function describedPath({ path }: Endpoint, object?: ObjectDef): string {
  const named = object ? path.replace('/:object', `/${object.name}`) : path;
  return named.replace(/:(\w+)/g, '{$1}');
}

const readingVerbs = new Set(['list', 'get', 'export', 'aggregate', 'search', 'pull', 'explain']);

/** The operation's name: `listContacts`, `getContactHistory`, `pullManifest`. `another` distinguishes several methods of one operation. */
export function operationName(endpoint: Endpoint, names: ObjectNames | undefined, another: boolean): string {
  const { id, effect } = endpoint.operation;
  const parts = id.split('.').map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  const [resource = '', last = ''] = parts;
  const noun = names ? nounOf(endpoint, names) + (resource === 'Records' ? '' : resource) : resource;
  const verb = last.charAt(0).toLowerCase() + last.slice(1);
  if (another) return endpoint.method.toLowerCase() + noun;
  return effect !== 'read' || readingVerbs.has(verb) ? verb + noun : `get${noun}${last}`;
}

/** Operations on one record whose path does not name it. */
const ofOne: ReadonlySet<string> = new Set(['records.create', 'records.upsert']);

function nounOf({ path, operation }: Endpoint, { singular, plural }: ObjectNames): string {
  return path.includes('/:id') || ofOne.has(operation.id) ? singular : plural;
}

/** Headings of the specification, by the first path segment. */
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

/** The heading of the endpoint. */
export function tagOf({ path }: Endpoint): string {
  const segment = path.split('/')[1] ?? '';
  return tags[segment] ?? pascal(segment) ?? 'Kith';
}
