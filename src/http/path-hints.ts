/** Hints for unknown paths. */
import { nearest } from '../lib/nearest.ts';
import { restPrefix } from '../lib/url-paths.ts';

/** The end of a sentence with the right path, or where to find it. `patterns` are the service's, with `:name` for parameters. */
export function pathHint(method: string, path: string, patterns: Iterable<string>): string {
  const served = [...patterns];
  const empty = emptyPart(path, served);
  const isEmpty = `: its ${empty} is empty; perhaps a variable is not set`;
  if (empty !== undefined && method !== 'GET') return isEmpty;
  const found = corrections(path, served).find(
    // A parameter may be restricted, so the requested path itself can match a pattern.
    (candidate) => candidate !== path && served.some((pattern) => isAt(candidate, pattern)),
  );
  if (found !== undefined)
    return `: the path is ${found}${empty === undefined ? '' : `; if its ${empty} belongs behind it, perhaps a variable is not set`}`;
  if (empty !== undefined) return isEmpty;
  const object = objectAlone(path, served);
  if (object !== undefined)
    return `: if it is an object, the path is ${restPrefix}/records/${object}; GET ${restPrefix} lists what there is`;
  if (path.startsWith('/docs/')) return ': /docs is the reference, and /docs/index lists the pages';
  if (!path.startsWith('/api')) return '';
  return `: GET ${restPrefix} lists what there is; records are at ${restPrefix}/records/{object}`;
}

/** What the part is called that a path has nothing for, such as the id of `/records/contacts/`; undefined where it has no such part. */
function emptyPart(path: string, served: readonly string[]): string | undefined {
  const parts = path.split('/');
  const at = parts.indexOf('', 1);
  if (at < 0 || !path.startsWith(`${restPrefix}/`)) return undefined;
  const pattern = served.find((one) => {
    const wanted = one.split('/');
    return wanted.length === parts.length && wanted.every((part, i) => part === parts[i] || part.startsWith(':'));
  });
  return pattern?.split('/')[at]?.slice(1);
}

/** The end of a sentence with an alternative for a method that `path` does not support, or ''. */
export function methodHint(method: string, path: string): string {
  if (path === `${restPrefix}/users/me`) return `; who asks is at GET ${restPrefix}/me`;
  const [, object, last] = /^\/api\/v1\/(?:records|aggregate)\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (object === undefined) return '';
  const records = `${restPrefix}/records/${object}`;
  if (method !== 'POST') return last === undefined ? `; one record is at ${records}/{id}` : '';
  if (path.startsWith(`${restPrefix}/aggregate/`)) return '; what it takes goes into the address';
  if (last !== undefined && manyAtOnce.has(last)) return `; many records at once go to POST ${records}/batch/create`;
  if (last !== undefined && lookedFor.has(last))
    return `; records are found with GET ${records}?filters=… or ?search=…`;
  return `; PUT changes a record, and POST ${records} makes one`;
}

/** Last segments of other services' paths. */
const manyAtOnce: ReadonlySet<string> = new Set(['batch', 'bulk', 'bulk-create', 'createMany', 'import', 'upsert']);
const lookedFor: ReadonlySet<string> = new Set(['search', 'query', 'filter', 'find', 'list']);

/** Candidates: without common extra segments first, then with common missing ones. */
function corrections(path: string, served: readonly string[]): readonly string[] {
  const short = path
    .replace(/^\/{2,}/, '/')
    .replace(/^(\/api(?:\/v\d+)?)\/{2,}/i, '$1/')
    .replace(/(?<=.)\/$/, '');
  const below = restPrefix + short.replace(/^(?:\/api)?(?:\/v\d+)?(?=\/)/i, '');
  const records = `${restPrefix}/records/`;
  const [first = '', ...rest] = below.slice(restPrefix.length + 1).split('/');
  return [
    short,
    below,
    ...(elsewhere.test(short) ? [short.replace(elsewhere, records)] : []),
    ...(firstParts.has(first) ? [`${restPrefix}/${[firstParts.get(first), ...rest].join('/')}`] : []),
    ...(isPart(first, served)
      ? []
      : [`${restPrefix}/${[nearest(first, partsOf(served)) ?? first, ...rest].join('/')}`]),
  ];
}

/**
 * The path with `records/` added in front of an object, keeping a record id. Which objects exist is not known here, as the
 * caller is not.
 */
function objectAlone(path: string, served: readonly string[]): string | undefined {
  const [, object, first = ''] = /^\/api\/v1\/(([^/]+)(?:\/[^/]+)?)$/.exec(path) ?? [];
  return object === undefined || isPart(first, served) ? undefined : object;
}

function isPart(first: string, served: readonly string[]): boolean {
  return served.some((pattern) => pattern.startsWith(`${restPrefix}/${first}`));
}

/** The first segments of the interface's paths. */
function partsOf(served: readonly string[]): string[] {
  return served.flatMap((path) => (path.startsWith(`${restPrefix}/`) ? [path.split('/')[3] ?? ''] : []));
}

/** Other services' prefixes for `records/{object}`. */
const elsewhere =
  /^\/(?:crm\/v\d+\/objects|services\/data\/v[\d.]+\/sobjects|rest\/v1|items|(?:api\/v1\/)?(?:record|objects?|tables?|collections?|data))\//;

/** First segments that are often misspelt. */
const firstParts: ReadonlyMap<string, string> = new Map([
  ['aggregates', 'aggregate'],
  ['exports', 'export'],
  ['imports', 'import'],
  ['user', 'users'],
  ['schemas', 'schema'],
]);

/** Whether the path is one of the pattern's. */
export function isAt(path: string, pattern: string): boolean {
  if (!pattern.includes(':')) return path === pattern;
  const parts = path.split('/');
  const wanted = pattern.split('/');
  const matches = (part: string, at: number) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at]);
  return parts.length === wanted.length && wanted.every(matches);
}
