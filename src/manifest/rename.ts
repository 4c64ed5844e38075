/** Renames an object or field everywhere in the metadata. Ids stay, and so does what depends on them. */
import { renameInputs } from '../fields/expressions/tokens.ts';
import type { RelationConfig } from '../fields/field-def.ts';
import { mapInSlices } from '../lib/slices.ts';
import type { StoredField, StoredModel, StoredObject, StoredRole, StoredStep } from '../model/definition.ts';
import type { FilterCondition, FilterGroup, PermissionEntry, RowRule } from '../model/model.ts';
import { mapFields, mapKeys, mapObjects, mapSteps } from './draft.ts';

/** The model with the object renamed in everything that names it. */
export function renameObject(model: StoredModel, from: string, to: string): StoredModel {
  const rename = (name: string) => (name === from ? to : name);
  const renamed = mapObjects(model, (object) =>
    mapFields({ ...object, name: rename(object.name) }, (field) => {
      const { relationConfig, rollup } = field.definition;
      return {
        ...field,
        definition: {
          ...field.definition,
          ...(relationConfig && { relationConfig: retarget(relationConfig, rename) }),
          ...(rollup && { rollup: { ...rollup, objectName: rename(rollup.objectName) } }),
        },
      };
    }),
  );
  return {
    ...renamed,
    roles: model.roles.map((role) => ({ ...role, permissions: mapKeys(role.permissions, rename) })),
  };
}

function retarget(config: RelationConfig, rename: (name: string) => string): RelationConfig {
  return {
    ...config,
    targetObjectName: rename(config.targetObjectName),
    ...(config.targetObjectNames && { targetObjectNames: config.targetObjectNames.map(rename) }),
  };
}

interface FieldRename {
  readonly object: StoredObject;
  readonly from: string;
  readonly to: string;
}

/** The model with the field renamed in everything that names it; in slices, role by role. */
export async function renameField(
  model: StoredModel,
  objectId: string,
  from: string,
  to: string,
): Promise<StoredModel> {
  const object = model.objects.find((candidate) => candidate.id === objectId);
  if (!object) throw new Error(`No object ${objectId}`);
  const change: FieldRename = { object, from, to };
  const own = (name: string) => (name === from ? to : name);
  return {
    ...mapObjects(model, (candidate) => renameInObject(candidate, change, own)),
    pipelines: model.pipelines.map((pipeline) =>
      pipeline.object_id === objectId ? mapSteps(pipeline, (step) => renameInStep(step, own)) : pipeline,
    ),
    roles: await mapInSlices(model.roles, (role) => renameInRole(role, change, model)),
  };
}

function renameInObject(candidate: StoredObject, { object, from, to }: FieldRename, own: (name: string) => string) {
  const isOwner = candidate.id === object.id;
  const renamed = isOwner
    ? { ...candidate, definition: { ...candidate.definition, displayField: own(candidate.definition.displayField) } }
    : candidate;
  return mapFields(renamed, (field): StoredField => {
    const { relationConfig, rollup, dependsOn, calculation } = field.definition;
    const inverse = relationConfig?.targetObjectName === object.name ? relationConfig.inverseField : undefined;
    const summed = rollup?.objectName === object.name ? rollup : undefined;
    // Most fields are not affected, and copying ten thousand of them per renaming takes seconds.
    if (!summed && inverse === undefined && !(isOwner && isConcerned(field, from))) return field;
    const definition = {
      ...field.definition,
      ...(relationConfig &&
        inverse !== undefined && { relationConfig: { ...relationConfig, inverseField: own(inverse) } }),
      ...(summed && {
        rollup: {
          ...summed,
          relationField: own(summed.relationField),
          ...(summed.field !== undefined && { field: own(summed.field) }),
        },
      }),
      ...(isOwner && dependsOn !== undefined && { dependsOn: own(dependsOn) }),
      ...(isOwner &&
        calculation && {
          calculation: { ...calculation, expression: renameInputs(calculation.expression, from, to) },
        }),
    };
    return { ...field, name: isOwner ? own(field.name) : field.name, definition };
  });
}

function isConcerned({ name, definition: { dependsOn, calculation } }: StoredField, from: string): boolean {
  return name === from || dependsOn === from || calculation !== undefined;
}

/** Renames fields in the step's questions and values; those for which `rename` returns undefined are dropped. */
export function renameInStep(step: StoredStep, rename: (name: string) => string | undefined): StoredStep {
  const { questions, forced_values, default_values, ...definition } = step.definition;
  const asked = questions?.flatMap((question) => {
    const name = rename(question.linked_field_name);
    return name === undefined ? [] : [{ ...question, linked_field_name: name }];
  });
  return {
    ...step,
    definition: {
      ...definition,
      ...(asked && { questions: asked }),
      ...(forced_values && { forced_values: mapKeys(forced_values, rename) }),
      ...(default_values && { default_values: mapKeys(default_values, rename) }),
    },
  };
}

function renameInRole(role: StoredRole, change: FieldRename, model: StoredModel): StoredRole {
  const permissions = new Map<string, PermissionEntry>();
  for (const [name, entry] of Object.entries(role.permissions)) {
    const owner = model.objects.find((candidate) => candidate.name === name);
    permissions.set(name, owner ? renameInRules(entry, (path) => renamedPath(path, owner, change)) : entry);
  }
  const { object, from, to } = change;
  const own = permissions.get(object.name);
  if (own?.fields)
    permissions.set(object.name, { ...own, fields: mapKeys(own.fields, (key) => (key === from ? to : key)) });
  for (const owner of role.permissions['*'] ? model.objects : []) {
    const inherited = inheritedBy(role, owner, change);
    if (Object.keys(inherited).length === 0) continue;
    const entry = permissions.get(owner.name);
    const fields = inherited.fields && { fields: { ...inherited.fields, ...entry?.fields } };
    permissions.set(owner.name, { ...inherited, ...entry, ...fields });
  }
  return { ...role, permissions: Object.fromEntries(permissions) };
}

/** What `*` says of the old name, as an entry of the object itself: other objects may keep a field of that name. */
function inheritedBy(role: StoredRole, owner: StoredObject, change: FieldRename): PermissionEntry {
  const everywhere = role.permissions['*'] ?? {};
  const rename = (path: string) => renamedPath(path, owner, change);
  const rules = actions.flatMap((action) => {
    const rule = everywhere[action];
    const isTold = typeof rule === 'object' && pathsIn(rule).some((path) => rename(path) !== path);
    return isTold ? [[action, renameInGroup(withoutStrangers(rule, owner), rename)] as const] : [];
  });
  const { object, from, to } = change;
  const named = new Map(Object.entries(everywhere.fields ?? {})).get(from);
  const access = owner.id === object.id ? named : undefined;
  return { ...Object.fromEntries(rules), ...(access !== undefined && { fields: { [to]: access } }) };
}

const actions = ['view', 'update', 'delete'] as const;

/** Drops conditions on fields that the object does not have: they admit nothing, and an entry of the object may not name them. */
function withoutStrangers(group: FilterGroup, owner: StoredObject): FilterGroup {
  const known = new Set(['id', 'created_at', 'updated_at', ...owner.fields.map(({ name }) => name)]);
  const isStrange = (path: string) => !known.has(path.split('.')[0] ?? '');
  const conditions = group.conditions.flatMap((part): readonly (FilterCondition | FilterGroup)[] => {
    if ('conditions' in part) return [withoutStrangers(part, owner)];
    return isStrange(part.field) ? [] : [part];
  });
  const lost = group.conditions.some((part) => 'field' in part && isStrange(part.field));
  return group.type === 'AND' && lost ? nothing : { type: group.type, conditions };
}

const nothing: FilterGroup = { type: 'OR', conditions: [] };

function pathsIn(group: FilterGroup): string[] {
  return group.conditions.flatMap((part) => ('conditions' in part ? pathsIn(part) : [part.field]));
}

function renameInRules(entry: PermissionEntry, rename: (path: string) => string): PermissionEntry {
  const { view, update, delete: remove } = entry;
  const renamed = (rule: RowRule) => (typeof rule === 'string' ? rule : renameInGroup(rule, rename));
  return {
    ...entry,
    ...(view !== undefined && { view: renamed(view) }),
    ...(update !== undefined && { update: renamed(update) }),
    ...(remove !== undefined && { delete: renamed(remove) }),
  };
}

function renameInGroup(group: FilterGroup, rename: (path: string) => string): FilterGroup {
  return {
    type: group.type,
    conditions: group.conditions.map((part) =>
      'conditions' in part ? renameInGroup(part, rename) : { ...part, field: rename(part.field) },
    ),
  };
}

/** Renames `field` or `relation.field` in a rule on records of `owner`. */
function renamedPath(path: string, owner: StoredObject, { object, from, to }: FieldRename): string {
  if (!path.includes(from)) return path;
  const dot = path.indexOf('.');
  const first = dot < 0 ? path : path.slice(0, dot);
  const beyond = dot < 0 ? undefined : path.slice(dot + 1);
  const relation = owner.fields.find((field) => field.name === first);
  const isBeyond = relation?.definition.relationConfig?.targetObjectName === object.name;
  const head = owner.id === object.id && first === from ? to : first;
  if (beyond === undefined) return head;
  return `${head}.${isBeyond && beyond === from ? to : beyond}`;
}
