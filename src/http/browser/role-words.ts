/** What a role may, in words: read from a manifest's roles, or from what a caller is told of its own. */
import { isObject, type Json, type JsonObject } from '../../lib/json.ts';

/** What a role may do with an object's records; each is a phrase. */
export interface Rights {
  readonly view: string;
  readonly create: string;
  readonly update: string;
  readonly delete: string;
  readonly hidden: readonly string[];
  readonly readOnly: readonly string[];
}

/** The rights on one object, of a role's `permissions` in a manifest: an object's entry goes before that of `*`, key by key. */
export function rightsIn(permissions: JsonObject, objectName: string): Rights {
  const entries = [permissions[objectName], permissions['*']].filter((entry) => isObject(entry));
  const said = (key: string) => entries.map((entry) => entry[key]).find((value) => value !== undefined);
  const fields = Object.assign({}, ...entries.map((entry) => entry.fields).toReversed()) as JsonObject;
  const named = (access: string) => Object.keys(fields).filter((name) => fields[name] === access);
  return {
    view: rowsInWords(said('view')),
    create: said('create') === true ? 'yes' : 'no',
    update: rowsInWords(said('update')),
    delete: rowsInWords(said('delete')),
    hidden: named('none'),
    readOnly: named('read'),
  };
}

/** The rights on one object with these fields as `me/permissions` tells them. What is hidden is not told of. */
export function ownRights(
  told: JsonObject,
  shown: readonly { readonly name: string; readonly isReadonly: boolean }[],
): Rights {
  const extents: JsonObject = { all: 'all', some: 'some of them', none: 'none' };
  const extent = (key: string) => String(extents[String(told[key])] ?? 'none');
  const fields = isObject(told.fields) ? told.fields : {};
  return {
    view: extent('view'),
    create: told.create === true ? 'yes' : 'no',
    update: extent('update'),
    delete: extent('delete'),
    hidden: [],
    // What nobody writes says nothing of the role.
    readOnly: shown.flatMap(({ name, isReadonly }) => (fields[name] === 'read' && !isReadonly ? [name] : [])),
  };
}

function rowsInWords(rule: Json | undefined): string {
  if (rule === 'all') return 'all';
  if (rule === 'own') return 'their own';
  return isObject(rule) ? `where ${groupInWords(rule)}` : 'none';
}

function groupInWords({ type, conditions }: JsonObject): string {
  const parts = Array.isArray(conditions) ? conditions.filter((part) => isObject(part)) : [];
  if (parts.length === 0) return type === 'OR' ? 'nothing' : 'anything';
  const words = parts.map((part) => {
    if (!('conditions' in part)) return conditionInWords(part);
    return parts.length > 1 ? `(${groupInWords(part)})` : groupInWords(part);
  });
  return words.join(type === 'OR' ? ' or ' : ' and ');
}

/** Those that do not read as they are called. */
const operators: Readonly<Record<string, string>> = {
  equals: 'is',
  not_equals: 'is not',
  ilike: 'contains',
  greater_than: 'is more than',
  less_than: 'is less than',
  greater_equal: 'is at least',
  less_equal: 'is at most',
  between: 'is between',
  in: 'is one of',
  not_in: 'is none of',
  is_null: 'is empty',
  is_not_null: 'is not empty',
  date_equals: 'is on',
  date_before: 'is before',
  date_after: 'is after',
  date_between: 'is between',
  date_today: 'is today',
  date_this_week: 'is this week',
  date_this_month: 'is this month',
};

function conditionInWords({ field, operator, value }: JsonObject): string {
  const name = String(field).split('.').map(fieldInWords).join("'s ");
  const how = operators[String(operator)] ?? String(operator).replaceAll('_', ' ');
  return [name, how, ...(value === undefined ? [] : [valueInWords(value)])].join(' ');
}

/** `company_id` is what it leads to. */
function fieldInWords(name: string): string {
  return name.replace(/_id$/, '').replaceAll('_', ' ');
}

function valueInWords(value: Json): string {
  if (value === '$me') return 'the user';
  if (Array.isArray(value)) return value.map(valueInWords).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
