/** Reads the columns, filters and sort of a view, as lists take them. */
import { errors, quoted } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest.ts';
import { isObject, type Json } from '../../lib/json.ts';
import { caps } from '../../model/caps.ts';
import { parseSortKeys } from '../../query/order.ts';
import type { ViewColumn, ViewParts } from '../../records/views/view.ts';
import { filterGroupOf } from '../records/filter-input.ts';

/** The input as validated by the schema. */
interface Given {
  readonly layout?: ViewParts['layout'];
  readonly columns?: unknown;
  readonly filters?: unknown;
  readonly sort?: unknown;
  readonly search?: string | null;
  readonly group_by?: string | null;
  readonly totals?: string | null;
}

/** The given parts of a view. Throws VALIDATION_ERROR. */
export function partsGiven({ layout, columns, filters, sort, ...texts }: Given): Partial<ViewParts> {
  const given = Object.entries(texts).filter(([, text]) => text !== undefined);
  return {
    ...(layout !== undefined && { layout }),
    ...(columns !== undefined && { columns: columns === null ? null : columnsOf(columns as Json) }),
    ...(filters !== undefined && { filters: filters === null ? null : filterGroupOf(filters as Json) }),
    ...(sort !== undefined && { sort: sort === null ? [] : parseSortKeys(sort as Json) }),
    ...Object.fromEntries(given.map(([key, text]) => [key, text || null])),
  };
}

/** Column widths in pixels. */
export const narrowest = 20;
export const widest = 4_000;

const keys = ['field', 'width'];

/** The columns; a plain name has no width, and null means the default columns. Throws VALIDATION_ERROR. */
function columnsOf(given: Json): readonly ViewColumn[] | null {
  if (!Array.isArray(given)) throw errors.validation('columns must be an array of { "field", "width" }');
  if (given.length > caps.columnsOfView)
    throw errors.validation(`columns has ${given.length}, and a view has at most ${caps.columnsOfView}`);
  const columns = given.map((column, index) => columnOf(column, `columns[${index}]`));
  const names = new Set<string>();
  for (const { field } of columns) {
    if (names.has(field)) throw errors.validation(`columns has ${quoted(field)} twice`);
    names.add(field);
  }
  return columns.length > 0 ? columns : null;
}

function columnOf(given: Json, place: string): ViewColumn {
  if (typeof given === 'string') return columnOf({ field: given }, place);
  if (!isObject(given)) throw errors.validation(`${place} must be an object such as { "field": "name", "width": 200 }`);
  const unknown = Object.keys(given).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw errors.validation(
      `${place} has an unknown key ${quoted(unknown)}${didYouMean(unknown, keys)}`,
      undefined,
      keys,
    );
  const { field = null, width = null } = given;
  if (typeof field !== 'string' || field === '') throw errors.validation(`${place}.field must be the name of a field`);
  if (width === null) return { field };
  if (typeof width !== 'number' || !Number.isInteger(width) || width < narrowest || width > widest)
    throw errors.validation(`${place}.width must be a whole number of pixels from ${narrowest} to ${widest}`);
  return { field, width };
}
