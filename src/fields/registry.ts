/** Every type of field that Kith knows, one file each or one for those that differ in nothing but their name. */
import { address } from './address.ts';
import { boolean } from './boolean.ts';
import { calculated } from './calculated.ts';
import { currency } from './currency.ts';
import { dateRange } from './date-range.ts';
import { date } from './date.ts';
import { datetime } from './datetime.ts';
import { dependentRelation } from './dependent-relation.ts';
import { email } from './email.ts';
import { emails } from './emails.ts';
import type { FieldTypeName } from './field-def.ts';
import type { FieldType } from './field-type.ts';
import { id } from './id.ts';
import { integer } from './integer.ts';
import { manyToMany } from './many-to-many.ts';
import { morphRelation } from './morph-relation.ts';
import { multiSelect } from './multi-select.ts';
import { duration, number } from './number.ts';
import { phones } from './phones.ts';
import { pipeline, pipelineId, pipelineStepId } from './pipeline.ts';
import { rating } from './rating.ts';
import { relation } from './relation.ts';
import { richText } from './rich-text.ts';
import { rollup } from './rollup.ts';
import { select } from './select.ts';
import { longText, text } from './text.ts';
import { url } from './url.ts';
import { users } from './users.ts';

export const fieldTypes: readonly FieldType[] = [
  text,
  longText,
  richText,
  url,
  email,
  emails,
  phones,
  number,
  duration,
  integer,
  currency,
  rating,
  boolean,
  date,
  datetime,
  dateRange,
  select,
  multiSelect,
  relation,
  dependentRelation,
  morphRelation,
  manyToMany(fieldType),
  users,
  pipeline,
  pipelineId,
  pipelineStepId,
  address,
  calculated,
  rollup,
  id,
];

const byName: ReadonlyMap<FieldTypeName, FieldType> = new Map(
  fieldTypes.flatMap((type) => type.names.map((name) => [name, type])),
);

/** The type of that name. Throws a plain Error for one that is not registered: metadata is checked before it is stored. */
export function fieldType(name: FieldTypeName): FieldType {
  const type = byName.get(name);
  if (!type) throw new Error(`No field type ${name}`);
  return type;
}
