/** Finds roles by name. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { errors } from '../../errors.ts';
import { didYouMean } from '../../lib/nearest.ts';
import type { RoleDef } from '../../model/model.ts';

export const RoleName = Type.String({ maxLength: 200, description: 'Name of a role, such as Member' });

/** The role with exactly this name, or else ignoring case. Throws VALIDATION_ERROR with the existing names. */
export function roleNamed({ model }: Pick<Call, 'model'>, name: string): RoleDef {
  const roles = [...model.roles.values()];
  const wanted = name.trim();
  const found =
    roles.find((role) => role.name === wanted) ??
    roles.find((role) => role.name.toLowerCase() === wanted.toLowerCase());
  if (!found) {
    const names = roles.map((role) => role.name);
    throw errors.unknownName('role', name, names, didYouMean(wanted, names));
  }
  return found;
}
