/** Finds relations of other objects that refer to an object. */
import type { Field, KithRecord, ObjectShape, Permission, Workspace } from '../api/workspace.ts';
import { isRef, refsOf, textIn } from '../values/shapes.ts';

export interface Way {
  /** The object whose records refer to it. */
  readonly from: ObjectShape;
  readonly field: Field;
}

/** Objects that have operations of their own. */
const apart = new Set(['tasks', 'notes']);

/** All relations that refer to the object and that the role may see. */
export function waysTo(object: string, { objects, permissions }: Pick<Workspace, 'objects' | 'permissions'>): Way[] {
  return [...objects.values()].flatMap((from) =>
    (apart.has(from.name) ? [] : from.fields)
      .filter(
        ({ name, type, isHidden, relationConfig }) =>
          !isHidden &&
          isRef({ type }) &&
          (relationConfig?.targetObjectNames ?? [relationConfig?.targetObjectName]).includes(object) &&
          relationConfig?.relationType !== 'HAS_MANY' &&
          (permissions[from.name] === undefined || name in (permissions[from.name]?.fields ?? {})),
      )
      .map((field) => ({ from, field })),
  );
}

/** The field shown beside a related record: an amount, else its step. */
export function detailField(
  { fields }: ObjectShape,
  rights: Readonly<Record<string, unknown>> | undefined,
): Field | undefined {
  const seen = fields.filter(({ name, isHidden }) => !isHidden && (rights === undefined || name in rights));
  return seen.find(({ type }) => type === 'CURRENCY') ?? seen.find(({ name }) => name === 'job_title');
}

/** Records of the same object with the same first relation, such as contacts of the same company. */
export function wayBeside(
  from: ObjectShape,
  record: KithRecord,
): (Way & { readonly id: string; readonly name: string }) | undefined {
  const field = from.fields.find(
    (one) => one.relationConfig?.relationType === 'BELONGS_TO_ONE' && textIn(record[one.name]),
  );
  const [target] = field ? refsOf(field, record) : [];
  return field && target && target.display !== null ? { from, field, id: target.id, name: target.display } : undefined;
}

/** The value that a related record's field needs in order to refer to the record. */
export function leadingTo({ type }: Field, object: string, id: string): unknown {
  if (type === 'MANY_TO_MANY') return [id];
  return type === 'MORPH_RELATION' ? { object, id } : id;
}

/** The role's rights on a relation: linking existing records, creating new ones, removing links. */
export function rightsOver({ field }: Way, permission: Permission | undefined) {
  const mayWrite = !field.isReadonly && (permission === undefined || permission.fields[field.name] === 'write');
  const mayUpdate = mayWrite && permission?.update !== 'none';
  return {
    link: mayUpdate,
    make: mayWrite && permission?.create !== false,
    unlink: mayUpdate && !field.isRequired,
  };
}
