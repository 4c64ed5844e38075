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
  if (place.fieldName === 'id') return 'write'; // without it nothing could be named; no write can set it
  const seen = new Set<string>();
  const hides = (source: FieldPlace): boolean => {
    const key = `${source.objectName}.${source.fieldName}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return granted(role, source) === 'none' || sourcesOf(model, source).some(hides);
  };
  if (hides(place)) return 'none';
  const whole = wholeOf(model, place);
  return [place, ...(whole ? [whole] : [])].some((part) => granted(role, part) === 'read') ? 'read' : 'write';
}

/** An object's entry goes before that of `*`, field by field. */
function granted({ permissions }: RoleDef, { objectName, fieldName }: FieldPlace): FieldAccess {
  for (const entry of [permissions.get(objectName), permissions.get('*')]) {
    // A field may be called `constructor`.
    if (entry?.fields && Object.hasOwn(entry.fields, fieldName)) return entry.fields[fieldName] ?? 'write';
  }
  return 'write';
}
