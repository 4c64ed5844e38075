/** A role's rights on fields. A derived field is hidden with any of its sources. */
import type { Model, RoleDef } from '../model/model.ts';
import { sourcesOf, wholeOf, type FieldPlace } from '../query/field-sources.ts';

export type FieldAccess = 'write' | 'read' | 'none';

/** The access to a field by object name and field name; cached. */
export function fieldAccess(role: RoleDef, model: Model): (objectName: string, fieldName: string) => FieldAccess {
  const known = new Map<string, FieldAccess>();
  return (objectName, fieldName) => {
    const key = `${objectName}.${fieldName}`;
    let access = known.get(key);
    if (access === undefined) known.set(key, (access = find(role, model, { objectName, fieldName })));
    return access;
  };
}

function find(role: RoleDef, model: Model, place: FieldPlace): FieldAccess {
  return deciding(role, model, place).access;
}

/** The rule that decides on a field: the entry of the field itself, or of one that it is derived from or a part of. */
export interface FieldRule {
  readonly access: FieldAccess;
  readonly of: FieldPlace;
  /** The role's entry and its value; null where there is none, which means `write`. */
  readonly entry: string | null;
  readonly says: FieldAccess | null;
}

/** The access to a field, and the entry of the role that decides it. */
export function fieldRule(role: RoleDef, model: Model, place: FieldPlace): FieldRule {
  const { access, of } = deciding(role, model, place);
  const said = saying(role, of);
  return { access, of, entry: said?.entry ?? null, says: said?.says ?? null };
}

function deciding(role: RoleDef, model: Model, place: FieldPlace): Pick<FieldRule, 'access' | 'of'> {
  // records are named by it, and no write can set it
  if (place.fieldName === 'id') return { access: 'write', of: place };
  const hiding = hiddenBy(role, model, place);
  if (hiding) return { access: 'none', of: hiding };
  const whole = wholeOf(model, place);
  const read = [place, ...(whole ? [whole] : [])].find((part) => granted(role, part) === 'read');
  return read ? { access: 'read', of: read } : { access: 'write', of: place };
}

/** The first hidden field among the field and its sources. */
function hiddenBy(role: RoleDef, model: Model, place: FieldPlace): FieldPlace | undefined {
  const seen = new Set<string>();
  const look = (source: FieldPlace): FieldPlace | undefined => {
    const key = `${source.objectName}.${source.fieldName}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    if (granted(role, source) === 'none') return source;
    for (const further of sourcesOf(model, source)) {
      const found = look(further);
      if (found) return found;
    }
    return undefined;
  };
  return look(place);
}

function granted(role: RoleDef, place: FieldPlace): FieldAccess {
  return saying(role, place)?.says ?? 'write';
}

/** An object's entry overrides that of `*`, field by field. */
function saying(
  { permissions }: RoleDef,
  { objectName, fieldName }: FieldPlace,
): { readonly entry: string; readonly says: FieldAccess } | undefined {
  for (const entry of [objectName, '*']) {
    const fields = permissions.get(entry)?.fields;
    // hasOwn: a field may be called `constructor`.
    if (fields && Object.hasOwn(fields, fieldName)) return { entry, says: fields[fieldName] ?? 'write' };
  }
  return undefined;
}
