/** Merges roles. `permissions` is replaced as a whole. */
import { errors, KithError } from '../errors.ts';
import type { Json } from '../lib/json.ts';
import type { StoredModel, StoredRole } from '../model/definition.ts';
import type { PermissionEntry, RowRule } from '../model/model.ts';
import { parseFilterGroup } from '../query/filter.ts';
import { idOf } from './draft.ts';
import type { Manifest, PermissionValue, RoleEntry } from './manifest.ts';
import { mergeNamed } from './merge-fields.ts';
import type { Problems } from './problems.ts';
import { renamesAmong, underNewNames } from './renames.ts';
import { below } from './shape.ts';

/** This role always exists: the command line works in the name of an admin. */
const adminRole = 'Admin';

/** Merges the manifest's roles into the model, and sets their `places`. */
export function mergeRoles(
  model: StoredModel,
  manifest: Manifest,
  places: Map<string, string>,
  problems: Problems,
): StoredModel {
  const entries = manifest.roles ?? [];
  const renames = renamesAmong(entries, model.roles, problems);
  for (const entry of renames.filter(({ renamedFrom }) => renamedFrom === adminRole)) {
    problems.add(below(entry.place, 'renamedFrom'), 'cannot rename Admin: it is built in');
  }
  for (const entry of entries.filter(({ name }) => name === adminRole)) {
    if (entry.absent) problems.add(below(entry.place, 'absent'), 'cannot remove Admin: it is built in');
    if (entry.isAdmin === false) problems.add(below(entry.place, 'isAdmin'), 'must stay true for Admin');
  }
  const renamed = underNewNames(model.roles, renames);
  return { ...model, roles: mergeNamed(entries, renamed, (entry, role) => mergeRole(entry, role, places, problems)) };
}

function mergeRole(
  entry: RoleEntry,
  stored: StoredRole | undefined,
  places: Map<string, string>,
  problems: Problems,
): StoredRole {
  const id = idOf(entry, stored, places);
  const permissions =
    entry.permissions && [...entry.permissions].map(([name, value]) => [name, permissionOf(value, problems)]);
  return {
    id,
    name: entry.name,
    is_admin: entry.isAdmin ?? stored?.is_admin ?? false,
    permissions: permissions ? Object.fromEntries(permissions) : (stored?.permissions ?? {}),
  };
}

function permissionOf(value: PermissionValue, problems: Problems): PermissionEntry {
  const rule = (key: 'view' | 'update' | 'delete') => {
    const given = value[key];
    return given === undefined ? undefined : ruleOf(given, below(value.place, key), problems);
  };
  const [view, update, remove] = [rule('view'), rule('update'), rule('delete')];
  return {
    ...(view !== undefined && { view }),
    ...(value.create !== undefined && { create: value.create }),
    ...(update !== undefined && { update }),
    ...(remove !== undefined && { delete: remove }),
    ...(value.fields && { fields: Object.fromEntries(value.fields) }),
  };
}

function ruleOf(value: Json, place: string, problems: Problems): RowRule {
  if (value === 'all' || value === 'own' || value === 'none') return value;
  try {
    return parseFilterGroup(value, place);
  } catch (error) {
    addRefusal(error, place, problems);
    return 'none';
  }
}

/** Adds an error as a problem; its message begins with the place or continues it. */
function addRefusal(error: unknown, place: string, problems: Problems): void {
  if (!(error instanceof KithError)) throw errors.internal(error);
  const { message, availableValues = [] } = error;
  const known =
    availableValues.length > 0 && availableValues.length <= 40 ? `; one of: ${availableValues.join(', ')}` : '';
  const inner = message.startsWith(place) ? message.slice(place.length).match(/^[\w.[\]]*/)?.[0] : undefined;
  const at = inner === undefined ? place : place + inner;
  problems.add(
    at,
    inner === undefined
      ? `cannot be used: ${message}${known}`
      : `${message.slice(at.length).trim().replace(/^: /, '')}${known}`,
  );
}
