/** A list and the fields of its entries, as values of records are shown and edited. */
import type { ListEntriesListItem, ListsGetAnswer } from '../../../client/index.js';
import type { Field } from '../api/workspace.ts';

export type List = ListsGetAnswer;
export type Entry = ListEntriesListItem;

/** A field of a list in the form of one of an object. */
export function fieldOf({ name, label, type, isRequired, options }: List['fields'][number]): Field {
  return {
    name,
    label,
    type,
    isRequired,
    isReadonly: false,
    isSearchable: false,
    isHidden: false,
    isUnique: false,
    defaultValue: null,
    options,
  };
}
