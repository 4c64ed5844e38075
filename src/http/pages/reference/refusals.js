/** The errors of an operation. */
import { el, inline } from './dom.js';

/** Each code with its status, its meaning, and a test for the operations that have it. */
const refusals = [
  [
    'VALIDATION_ERROR',
    400,
    'A parameter that there is not, a value that cannot be, a body or filter that is no JSON',
    () => true,
  ],
  [
    'MISSING_REQUIRED_FIELD',
    400,
    'A parameter or a key of the body that has to be there is not',
    (one) => one.isAsking,
  ],
  ['INVALID_OBJECT', 400, 'No such object; `available_values` has those that there are', (one) => one.takesObject],
  [
    'INVALID_FIELD',
    400,
    'No such field in a filter, a sort or `fields`; `available_values` has those that there are',
    (one) => one.takesFields,
  ],
  ['RECORD_NOT_FOUND', 400, 'Nothing with this id, or nothing that your role sees', (one) => one.takesId],
  ['DUPLICATE_RECORD', 400, 'A unique value is taken', (one) => one.writesRecords],
  ['PERMISSION_DENIED', 400, 'Your role does not allow it', () => true],
  [
    'CONFLICT',
    400,
    'Another request with the same `Idempotency-Key` is at work, or its answer cannot be shown again',
    (one) => one.takesKey,
  ],
  ['CONFLICT', 412, 'The record is in another state than `If-Match` says', (one) => one.takesTag],
  ['UNAUTHORIZED', 401, 'No token, or one that is not valid', (one) => !one.isPublic],
  ['RATE_LIMITED', 429, 'A limit is used up: `Retry-After` says for how long', () => true],
  ['INTERNAL_ERROR', 500, 'A defect of the service', () => true],
  ['INTERNAL_ERROR', 503, 'The database is away, or the request took too long', () => true],
];

const ofFields = ['filters', 'filter_field', 'sort', 'sort_by', 'fields', 'group_by', 'field'];

/** The table of errors; those whose status the document does not list are left out. */
export function refusalsOf(operation, resolve) {
  const told = new Set(operation.responses.map(({ status }) => Number(status)));
  const is = traitsOf(operation, resolve);
  const rows = refusals
    .filter(([, status, , applies]) => told.has(status) && applies(is))
    .map(([code, status, when]) =>
      el('tr', {}, el('td', {}, el('code', {}, code)), el('td', {}, String(status)), el('td', {}, inline(when), '.')),
    );
  const head = ['Code', 'Status', 'When'].map((name) => el('th', { scope: 'col' }, name));
  return el(
    'section',
    { class: 'refusals' },
    el('h2', {}, 'Errors'),
    el('table', {}, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows)),
    el('p', { class: 'hint' }, el('a', { href: '/docs/rest/errors' }, 'Every code, and what it says'), '.'),
  );
}

function traitsOf({ method, path, parameters, body, responses }, resolve) {
  const { properties = {}, required = [] } = resolve(body?.schema) ?? {};
  const names = [...parameters.map(({ name }) => name), ...Object.keys(properties)];
  const takes = (...wanted) => wanted.some((name) => names.includes(name));
  return {
    isAsking: required.length > 0 || parameters.some((one) => one.required && one.in === 'query'),
    takesObject: takes('object', 'object_name', 'object_type'),
    takesFields: takes(...ofFields),
    takesId: path.includes('{id}'),
    writesRecords: body !== undefined && /\/(records|import|bulk)\b/.test(path),
    takesKey: takes('Idempotency-Key') && method === 'POST',
    takesTag: takes('If-Match'),
    isPublic: !responses.some(({ status }) => status === '401'),
  };
}
