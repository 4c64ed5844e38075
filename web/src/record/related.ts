/** Which other objects lead to records of one. */
import type { Field, KithRecord, ObjectShape, Permission, Workspace } from '../api/workspace.ts';
import { isRef, refsOf, textIn } from '../values/shapes.ts';

export interface Way {
  /** The object whose records lead here. */
  readonly from: ObjectShape;
  readonly field: Field;
}

/** They are told of by operations of their own. */
const apart = new Set(['tasks', 'notes']);

/** Relations of all objects that lead to the object, but for those that the role hides. */
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

/** What else is told of a related record: its money, else its step. */
export function tellingField(
  { fields }: ObjectShape,
  rights: Readonly<Record<string, unknown>> | undefined,
): Field | undefined {
  const seen = fields.filter(({ name, isHidden }) => !isHidden && (rights === undefined || name in rights));
  return seen.find(({ type }) => type === 'CURRENCY') ?? seen.find(({ name }) => name === 'job_title');
}

/** Records of the same object that lead where this one leads first: those of its company. */
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

/** What the field of a related record says where it leads to the record. */
export function leadingTo({ type }: Field, object: string, id: string): unknown {
  if (type === 'MANY_TO_MANY') return [id];
  return type === 'MORPH_RELATION' ? { object, id } : id;
}

/** What the role may do with a relation: link records that there are, make new ones, and take a link away. */
export function rightsOver({ field }: Way, permission: Permission | undefined) {
  const mayWrite = !field.isReadonly && (permission === undefined || permission.fields[field.name] === 'write');
  const mayUpdate = mayWrite && permission?.update !== 'none';
  return {
    link: mayUpdate,
    make: mayWrite && permission?.create !== false,
    unlink: mayUpdate && !field.isRequired,
  };
}
