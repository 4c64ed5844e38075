/** MANY_TO_MANY: links to records of another object, in a separate table, each with the field's junction fields. */
import { isEmptyValue } from '../empty-value.ts';
import { aggregates } from '../aggregates.ts';
import { isObject } from '../../lib/json.ts';
import type { Json } from '../../lib/json.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { Cell } from '../../postgres/database.ts';
import { listInCell } from '../cell-text.ts';
import type { FieldDef, FieldTypeName } from '../field-def.ts';
import { FieldProblem, misfit, refuseOtherKeys } from '../field-problem.ts';
import type { DecodeContext, FieldType, Link } from '../field-type.ts';
import { displaySchema, idSchema, objectSchema, orNull } from '../json-schema.ts';
import type { FieldSchema } from '../json-schema.ts';
import { reading, recordsMember } from '../members.ts';
import { operatorsOf } from '../operators/by-kind.ts';
import { decodeId } from '../reference.ts';
import { targetOf } from './relation.ts';

/** The most links of a field in one write. */
export const maxLinks = 10_000;

/** Builds the type; `fieldType` resolves the types of junction fields. */
export function manyToMany(fieldType: (name: FieldTypeName) => FieldType): FieldType {
  const links = function* (value: Json, field: FieldDef, context: DecodeContext): Generator<Link, void, undefined> {
    const items = value === null ? [] : value;
    if (!Array.isArray(items)) throw misfit(`a list of ids of ${targetOf(field)}`, items);
    if (items.length > maxLinks) throw new FieldProblem(`must have at most ${maxLinks.toLocaleString('en')} links`);
    const known = new Set<string>();
    const junctionOf = junctionReader(field, context, fieldType);
    for (const item of items) {
      const target = decodeId(item, targetOf(field));
      if (known.has(target)) throw new FieldProblem(`has ${target} twice`);
      known.add(target);
      yield { target, junction: junctionOf(item) };
    }
  };
  return {
    names: ['MANY_TO_MANY'],
    relationTypes: ['MANY_TO_MANY'],
    columns: () => [],
    read: (field, scope) => reading(scope.links(field), recordsMember(field.name)),
    schema: (field) => linksSchema(field, fieldType),
    operand: (field, scope) => ({ kind: 'links', value: scope.linkedIds(field) }),
    operators: operatorsOf('links'),
    aggregates: aggregates.presence,
    decode(value, field, context) {
      for (const _ of links(value, field, context)); // validate each link
      return [];
    },
    fromCell: listInCell,
    target: (field) => ({ object: targetOf(field) }),
    links: (value, field, context) => mapInSlices(links(value, field, context), (link) => link),
  };
}

function linksSchema(field: FieldDef, fieldType: (name: FieldTypeName) => FieldType): FieldSchema {
  const fields = field.junctionFields ?? [];
  const parts = fields.map((part) => ({ part, schema: fieldType(part.type).schema(part) }));
  const read = Object.assign({ id: idSchema, display: displaySchema }, ...parts.map(({ schema }) => schema.read));
  const written = parts.flatMap(({ part, schema }) => (schema.write ? [[part.name, orNull(schema.write)]] : []));
  const ignored = { display: { ...displaySchema, description: 'As it was read; ignored' } };
  const link = objectSchema({ id: idSchema, ...ignored, ...Object.fromEntries(written) }, [
    'display',
    ...fields.map((part) => part.name),
  ]);
  return {
    read: { [field.name]: { type: 'array', items: objectSchema(read) } },
    write: { type: 'array', items: { anyOf: [idSchema, link] }, maxItems: maxLinks },
  };
}

/** A reader of the junction cells of links, with defaults for missing ones. Links without any share one list, since there may be many. */
function junctionReader(
  field: FieldDef,
  context: DecodeContext,
  fieldType: (name: FieldTypeName) => FieldType,
): (item: Json) => readonly Cell[] {
  const fields = field.junctionFields ?? [];
  const names = ['id', ...fields.map((part) => part.name)];
  const cellsOf = (part: FieldDef, value: Json) => {
    try {
      return fieldType(part.type).decode(value, part, context);
    } catch (error) {
      if (error instanceof FieldProblem) throw new FieldProblem(`${part.name} ${error.message}`, error.availableValues);
      throw error;
    }
  };
  const usual = fields.map((part) => cellsOf(part, part.defaultValue));
  const allUsual = usual.flat();
  const needed = fields.filter(({ isRequired }) => isRequired);
  return (item) => {
    const given = isObject(item) ? item : {};
    refuseOtherKeys(given, names, ['display']);
    for (const { name, defaultValue } of needed)
      if (isEmptyValue(given[name] === undefined ? defaultValue : given[name]))
        throw new FieldProblem(`needs ${name} with each link`);
    const isGiven = ({ name }: FieldDef) => given[name] !== undefined;
    if (!fields.some(isGiven)) return allUsual;
    return fields.flatMap((part, at) => (isGiven(part) ? cellsOf(part, given[part.name] ?? null) : (usual[at] ?? [])));
  };
}
