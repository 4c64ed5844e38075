/** Merges EMAILS and PHONES value by value. Items are in stored form, and one of a set is primary. */
import { fieldType } from '../../fields/registry.ts';
import type { FieldDef } from '../../fields/field-def.ts';
import { isObject, parseJson, type JsonObject } from '../../lib/json.ts';
import type { ObjectDef } from '../../model/model.ts';
import type { Cell } from '../../postgres/database.ts';

/** The fields whose value is a set. */
export function setFields(object: ObjectDef): readonly FieldDef[] {
  return object.fields.filter((field) => fieldType(field.type).uniqueValues !== undefined);
}

export interface SetItem {
  /** Items with the same key are equal. */
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

/** The union of all sets; of equal items, the first. */
export function united(sets: readonly (readonly SetItem[])[]): readonly SetItem[] {
  const items = new Map<string, SetItem>();
  for (const set of sets) for (const item of set) if (!items.has(item.key)) items.set(item.key, item);
  return [...items.values()];
}

/** The items as a cell; the first primary one stays primary, or the first item becomes it. */
export function cellOfItems(items: readonly SetItem[]): Cell {
  if (items.length === 0) return null;
  const primary = Math.max(
    0,
    items.findIndex(({ item }) => item['is_primary'] === true),
  );
  return JSON.stringify(items.map(({ item }, at) => ({ ...item, is_primary: at === primary })));
}
