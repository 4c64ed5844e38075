/** [spec: Search] Searches all objects that the caller may see. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { Lenient } from '../../describe/annotations.ts';
import { mayDo } from '../../describe/endpoint.ts';
import { errors } from '../../errors.ts';
import { Digits, type Json } from '../../lib/json.ts';
import { joined, together } from '../../lib/long-text.ts';
import type { ObjectDef } from '../../model/model.ts';
import { parseSort } from '../../query/order.ts';
import { hasFieldsOf } from '../../query/plan-search.ts';
import { searchTerms } from '../../query/search-terms.ts';
import { searchedFields } from '../../query/search.ts';
import { knownToNone } from '../../records/reading/known-to-none.ts';
import { objectNamed } from '../../records/reading/named.ts';
import { searchObjects } from '../../records/reading/search-objects.ts';
import { defineOperation, JsonText } from '../door/operation.ts';
import { FilterInput, filtersOf } from './filter-input.ts';
import { asGiven, pageSize } from '../inputs.ts';
import { shownInLists } from './shown-in-lists.ts';
import { SortInput } from './sort-input.ts';

const page = pageSize(5, 50);

export const searchEverything = defineOperation({
  id: 'everything.search',
  summary: 'Records of all objects that match a search, best first',
  input: Type.Object(
    {
      query: Type.Optional(
        Type.String({ description: 'Required: words that all must occur, or a phone number in whatever form' }),
      ),
      limit: page.input,
      offset: Type.Optional(Lenient(Type.Integer({ minimum: 0, default: 0 }), 'Records of each object to pass over')),
      object: Type.Optional(Type.String({ description: 'Plural name of the only object to search' })),
      filters: FilterInput.filters,
      sort: SortInput.sort,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    query: Type.String(),
    results: Type.Array(
      Type.Object({
        objectName: Type.String(),
        objectLabel: Type.String(),
        total: Type.Integer({ minimum: 0, description: 'All matches of the object' }),
        records: Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'As lists show them' }),
      }),
    ),
    total: Type.Integer({ minimum: 0, description: 'Records in this answer' }),
  }),
  effect: 'read',
  cost: 'expensive',
  async run(call, { query = '', object, ...input }) {
    const terms = searchTerms(query, 'query');
    if (terms.length === 0) throw errors.missingField('query');
    const where = filtersOf({ filters: input.filters });
    const sort = parseSort({ sort: input.sort as Json }, [], call.warn, false);
    const request = {
      query,
      terms,
      where,
      ...(sort.length > 0 && { sort }),
      limit: page.of(call, input.limit),
      offset: offsetOf(input.offset),
    };
    const named = object === undefined ? objectsToSearch(call) : [objectToSearch(call, object)];
    const searchable = named.filter((one) => searchedFields(one, call.visibility).length > 0);
    const searched = object === undefined ? searchable.filter((one) => hasFieldsOf(call, one, request)) : searchable;
    const lost = searched.length === 0 ? knownToNone(call, searchable, request) : undefined;
    if (lost !== undefined) call.warn(lost);
    const found = await searchObjects(
      call,
      searched.map((one) => shownInLists(call, one)),
      request,
    );
    const results = found.map(({ total, data }, index) => {
      const { name = '', label = '' } = searched[index] ?? {};
      return together(
        `{"objectName":${JSON.stringify(name)},"objectLabel":${JSON.stringify(label)},"total":${total},"records":`,
        data,
        '}',
      );
    });
    const shown = found.reduce((sum, answer) => sum + answer.shown, 0);
    return new JsonText(
      together(`{"query":${JSON.stringify(query)},"results":[`, joined(results, ','), `],"total":${shown}}`),
    );
  },
});

/** Objects whose records the caller may see; hidden ones are searched only if named. */
function objectsToSearch({ model, visibility }: Call): readonly ObjectDef[] {
  return [...model.objects.values()].filter(
    (object) => isSearched(object) && !object.isHidden && mayDo(visibility, 'view', object.name),
  );
}

/** The object. Throws INVALID_OBJECT, and PERMISSION_DENIED if the caller may see no record of it. */
function objectToSearch({ model, visibility }: Call, name: string): ObjectDef {
  const object = objectNamed(model, visibility, name, isSearched);
  if (mayDo(visibility, 'view', object.name)) return object;
  throw errors.permissionDenied(`Your role may not view ${object.name}`);
}

/** Internal objects are not searched, since messages are encrypted. */
function isSearched({ kind }: ObjectDef): boolean {
  return kind !== 'internal';
}

/** The offset. Throws VALIDATION_ERROR. */
function offsetOf(given: unknown): number {
  if (given === undefined || given === null || given === '') return 0;
  const text = given instanceof Digits ? given.source : String(given);
  const offset = /^\d+$/.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(offset)) return offset;
  throw errors.validation(`offset must be a whole number from 0, not ${asGiven(given)}`);
}
