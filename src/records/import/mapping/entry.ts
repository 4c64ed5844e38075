/** The mapping of one column: the specification's entry, and its target on the object. */
import { errors, quoted } from '../../../errors.ts';
import type { FieldDef, FieldTypeName } from '../../../fields/field-def.ts';
import { addressParts } from '../../../fields/types/address.ts';
import { fieldType } from '../../../fields/registry.ts';
import { didYouMean } from '../../../lib/nearest.ts';
import type { DateOrder } from '../guessing/dates.ts';
import type { DecimalSign } from '../guessing/numbers.ts';
import { targetsOf } from '../labels.ts';

export const actions = ['map', 'new_field', 'relation', 'ignore'] as const;

/**
 * [spec: crm_import_records] `create_missing`, `add_options`, `new_field_unique`, `date_format` and `number_format`
 * are additive, as is a part after a field's name.
 */
export interface MappingEntry {
  readonly column: string;
  readonly action: (typeof actions)[number];
  readonly field?: string;
  readonly new_field_name?: string;
  readonly new_field_label?: string;
  readonly new_field_type?: string;
  readonly new_field_unique?: boolean;
  readonly enum_options?: readonly string[];
  readonly target_object?: string;
  readonly lookup_field?: string;
  readonly relation_type?: string;
  readonly create_missing?: boolean;
  readonly add_options?: boolean;
  readonly date_format?: DateOrder;
  readonly number_format?: DecimalSign;
}

/** The target of a column. */
export interface Target {
  readonly field: FieldDef;
  /** A part of an address, the currency of an amount, or the label for a set's other column. */
  readonly part?: string;
  /** The label for the values of a set. */
  readonly label?: string;
  /** Set for a full name that is split into two fields. */
  readonly isFullName?: true;
}

/** How the records named in a column are found. */
export interface Lookup {
  readonly target: string;
  /** Defaults to the target's label or id. */
  readonly by?: string;
  readonly makesMissing: boolean;
}

/** The plan of a mapped column. */
export interface ColumnPlan {
  readonly column: string;
  readonly target: Target;
  readonly lookup?: Lookup;
  readonly dateOrder?: DateOrder;
  readonly decimal?: DecimalSign;
  /** Whether missing options are added to the field. */
  readonly addsOptions?: true;
}

/** The path of a full name that is split into two fields. */
const fullName = 'full_name';

/** The target of `path` among the writable fields; undefined for an invalid path. */
export function targetOf(path: string, fields: ReadonlyMap<string, FieldDef>): Target | undefined {
  const whole = fields.get(path);
  if (whole) return { field: whole };
  const [first, last] = [fields.get('first_name'), fields.get('last_name')];
  if (path === fullName && first && last) return { field: first, isFullName: true };
  const [name = '', label] = path.split(':');
  const set = fields.get(name);
  if (set && label) return isSet(set) ? { field: set, label } : undefined;
  const [before = '', part = ''] = path.split('.');
  const field = fields.get(before);
  if (!field || part === '') return undefined;
  const isPart =
    (field.type === 'ADDRESS' && addressParts.some((known) => known === part)) ||
    (field.type === 'CURRENCY' && part === 'currency') ||
    (isSet(field) && part === 'label');
  return isPart ? { field, part } : undefined;
}

/** EMAILS and PHONES accept several columns. */
export function isSet({ type }: FieldDef): boolean {
  return type === 'EMAILS' || type === 'PHONES';
}

/**
 * The plan of an entry; undefined for an ignored column, or one whose field does not exist yet. Throws
 * VALIDATION_ERROR for an invalid entry.
 */
export function planOf(entry: MappingEntry, fields: ReadonlyMap<string, FieldDef>): ColumnPlan | undefined {
  const { column, action, date_format: dateOrder, number_format: decimal } = entry;
  if (action === 'ignore') return undefined;
  const said = {
    column,
    ...(dateOrder && { dateOrder }),
    ...(decimal && { decimal }),
    ...(entry.add_options && { addsOptions: true as const }),
  };
  if (action === 'new_field') {
    const field = fields.get(checkNewField(entry));
    return field && { ...said, target: { field } };
  }
  if (action === 'relation') return { ...said, ...relationOf(entry, fields) };
  const { field: path = '' } = entry;
  const place = placeOf(path, fields, entry.create_missing);
  if (!place) throw noField(column, path, fields);
  return { ...said, ...place };
}

/** The target of `path`, and the lookup of a relation; undefined for an invalid path. */
export function placeOf(
  path: string,
  fields: ReadonlyMap<string, FieldDef>,
  makesMissing?: boolean,
): Pick<ColumnPlan, 'target' | 'lookup'> | undefined {
  const target = targetOf(path, fields);
  if (target) return { target, ...lookupOf(target.field, undefined, makesMissing) };
  return byOtherField(path, fields, makesMissing);
}

/** The path of a plan as sources write it: `address.city`, `company_id.domain`, or the field. */
export function pathOf({ target, lookup }: Pick<ColumnPlan, 'target' | 'lookup'>): string {
  const { field, part } = target;
  const behind = part ?? lookup?.by;
  return behind === undefined ? field.name : `${field.name}.${behind}`;
}

/** For example `company_id.domain`: the company with that domain. */
function byOtherField(path: string, fields: ReadonlyMap<string, FieldDef>, makesMissing: boolean | undefined) {
  const at = path.indexOf('.');
  const field = at < 0 ? undefined : fields.get(path.slice(0, at));
  const lookup = field && lookupOf(field, path.slice(at + 1), makesMissing);
  return field && lookup ? { target: { field }, ...lookup } : undefined;
}

/** The lookup of a relation to a single object, whose records can be found and created. */
function lookupOf(field: FieldDef, by: string | undefined, makesMissing = false): { lookup: Lookup } | undefined {
  const targets = targetsOf(field);
  const [target] = targets;
  if (target === undefined || targets.length > 1 || (target === 'user' && by !== undefined)) return undefined;
  return { lookup: { target, makesMissing: makesMissing && target !== 'user', ...(by !== undefined && { by }) } };
}

function relationOf(entry: MappingEntry, fields: ReadonlyMap<string, FieldDef>) {
  const { column, target_object: wanted, relation_type: type, lookup_field: by, field: named } = entry;
  const fitting = [...fields.values()].filter(
    (field) =>
      (named === undefined || field.name === named) &&
      (wanted === undefined || targetsOf(field).includes(wanted)) &&
      (type === undefined || (fieldType(field.type).links !== undefined) === (type === 'MANY_TO_MANY')),
  );
  const relations = fitting.flatMap((field) => {
    const lookup = lookupOf(field, by === 'id' ? undefined : by, entry.create_missing);
    return lookup && lookup.lookup.target !== 'user' ? [{ target: { field }, ...lookup }] : [];
  });
  const [only, ...more] = relations;
  if (only && more.length === 0) return only;
  if (only) {
    const names = relations.map(({ target }) => target.field.name).join(', ');
    throw errors.validation(`Column ${quoted(column)} can go to several relations; say with field which: ${names}`);
  }
  const targets = new Set([...fields.values()].flatMap((field) => targetsOf(field)).filter((one) => one !== 'user'));
  const to = wanted === undefined ? '' : ` to ${quoted(wanted)}${didYouMean(wanted, targets)}`;
  throw errors.validation(`Column ${quoted(column)} can go to no relation${to}`);
}

/** The name of the field to create. Throws VALIDATION_ERROR. */
export function checkNewField({ column, new_field_name: name, new_field_type: type = 'TEXT' }: MappingEntry): string {
  if (name === undefined || !/^[a-z][a-z\d_]{0,62}$/.test(name))
    throw errors.validation(`Column ${quoted(column)} needs a new_field_name in snake_case`);
  if ((makeable as ReadonlySet<string>).has(type)) return name;
  throw errors.validation(
    `Column ${quoted(column)} cannot become a new field of type ${quoted(type)}${didYouMean(type, makeable)}`,
    undefined,
    [...makeable],
  );
}

/** Types of fields that an import can create. */
const makeable: ReadonlySet<FieldTypeName> = new Set<FieldTypeName>([
  'TEXT',
  'LONG_TEXT',
  'NUMBER',
  'INTEGER',
  'DECIMAL',
  'PERCENT',
  'CURRENCY',
  'BOOLEAN',
  'DATE',
  'DATETIME',
  'EMAIL',
  'EMAILS',
  'PHONES',
  'URL',
  'ADDRESS',
  'SELECT',
  'MULTI_SELECT',
]);

function noField(column: string, path: string, fields: ReadonlyMap<string, FieldDef>): Error {
  const hint = didYouMean(path, fields.keys());
  return errors.validation(
    `Column ${quoted(column)} cannot go to ${quoted(path)}, which no import can set${hint}`,
    undefined,
    [...fields.keys()],
  );
}
