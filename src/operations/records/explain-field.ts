/** Explains why a role may see or change a field: which entry of the role decides. */
import type { Call } from '../../access/call.ts';
import { fieldRule, type FieldAccess } from '../../access/field-access.ts';
import type { ObjectDef, RoleDef } from '../../model/model.ts';
import { attributeFor } from '../../query/attributes.ts';

export interface FieldExplanation {
  readonly name: string;
  readonly access: FieldAccess;
  /** The deciding entry of the role and its value; nulls if there is none. */
  readonly entry: string | null;
  readonly says: FieldAccess | null;
  readonly because: string;
}

/** Explains the access to the field, whatever the record. Throws INVALID_FIELD. */
export function explainField(
  { model, visibility }: Call,
  role: RoleDef,
  object: ObjectDef,
  name: string,
): FieldExplanation {
  const field = object.fields.find((one) => one.name === name) ?? attributeFor(object, name, visibility);
  const isSet = field.isReadonly || field.type === 'ID';
  if (role.isAdmin) {
    const access = isSet ? 'read' : 'write';
    const because = isSet ? setByService(field.name) : 'The role is an admin role: it may do everything';
    return { name: field.name, access, entry: null, says: null, because };
  }
  const { access, of, entry, says } = fieldRule(role, model, { objectName: object.name, fieldName: field.name });
  const isOwn = of.objectName === object.name && of.fieldName === field.name;
  const other = isOwn ? undefined : `${of.objectName}.${of.fieldName}`;
  if (access === 'write' && isSet)
    return { name: field.name, access: 'read', entry, says, because: setByService(field.name) };
  return { name: field.name, access, entry, says, because: reasonFor(field.name, access, other) };
}

function setByService(name: string): string {
  return `Nobody writes ${name}: the service does, or it is computed`;
}

/** The reason in words; `other` is the field whose entry decides, if it is not the field itself. */
function reasonFor(name: string, access: FieldAccess, other: string | undefined): string {
  if (access === 'none') return other ? `${name} is made of ${other}, which the role hides` : `The role hides ${name}`;
  if (access === 'read')
    return other ? `${name} is a part of ${other}, which the role may only read` : `The role may only read ${name}`;
  return `The role says nothing of ${name}: a field that is not named is open`;
}
