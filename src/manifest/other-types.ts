/** Type names of other services and SQL, in lower case. */
import type { fieldTypeNames } from '../fields/field-def.ts';

type TypeName = (typeof fieldTypeNames)[number];

const others: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  TEXT: ['string', 'varchar', 'char', 'single_line_text', 'singlelinetext', 'uuid'],
  LONG_TEXT: ['textarea', 'longtext', 'multiline', 'multi_line_text', 'multilinetext'],
  RICH_TEXT: ['html', 'markdown', 'richtext'],
  NUMBER: ['float', 'double', 'real', 'numeric'],
  INTEGER: ['int', 'bigint', 'smallint', 'serial'],
  CURRENCY: ['money', 'amount', 'price'],
  BOOLEAN: ['bool', 'checkbox', 'switch', 'toggle', 'yes_no'],
  DATETIME: ['timestamp', 'timestamptz', 'date_time', 'time'],
  PHONES: ['phone', 'phone_number', 'phonenumber'],
  URL: ['link', 'website'],
  SELECT: ['enum', 'enumeration', 'picklist', 'dropdown', 'single_select', 'singleselect', 'status', 'choice'],
  MULTI_SELECT: ['multiselect', 'multipicklist', 'multi_picklist', 'tags', 'array', 'set'],
  RELATION: ['lookup', 'reference', 'foreign_key', 'belongs_to', 'many_to_one', 'm2o', 'link_to_record', 'has_many'],
  MANY_TO_MANY: ['m2m', 'manytomany', 'links'],
  USERS: ['user', 'owner', 'member', 'actor'],
  PIPELINE: ['stage', 'pipeline_stage'],
  CALCULATED: ['formula', 'computed', 'expression', 'generated'],
  ROLLUP: ['roll_up', 'summary', 'aggregate', 'count'],
};

/** The type that a foreign name means. */
export const otherTypeNames: ReadonlyMap<string, TypeName> = new Map(
  Object.entries(others).flatMap(([type, names]) => names.map((name) => [name, type as TypeName] as const)),
);
