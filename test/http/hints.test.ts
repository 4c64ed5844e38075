/** What is told to those who ask nearly right. */
import { afterAll, describe, expect, it } from 'vitest';
import { parameterHint } from '../../src/http/parameter-hints.ts';
import { fixture, goodToken } from './fixture.ts';

const { app, close } = fixture();
afterAll(() => close());

describe('a path that nothing is at', () => {
  it.each([
    ['/api/v1/records/contacts/', ': the path is /api/v1/records/contacts'],
    ['//api/v1//records/contacts', ': the path is /api/v1/records/contacts'],
    ['/records/contacts', ': the path is /api/v1/records/contacts'],
    ['/v1/records/contacts/', ': the path is /api/v1/records/contacts'],
    ['/api/records/contacts', ': the path is /api/v1/records/contacts'],
    ['/api/v2/records/contacts', ': the path is /api/v1/records/contacts'],
    ['/api/v1/record/contacts', ': the path is /api/v1/records/contacts'],
    ['/api/v1/', ': the path is /api/v1'],
    ['/docs/', ': the path is /docs'],
    ['/docs/bulk', ': /docs is the reference, and /docs/index lists the pages'],
    ['/docs/contacts/list', ': /docs is the reference, and /docs/index lists the pages'],
    ['/api/v1/contacts', ': if it is an object, the path is /api/v1/records/contacts; GET /api/v1 lists what there is'],
    ['/api/v1/nope/x', ': if it is an object, the path is /api/v1/records/nope/x; GET /api/v1 lists what there is'],
    ['/api/v1/SCHEMA/contacts', ': the path is /api/v1/schema/contacts'],
    ['/api/v1/recods/contacts', ': the path is /api/v1/records/contacts'],
    ['/recods/contacts', ': the path is /api/v1/records/contacts'],
    ['/api/v1/records', ': GET /api/v1 lists what there is; records are at /api/v1/records/{object}'],
    ['/api/v1/records/contacts//restore', ': its id is empty; perhaps a variable is not set'],
    ['/api/v1/records//', ': GET /api/v1 lists what there is; records are at /api/v1/records/{object}'],
    ['/favicon.ico', ''],
    [`/records/${'x'.repeat(600)}`, ''],
  ])('%s', async (url, hint) => {
    const response = await app.inject({ url, headers: { authorization: goodToken } });
    expect([response.statusCode, response.json().code]).toEqual([404, 'NOT_FOUND']);
    expect(response.json().message).toBe(`There is nothing at GET ${url.slice(0, 200)}${hint}`);
  });
});

describe('a method that the path does not have', () => {
  it.each(['DELETE', 'PUT', 'PATCH', 'OPTIONS'] as const)('%s', async (method) => {
    const response = await app.inject({
      method,
      url: '/api/v1/records/contacts',
      headers: { authorization: goodToken },
    });
    expect([response.statusCode, response.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    expect(response.json()).toEqual({
      code: 'NOT_SUPPORTED',
      message: `${method} is not supported here; use GET, HEAD, POST; one record is at /api/v1/records/contacts/{id}`,
    });
  });
});

describe('a query parameter of other services', () => {
  const list = ['limit', 'cursor', 'filters', 'sort', 'sort_by', 'sort_dir', 'search', 'fields', 'group_by'];
  it.each([
    ['page', ': here it is cursor, with nextCursor of the page before'],
    ['offset', ': here it is cursor, with nextCursor of the page before'],
    ['q', ': here it is search'],
    ['select', ': here it is fields'],
    ['expand', ': here it is fields, which goes through a relation: fields=name,company_id.name'],
    ['order', ': here it is sort_by'],
    ['order_by', ': here it is sort_by'],
    ['per_page', ': here it is limit'],
    ['page_size', ': here it is limit'],
    ['Take', ': here it is limit'],
    ['where', ': here it is filters, with a FilterGroup as JSON, or filter_field, filter_operator and filter_value'],
    ['limt', ' (did you mean "limit"?)'],
    ['nonsense', '; a filter is filter_field=name&filter_operator=equals&filter_value=…, or filters'],
  ])('%s', (name, hint) => {
    expect(parameterHint(name, [...list, 'filter_field', 'filter_operator', 'filter_value'])).toBe(hint);
  });

  it.each([
    ['filter_field', '; a filter is filters={"type":"AND","conditions":[{"field":…,"operator":…,"value":…}]}'],
    ['priority', '; a filter is filters={"type":"AND","conditions":[{"field":…,"operator":…,"value":…}]}'],
    ['where', ': here it is filters, with a FilterGroup as JSON'],
    ['order', ': here it is sort_by'],
  ])('%s, where there is no filter of one condition', (name, hint) => {
    expect(parameterHint(name, list)).toBe(hint);
  });

  it('is not told of what this request does not take either', () => {
    expect(parameterHint('q', ['limit', 'cursor'])).toBe('');
  });

  it('is told with all that there are', async () => {
    const url = '/api/v1/records/contacts?q=anna';
    const response = await app.inject({ url, headers: { authorization: goodToken } });
    expect(response.json()).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'There is no query parameter "q": here it is search',
      available_values: expect.arrayContaining(['search']),
    });
  });
});
