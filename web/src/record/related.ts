/** Which other objects lead to records of one. */
import type { Field, ObjectShape, Workspace } from '../api/workspace.ts';

export interface Way {
  /** The object whose records lead here. */
  readonly from: ObjectShape;
  readonly field: Field;
}

/** Relations of all objects that lead to the object, but for those that the role hides. */
export function waysTo(object: string, { objects, permissions }: Pick<Workspace, 'objects' | 'permissions'>): Way[] {
  return [...objects.values()].flatMap((from) =>
    from.fields
      .filter(
        ({ name, type, isHidden, relationConfig }) =>
          !isHidden &&
          (type === 'RELATION' || type === 'DEPENDENT_RELATION' || type === 'MANY_TO_MANY') &&
          relationConfig?.targetObjectName === object &&
          relationConfig.relationType !== 'HAS_MANY' &&
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
