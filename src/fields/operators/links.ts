/** Filters on MANY_TO_MANY: linked to a record, to any of several, or to none. */
import { sql } from '../../postgres/sql.ts';
import { equality } from './combine.ts';
import type { Operator, OperatorSet } from './operator.ts';
import { idFrom, listFrom } from './values.ts';

const hasNone: Operator = ({ value }) => sql`coalesce(cardinality(${value}), 0) = 0`;
const hasAny: Operator = ({ value }) => sql`cardinality(${value}) > 0`;

export const linksOperators: OperatorSet = {
  ...equality(
    ({ value }, wanted) => sql`${value} && ${[idFrom(wanted)]}::uuid[]`,
    ({ value }, wanted) => sql`${value} && ${listFrom(wanted).map((item) => idFrom(item))}::uuid[]`,
  ),
  is_null: hasNone,
  is_not_null: hasAny,
  is_empty: hasNone,
  is_not_empty: hasAny,
};
