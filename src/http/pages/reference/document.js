/** Prepares an OpenAPI document for the page: operations in groups, with their references. */

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The operations of `document`, those on objects first; `resolve` follows a `$ref`. */
export function readDocument(document) {
  const resolve = (part) => (part?.$ref === undefined ? part : resolve(target(document, part.$ref)));
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [operationOf(method, path, item[method], resolve)] : [])),
  );
  const [ofObjects, others] = [true, false].map((is) => operations.filter(({ isOfObject }) => isOfObject === is));
  const groups = Map.groupBy([...ofObjects, ...others], ({ group }) => group);
  return { about: document.info.description, groups, operations: [...groups.values()].flat(), resolve };
}

function operationOf(method, path, operation, resolve) {
  const { operationId: id, summary, description = '', parameters = [], requestBody, responses, tags = [] } = operation;
  const content = resolve(requestBody)?.content?.['application/json'];
  const object = operation['x-object'];
  return {
    id,
    title: words(id),
    method: method.toUpperCase(),
    path,
    group: object ?? words(tags[0] ?? 'Other'),
    // The folder of its page: `/api/v1/records/contacts` is in `contacts`.
    folder: object === undefined ? slug(tags[0] ?? 'Other') : path.split('/')[4],
    isOfObject: object !== undefined,
    summary: upperFirst(object === undefined ? summary : summary.slice(summary.indexOf(': ') + 2)),
    description,
    parameters: parameters.map(resolve),
    body: content && { schema: content.schema, example: content.example },
    record: recordIn(responses),
    responses: Object.entries(responses).map(([status, response]) => ({ status, ...resolve(response) })),
  };
}

/** The schema of the listed records; undefined for other operations. */
function recordIn(responses) {
  const schema = responses[200]?.content?.['application/json']?.schema;
  const lists = [schema, ...(schema?.anyOf ?? [])];
  return lists.map((one) => one?.properties?.data?.items).find(Boolean);
}

/** `getContactHistory` as `Get contact history`. */
function words(id) {
  return upperFirst(id.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

/** `Identity and workspace` as part of an address. */
function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function upperFirst(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The schema at a reference such as `#/components/schemas/Contact`. */
function target(document, ref) {
  const keys = ref.slice(2).split('/');
  return keys.reduce(
    (part, key) => part?.[decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  );
}
