/** All field types: one file each, or one for types that differ only in name. */
import { address } from './types/address.ts';
import { boolean } from './types/boolean.ts';
import { calculated } from './types/calculated.ts';
import { currency } from './types/currency.ts';
import { dateRange } from './types/date-range.ts';
import { date } from './types/date.ts';
import { datetime } from './types/datetime.ts';
import { dependentRelation } from './types/dependent-relation.ts';
import { email } from './types/email.ts';
import { emails } from './types/emails.ts';
import type { FieldTypeName } from './field-def.ts';
import type { FieldType } from './field-type.ts';
import { id } from './types/id.ts';
import { integer } from './types/integer.ts';
import { manyToMany } from './types/many-to-many.ts';
import { morphRelation } from './types/morph-relation.ts';
import { multiSelect } from './types/multi-select.ts';
import { duration, number } from './types/number.ts';
import { phones } from './types/phones.ts';
import { pipeline, pipelineId, pipelineStepId } from './types/pipeline.ts';
import { rating } from './types/rating.ts';
import { relation } from './types/relation.ts';
import { richText } from './types/rich-text.ts';
import { rollup } from './types/rollup.ts';
import { select } from './types/select.ts';
import { longText, text } from './types/text.ts';
import { url } from './types/url.ts';
import { users } from './types/users.ts';

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

/** The type with that name. Throws a plain Error for an unregistered one: metadata is validated before it is stored. */
export function fieldType(name: FieldTypeName): FieldType {
  const type = byName.get(name);
  if (!type) throw new Error(`No field type ${name}`);
  return type;
}
