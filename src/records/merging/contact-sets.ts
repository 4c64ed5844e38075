/** EMAILS and PHONES are united, value by value. The items of a set are as they are stored, one of them primary. */
import { fieldType } from '../../fields/registry.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isObject, parseJson, type JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';

/** The fields whose value is a set of values. */
export function setFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => fieldType(field.type).uniqueValues !== undefined);
}

export interface SetItem {
  /** Items with the same key are the same value. */
  readonly key: string;
  readonly item: JsonObject;
}

/** The items of a stored set. */
export function itemsOf(field: FieldDef, cells: readonly Cell[] | undefined): readonly SetItem[] {
  const items = parseJson(cells?.[0] ?? '[]');
  if (!Array.isArray(items)) return [];
  return items.filter(isObject).flatMap((item) => {
    const [key] = fieldType(field.type).uniqueValues?.([JSON.stringify([item])]) ?? [];
    return key === undefined ? [] : [{ key, item }];
  });
}

/** The items of all sets, each value once and as it comes first. */
export function united(sets: readonly (readonly SetItem[])[]): readonly SetItem[] {
  const items = new Map<string, SetItem>();
  for (const set of sets) for (const item of set) if (!items.has(item.key)) items.set(item.key, item);
  return [...items.values()];
}

/** The items as a cell; the first that is primary stays the only one, and where none is, the first of all is. */
export function cellOfItems(items: readonly SetItem[]): Cell {
  if (items.length === 0) return null;
  const primary = Math.max(
    0,
    items.findIndex(({ item }) => item['is_primary'] === true),
  );
  return JSON.stringify(items.map(({ item }, at) => ({ ...item, is_primary: at === primary })));
}
