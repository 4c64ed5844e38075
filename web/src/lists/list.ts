/** A list and its entry fields, in the form that values of records are shown and edited in. */
import type { ListEntriesListItem, ListsGetAnswer } from '../../../client/index.js';
import type { Field } from '../api/workspace.ts';

export type List = ListsGetAnswer;
export type Entry = ListEntriesListItem;

/** An entry field in the form of an object's field. */
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
