/** What a role may do with fields. What is made of other fields shows no more than they do: it is hidden with any of them. */
import type { Model, RoleDef } from '../model/model.ts';
import { sourcesOf, wholeOf, type FieldPlace } from '../query/field-sources.ts';

export type FieldAccess = 'write' | 'read' | 'none';

/** The access to a field by the names of its object and itself; remembered, so that asking again costs a look-up. */
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

/** What decides on a field: the place that a role speaks of, which is another one where the field is made of that or a part of it. */
export interface FieldRule {
  readonly access: FieldAccess;
  readonly of: FieldPlace;
  /** The entry of the role, and what stands there; null where it says nothing, which means `write`. */
  readonly entry: string | null;
  readonly says: FieldAccess | null;
}

/** The access to a field, and which words of the role make it so. */
export function fieldRule(role: RoleDef, model: Model, place: FieldPlace): FieldRule {
  const { access, of } = deciding(role, model, place);
  const said = saying(role, of);
  return { access, of, entry: said?.entry ?? null, says: said?.says ?? null };
}

function deciding(role: RoleDef, model: Model, place: FieldPlace): Pick<FieldRule, 'access' | 'of'> {
  if (place.fieldName === 'id') return { access: 'write', of: place }; // without it nothing could be named; no write can set it
  const hiding = hiddenBy(role, model, place);
  if (hiding) return { access: 'none', of: hiding };
  const whole = wholeOf(model, place);
  const read = [place, ...(whole ? [whole] : [])].find((part) => granted(role, part) === 'read');
  return read ? { access: 'read', of: read } : { access: 'write', of: place };
}

/** What the role hides of all that the place is made of, itself included. */
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

/** An object's entry goes before that of `*`, field by field. */
function saying(
  { permissions }: RoleDef,
  { objectName, fieldName }: FieldPlace,
): { readonly entry: string; readonly says: FieldAccess } | undefined {
  for (const entry of [objectName, '*']) {
    const fields = permissions.get(entry)?.fields;
    // A field may be called `constructor`.
    if (fields && Object.hasOwn(fields, fieldName)) return { entry, says: fields[fieldName] ?? 'write' };
  }
  return undefined;
}
