/** Checks roles: the objects and fields exist, and the rules compile. */
import { policiesOf, type RowsRule } from '../access/policies.ts';
import { KithError } from '../errors.ts';
import { mapInSlices, nextSlice, sliceIsOver } from '../lib/slices.ts';
import type { FilterGroup, Model, ObjectDef, PermissionEntry, RoleDef } from '../model/model.ts';
import { Budget, mostPartsOfRule, whatCounts } from '../query/budget.ts';
import { callersScope } from '../query/callers-scope.ts';
import { partsOfRule } from '../query/measure.ts';
import { objectScope } from '../query/object-scope.ts';
import { compileFilter } from '../query/where.ts';
import { everything } from './check-context.ts';
import { placeOf, type Draft } from './draft.ts';
import type { Problems } from './problems.ts';
import { notThere } from './renames.ts';
import { below } from './shape.ts';

/** Built-in objects that have permissions by their own names. */
const systemObjects: readonly string[] = ['tasks', 'notes'];

/** In slices, as a hundred roles with three rules for two hundred objects take seconds. */
export async function checkRoles(model: Model, draft: Draft, problems: Problems): Promise<void> {
  const told = [...model.objects.values()].filter(({ kind }) => kind !== 'internal').map(({ name }) => name);
  const names = new Set(['*', ...told, ...systemObjects]);
  for (const role of model.roles.values()) {
    const place = below(placeOf(draft, role.id, `roles.${role.name}`), 'permissions');
    for (const [name, entry] of role.permissions) {
      if (sliceIsOver()) await nextSlice();
      const at = below(place, name);
      if (!names.has(name)) problems.add(at, notThere('object', name, names));
      else await checkEntry(model, role, name, entry, at, problems);
    }
  }
}

async function checkEntry(
  model: Model,
  role: RoleDef,
  name: string,
  entry: PermissionEntry,
  place: string,
  problems: Problems,
): Promise<void> {
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
    const rule = entry[action];
    if (typeof rule !== 'object') continue;
    await checkRule(model, role, action, meant, below(place, action), problems);
    const parts = await mostParts(model, meant, rule);
    if (parts > mostPartsOfRule) problems.add(below(place, action), tooLong(parts));
  }
}

async function mostParts(model: Model, objects: readonly ObjectDef[], rule: FilterGroup): Promise<number> {
  return Math.max(...(await mapInSlices(objects, (object) => partsOfRule(model, object, rule))));
}

function tooLong(parts: number): string {
  return `has ${parts.toLocaleString('en')} parts; a rule may have ${mostPartsOfRule}. ${whatCounts}`;
}

/** A rule of `*` must compile for at least one object; it admits nothing of the others. */
async function checkRule(
  model: Model,
  role: RoleDef,
  action: 'view' | 'update' | 'delete',
  objects: readonly ObjectDef[],
  place: string,
  problems: Problems,
): Promise<void> {
  const bound = { ...role, isAdmin: false };
  const refusals = await mapInSlices(objects, (object) => refusalOf(model, bound, action, object));
  const [first] = refusals;
  if (first && refusals.every((refusal) => refusal !== undefined)) problems.add(place, `cannot be used: ${first}`);
}

/** Stands for `$me`. */
const somebody = '00000000-0000-7000-8000-000000000000';

function refusalOf(
  model: Model,
  role: RoleDef,
  action: 'view' | 'update' | 'delete',
  object: ObjectDef,
): string | undefined {
  const policies = policiesOf(role, somebody, model);
  const rules: Record<typeof action, (name: string) => RowsRule> = {
    view: policies.rows,
    update: policies.updates,
    delete: policies.deletes,
  };
  const rule = rules[action](object.name);
  if (typeof rule === 'string') return undefined;
  try {
    compileFilter(rule, callersScope(objectScope(everything(model), object, 'r'), new Budget()));
    return undefined;
  } catch (error) {
    if (!(error instanceof KithError)) throw error;
    const { availableValues = [] } = error;
    return availableValues.length > 0
      ? `${error.message}; one of: ${availableValues.slice(0, 40).join(', ')}`
      : error.message;
  }
}
