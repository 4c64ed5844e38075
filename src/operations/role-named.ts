/** Roles as people name them. */
import { Type } from 'typebox';
import type { Call } from '../access/call.ts';
import { errors } from '../errors.ts';
import { didYouMean } from '../lib/nearest.ts';
import type { RoleDef } from '../model/model.ts';

export const RoleName = Type.String({ maxLength: 200, description: 'Name of a role, such as Member' });

/** By its exact name, else whatever its case. Throws VALIDATION_ERROR, with those that there are. */
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
