/** Roles: the objects and fields that they speak of are there, and their rules are filters that can be asked. */
import { policiesFor, type RowsRule } from '../access/policies.ts';
import { KithError } from '../errors.ts';
import type { Model, ObjectDef, PermissionEntry, RoleDef } from '../model/model.ts';
import { objectScope } from '../query/object-scope.ts';
import { compileFilter } from '../query/where.ts';
import { everything } from './check-context.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { notThere } from './renames.ts';
import { below } from './shape.ts';

/** Objects of Kith's own that take permissions under their names. */
const systemObjects: readonly string[] = ['tasks', 'notes'];

export function checkRoles(model: Model, draft: Draft, problems: Problems): void {
  const names = ['*', ...model.objects.keys(), ...systemObjects];
  for (const role of model.roles.values()) {
    const place = below(placeOf(draft, role.id, `roles.${role.name}`), 'permissions');
    for (const [name, entry] of role.permissions) {
      const at = below(place, name);
      if (!names.includes(name)) problems.add(at, notThere('object', name, names));
      else checkEntry(model, role, name, entry, at, problems);
    }
  }
}

function checkEntry(
  model: Model,
  role: RoleDef,
  name: string,
  entry: PermissionEntry,
  place: string,
  problems: Problems,
): void {
  const object = model.objects.get(name);
  const meant = object ? [object] : name === '*' ? [...model.objects.values()] : [];
  if (meant.length === 0) return;
  const known = new Set(
    meant.flatMap((each) => [...each.attributes.keys(), ...each.fields.map((field) => field.name)]),
  );
  for (const field of Object.keys(entry.fields ?? {})) {
    if (!known.has(field))
      problems.add(`${place}.fields.${field}`, notThere(`field of ${object?.name ?? 'any object'}`, field, known));
  }
  for (const action of ['view', 'update', 'delete'] as const) {
    if (typeof entry[action] === 'object') checkRule(model, role, action, meant, below(place, action), problems);
  }
}

/** A rule of `*` must be one that at least one object can be asked by; to the others it admits nothing. */
function checkRule(
  model: Model,
  role: RoleDef,
  action: 'view' | 'update' | 'delete',
  objects: readonly ObjectDef[],
  place: string,
  problems: Problems,
): void {
  const refusals = objects.map((object) => refusalOf(model, { ...role, isAdmin: false }, action, object));
  const [first] = refusals;
  if (first && refusals.every((refusal) => refusal !== undefined)) problems.add(place, `cannot be used: ${first}`);
}

/** Any user's id stands for `$me`. */
const somebody = '00000000-0000-7000-8000-000000000000';

function refusalOf(
  model: Model,
  role: RoleDef,
  action: 'view' | 'update' | 'delete',
  object: ObjectDef,
): string | undefined {
  const policies = policiesFor(role, somebody, model);
  const rules: Record<typeof action, (name: string) => RowsRule> = {
    view: policies.rows,
    update: policies.updates,
    delete: policies.deletes,
  };
  const rule = rules[action](object.name);
  if (typeof rule === 'string') return undefined;
  try {
    compileFilter(rule, objectScope(everything(model), object, 'r'));
    return undefined;
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    const { availableValues = [] } = error;
    return availableValues.length > 0
      ? `${error.message}; one of: ${availableValues.slice(0, 40).join(', ')}`
      : error.message;
  }
}
