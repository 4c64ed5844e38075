/**
 * The columns with ids of records, according to metadata: relations, morphs, and links. System tables declare their
 * own.
 */
import type { FieldDef } from '../../fields/field-def.ts';
import { fieldType } from '../../fields/registry.ts';
import type { Model, ObjectDef } from '../../model/model.ts';
import { identifier, sql, type Sql } from '../../postgres/sql.ts';

/** A relation to records of one object. */
export interface Pointer {
  readonly source: ObjectDef;
  readonly field: FieldDef;
  /** The column with the id. */
  readonly column: string;
  /** MORPH_RELATION: the column with the target's object name. */
  readonly objectColumn: string | undefined;
}

export interface LinkField {
  readonly source: ObjectDef;
  readonly field: FieldDef;
  readonly linkTable: string;
}

/** The stored relations, single or morph, in any object, that may lead to records of `object`. */
export function pointersTo(model: Model, object: ObjectDef): readonly Pointer[] {
  return fieldsOf(model).flatMap(({ source, field }): Pointer[] => {
    const target = fieldType(field.type).target?.(field);
    if (target === undefined || target === 'user' || field.linkTable !== undefined) return [];
    const names = 'object' in target ? [target.object] : target.objects;
    const [id, objectName] = fieldType(field.type).columns(field);
    if (!id || !names.includes(object.name)) return [];
    return [{ source, field, column: id.name, objectColumn: objectName?.name }];
  });
}

/** The fields whose links lead to records of `object`. */
export function linksTo(model: Model, object: ObjectDef): readonly LinkField[] {
  return fieldsOf(model).flatMap(({ source, field }): LinkField[] => {
    const { linkTable, relationConfig } = field;
    if (linkTable === undefined || relationConfig?.targetObjectName !== object.name) return [];
    return [{ source, field, linkTable }];
  });
}

/** The link fields of `object`. */
export function linksFrom(object: ObjectDef): readonly LinkField[] {
  return [...object.attributes.values()].flatMap((field): LinkField[] => {
    const { linkTable } = field;
    return linkTable === undefined ? [] : [{ source: object, field, linkTable }];
  });
}

function fieldsOf({ objects }: Model): readonly { readonly source: ObjectDef; readonly field: FieldDef }[] {
  return [...objects.values()].flatMap((source) => [...source.attributes.values()].map((field) => ({ source, field })));
}

/** Whether the relation of the row `t` leads to one of the records of `object`. */
export function leadsTo({ column, objectColumn }: Pointer, object: ObjectDef, ids: readonly string[]): Sql {
  const leads = sql`t.${identifier(column)} = any(${ids}::uuid[])`;
  return objectColumn === undefined ? leads : sql`(${leads} and t.${identifier(objectColumn)} = ${object.name})`;
}
