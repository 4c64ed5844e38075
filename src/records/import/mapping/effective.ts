/** The effective mapping: the proposal with the caller's changes. */
import { errors, quoted } from '../../../errors.ts';
import type { FieldDef } from '../../../fields/field-def.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import { shortList } from '../../../lib/short-list.ts';
import type { Analysis } from '../analysis.ts';
import { checkNewField, placeOf, planOf, type ColumnPlan, type MappingEntry } from './entry.ts';

/** One entry for each column of the file. Throws VALIDATION_ERROR for an unknown or repeated column. */
export function effectiveMapping(
  { columns, proposals }: Pick<Analysis, 'columns' | 'proposals'>,
  given: readonly MappingEntry[],
  fields: ReadonlyMap<string, FieldDef>,
): MappingEntry[] {
  const chosen = new Map<string, MappingEntry>();
  for (const entry of given) {
    const column = entry.column.trim();
    if (!columns.includes(column))
      throw errors.validation(`The file has no column ${quoted(column)}${didYouMean(column, columns)}`, undefined, [
        ...columns,
      ]);
    if (chosen.has(column)) throw errors.validation(`The column ${quoted(column)} is mapped twice`);
    chosen.set(column, { ...entry, column });
  }
  const taken = new Set([...chosen.values()].flatMap((entry) => wholeFieldOf(entry, fields) ?? []));
  return proposals.map(({ column, suggestion }) => {
    const own = chosen.get(column);
    if (own) return own;
    // A field mapped by the caller gets no other column.
    const field = wholeFieldOf(suggestion, fields);
    return field !== undefined && taken.has(field) ? { column, action: 'ignore' } : suggestion;
  });
}

function wholeFieldOf(entry: MappingEntry, fields: ReadonlyMap<string, FieldDef>): string | undefined {
  const { action, field = '' } = entry;
  const place = action === 'map' ? placeOf(field, fields) : action === 'relation' ? planOf(entry, fields) : undefined;
  const target = place?.target;
  return target && target.part === undefined && !target.isFullName ? target.field.name : undefined;
}

/**
 * The plans of the mapped columns, with their date and number formats. Throws VALIDATION_ERROR, also where a format
 * must be chosen.
 */
export function plansOf(
  { profiles }: Pick<Analysis, 'profiles'>,
  mapping: readonly MappingEntry[],
  fields: ReadonlyMap<string, FieldDef>,
): ColumnPlan[] {
  const known = new Map(profiles.map((profile) => [profile.column, profile]));
  const plans = mapping.flatMap((entry): ColumnPlan[] => {
    const plan = planOf(entry, fields);
    if (!plan) return [];
    const profile = known.get(entry.column);
    const dateOrder = plan.dateOrder ?? profile?.dateOrder;
    const decimal = plan.decimal ?? profile?.decimal;
    return [{ ...plan, ...(dateOrder && { dateOrder }), ...(decimal && { decimal }) }];
  });
  const open = plans.filter(
    ({ column, target, dateOrder }) =>
      isDate(target.field) && dateOrder === undefined && known.get(column)?.ambiguousDates !== undefined,
  );
  const [first] = open;
  if (first) {
    const orders = known.get(first.column)?.ambiguousDates ?? [];
    const sample = known.get(first.column)?.samples[0] ?? '';
    throw errors.validation(
      `The dates of ${open.map(({ column }) => quoted(column)).join(', ')} can be read in several ways, such as ${quoted(sample)}: say date_format, ${orders.join(' or ')}`,
      open.map(({ column }) => ({ field: 'mapping', message: `${quoted(column)} needs a date_format` })),
      orders,
    );
  }
  if (plans.length === 0 && !mapping.some(({ action }) => action === 'new_field'))
    throw errors.validation(
      `No column of the file goes to a field: it has ${shortList(
        mapping.map(({ column }) => quoted(column)),
        mostNamed,
      )}`,
      undefined,
      [...fields.keys()],
    );
  return plans;
}

const mostNamed = 10;

function isDate({ type }: FieldDef): boolean {
  return type === 'DATE' || type === 'DATETIME';
}

/**
 * The entries whose fields must be created. An existing field of the same kind, from an earlier import, is reused.
 * Throws VALIDATION_ERROR for an impossible or repeated field, and for one whose name belongs to a different field.
 */
export function newFieldsOf(
  mapping: readonly MappingEntry[],
  fields: ReadonlyMap<string, FieldDef>,
  plans: readonly ColumnPlan[],
): MappingEntry[] {
  const columns = new Map<string, string>();
  for (const entry of mapping) {
    if (entry.action !== 'new_field') continue;
    const name = checkNewField(entry);
    const other = columns.get(name);
    if (other !== undefined)
      throw errors.validation(
        `The columns ${quoted(other)} and ${quoted(entry.column)} have the same new_field_name ${quoted(name)}`,
      );
    columns.set(name, entry.column);
    const there = fields.get(name);
    if (there) refuseAnother(entry, there, plans);
  }
  return mapping.filter((entry) => entry.action === 'new_field' && !fields.has(checkNewField(entry)));
}

function refuseAnother(
  { column, new_field_type: type = 'TEXT' }: MappingEntry,
  there: FieldDef,
  plans: readonly ColumnPlan[],
) {
  const isThere = `Column ${quoted(column)} cannot become a new field ${there.name}: there is one`;
  if (there.type !== type) throw errors.validation(`${isThere} of type ${there.type}, not ${type}`);
  const other = plans.find((plan) => plan.target.field === there && plan.column !== column);
  if (other) throw errors.validation(`${isThere}, to which the column ${quoted(other.column)} goes`);
}
