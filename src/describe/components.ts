/** Components that are the same for all callers: filters, errors, headers. */
import { objectSchema } from '../fields/json-schema.ts';
import type { JsonSchema } from '../fields/json-schema.ts';
import { operatorNames, valueless } from '../fields/operators/operator.ts';
import { componentRef } from './annotations.ts';

const text: JsonSchema = { type: 'string' };
const texts: JsonSchema = { type: 'array', items: text };

const errorBody = {
  code: { ...text, description: 'What went wrong, for programs', examples: ['VALIDATION_ERROR'] },
  message: { ...text, description: 'What went wrong, for people', examples: ['name is required'] },
};

export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  FilterGroup: {
    ...objectSchema({
      type: { type: 'string', enum: ['AND', 'OR'] },
      conditions: {
        type: 'array',
        items: { anyOf: [{ $ref: componentRef('FilterCondition') }, { $ref: componentRef('FilterGroup') }] },
        maxItems: 500,
      },
    }),
    description: 'Conditions that must all hold, or of which one must. Groups nest up to 20 deep.',
    examples: [{ type: 'AND', conditions: [{ field: 'created_at', operator: 'date_this_month' }] }],
  },
  FilterCondition: {
    ...objectSchema(
      {
        field: { ...text, description: 'A field, or one behind a relation: company_id.name' },
        operator: { type: 'string', enum: operatorNames },
        value: { description: 'What it is compared with; several values are separated by commas, or an array' },
      },
      ['value'],
    ),
    'x-valueless': [...valueless],
    examples: [{ field: 'created_at', operator: 'date_this_month' }],
  },
  SortKey: objectSchema({
    field: { ...text, examples: ['created_at'] },
    direction: { type: 'string', enum: ['asc', 'desc'] },
  }),
  FieldError: objectSchema({ field: { ...text, examples: ['name'] }, message: { ...text, examples: ['is required'] } }),
  Error: objectSchema(
    {
      ...errorBody,
      field_errors: { type: 'array', items: { $ref: componentRef('FieldError') } },
      available_values: { ...texts, description: 'What there is instead', examples: [['created_at', 'updated_at']] },
    },
    ['field_errors', 'available_values'],
  ),
  FailedError: objectSchema({ error: { ...text, examples: ['Unauthorized'] }, ...errorBody }),
  RateLimited: objectSchema({
    error: { ...text, examples: ['Too many requests'] },
    policy: { ...text, examples: ['api:global'] },
    retryAfterSeconds: { type: 'integer', minimum: 1 },
    ...errorBody,
  }),
  ListOutcome: objectSchema(
    {
      list_id: text,
      added: { type: 'integer' },
      skipped_already_in_list: { type: 'integer' },
      failed: { type: 'integer' },
      error: text,
    },
    ['error'],
  ),
  Manifest: {
    type: 'object',
    description: 'Objects, fields, pipelines, roles and settings of a workspace',
    properties: {
      organization: { type: 'object' },
      objects: { type: 'array', items: { type: 'object' } },
      pipelines: { type: 'array', items: { type: 'object' } },
      roles: { type: 'array', items: { type: 'object' } },
    },
    examples: [{ objects: [{ name: 'contacts', fields: [{ name: 'nickname', label: 'Nickname', type: 'TEXT' }] }] }],
  },
};

const limits = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Policy'] as const;

export const sharedHeaders = {
  'X-Request-Id': header('Finds the request in the log; a request may bring its own', text),
  'X-RateLimit-Limit': header('Requests in the window', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests that are left', { type: 'integer' }),
  'X-RateLimit-Reset': header('When the window ends, in seconds since 1970', { type: 'integer' }),
  'X-RateLimit-Policy': header('Which limit these speak of', text),
  'Retry-After': header('Seconds to wait', { type: 'integer' }),
  'WWW-Authenticate': header('How to authenticate', text),
  ETag: header('Names this state of what is answered', text),
  'X-Total-Count': header('The same as `total`', { type: 'integer' }),
  Link: header('The address of the next page, with rel="next"', text),
  'Dry-Run': header('`true` where nothing was kept', text),
  'Change-Set': header('The change set of what was written', { type: 'string', format: 'uuid' }),
  'Idempotent-Replayed': header('`true` where this is the answer of an earlier request with the same key', text),
};

/** The headers of a counted answer, and `more`. */
export function headersOf(...more: readonly (keyof typeof sharedHeaders)[]) {
  const names = ['X-Request-Id', ...limits, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export const sharedResponses = {
  BadRequest: failure('What was asked cannot be, or is not allowed', 'Error', {
    code: 'VALIDATION_ERROR',
    message: 'name is required',
    field_errors: [{ field: 'name', message: 'name is required' }],
  }),
  Unauthorized: failure(
    'No token, or one that is not valid; the message says what is wrong with the header',
    'FailedError',
    {
      error: 'Unauthorized',
      code: 'UNAUTHORIZED',
      message: 'API tokens begin with svc_, and this one does not: Authorization: Bearer svc_…',
    },
    'WWW-Authenticate',
  ),
  NotFound: failure('There is no such thing', 'Error', {
    code: 'INVALID_OBJECT',
    message: 'There is no object "contact"',
    available_values: ['contacts', 'companies'],
  }),
  PreconditionFailed: failure('The record is not in the state that If-Match names', 'Error', {
    code: 'CONFLICT',
    message: 'The record has changed since it was read',
  }),
  TooManyRequests: failure(
    'A rate limit is used up',
    'RateLimited',
    {
      error: 'Too many requests',
      policy: 'api:global',
      retryAfterSeconds: 7,
      code: 'RATE_LIMITED',
      message: 'Too many requests: api:global allows 600 in its window',
    },
    'Retry-After',
  ),
  ServerError: failure('A defect of Kith', 'FailedError', {
    error: 'Internal server error',
    code: 'INTERNAL_ERROR',
    message: 'Something went wrong on our side; the request id finds it in the log',
  }),
  Unavailable: failure(
    'The database is away',
    'FailedError',
    { error: 'Internal server error', code: 'INTERNAL_ERROR', message: 'The database cannot be reached at the moment' },
    'Retry-After',
  ),
};

function header(description: string, schema: JsonSchema) {
  return { description, schema };
}

function failure(description: string, name: string, example: object, ...more: (keyof typeof sharedHeaders)[]) {
  const schema = { $ref: componentRef(name) };
  return { description, headers: headersOf(...more), content: { 'application/json': { schema, example } } };
}
