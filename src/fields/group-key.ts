/** Group keys as text, by kind of value. [spec: Records, Aggregate] */
import { jsonString } from '../lib/json.ts';
import { sql, type Sql } from '../postgres/sql.ts';
import { parseTextArray } from './array-literal.ts';
import { utc } from './members.ts';
import { textOrder } from './operands.ts';
import type { Operand } from './operators/operator.ts';

export interface GroupKey {
  /** The row's key; null without a value. */
  readonly key: Sql;
  /** Conditions for rows with a key and without one that a column index can answer; absent where there is none. */
  readonly indexed?: { has(key: Sql): Sql; readonly hasNone: Sql };
  /** The sort expression for groups, over a key. */
  order(key: Sql): Sql;
  /** The key's label, and its JSON value. */
  shown(key: string): string;
  json(key: string): string;
}

/** The length of a TEXT; calculated values may be longer. */
const longestKey = 10_000;

const asIs = (key: string): string => key;

/** The group key of an operand; undefined for values that cannot be grouped, such as links. */
export function groupKeyOf(operand: Operand): GroupKey | undefined {
  const { kind, value } = operand;
  const hasNone = sql`${value} is null`;
  switch (kind) {
    case 'text':
      return textKey(sql`left(${value}, ${longestKey}::int)`);
    case 'option':
      return {
        ...textKey(value),
        indexed: { has: (key) => sql`${value} = ${key} collate "C"`, hasNone },
        order: (key) => sql`array_position(${optionValues(operand)}::text[], ${key} collate "C")`,
      };
    case 'options':
      return optionsKey(operand);
    case 'boolean':
      return {
        key: sql`(${value})::text`,
        indexed: { has: (key) => sql`${value} = ${key}::boolean`, hasNone },
        order: (key) => sql`${key}::boolean`,
        shown: asIs,
        json: asIs,
      };
    case 'number':
      return {
        key: sql`trim_scale((${value})::numeric)::text`,
        order: (key) => sql`${key}::numeric`,
        shown: asIs,
        json: asIs,
      };
    case 'date':
      return { key: sql`(${value})::text`, order: (key) => sql`${key}::date`, shown: asIs, json: jsonString };
    case 'datetime':
      return {
        key: sql`(${value})::text`,
        order: (key) => sql`${key}::timestamptz`,
        shown: utc,
        json: (key) => jsonString(utc(key)),
      };
    case 'id':
      return {
        key: sql`(${value})::text`,
        indexed: { has: (key) => sql`${value} = ${key}::uuid`, hasNone },
        order: (key) => key,
        shown: asIs,
        json: jsonString,
      };
    case 'values':
      return textKey(primaryOf(operand));
    default:
      return undefined;
  }
}

function textKey(key: Sql): GroupKey {
  return { key, order: (text) => textOrder(sql`${text} collate "C"`), shown: asIs, json: jsonString };
}

/** Sets with the same options are equal; their keys use the field's order of options. */
function optionsKey(operand: Operand): GroupKey {
  const values = optionValues(operand);
  const position = sql`array_position(${values}::text[], item collate "C")`;
  return {
    key: sql`case when cardinality(${operand.value}) = 1 then ${operand.value}::text
      else (select array_agg(item order by ${position}, item collate "C") from unnest(${operand.value}) item)::text end`,
    order: (key) => sql`(select array_agg(coalesce(${position}, ${values.length + 1}::int) order by at)
      from unnest(${key}::text[]) with ordinality listed (item, at))`,
    shown: asIs,
    json: (key) => JSON.stringify(parseTextArray(key)),
  };
}

function optionValues({ options = [] }: Operand): readonly string[] {
  return options.map((option) => option.value);
}

function primaryOf({ value, key = 'email' }: Operand): Sql {
  const path = `$[*] ? (@.is_primary == true).${key}`;
  return sql`(jsonb_path_query_first(${value}, ${path}::jsonpath) #>> '{}')`;
}
