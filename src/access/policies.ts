/** What a role may do, bound to the user who has it. [spec: Authentication; contract: Workspace manifest] */
import type { Json } from '../lib/json.ts';
import { Lru } from '../lib/lru.ts';
import type { FilterCondition, FilterGroup, Model, PermissionEntry, RoleDef, RowRule } from '../model/model.ts';
import type { Visibility } from '../query/context.ts';
import { fieldAccess } from './field-access.ts';

/** Rows that a rule admits; `own` and `$me` are resolved by now. */
export type RowsRule = 'all' | 'none' | FilterGroup;

export interface Policies extends Visibility {
  readonly isAdmin: boolean;
  mayCreate(objectName: string): boolean;
  updates(objectName: string): RowsRule;
  deletes(objectName: string): RowsRule;
  /** Whether a write may name the field. */
  writes(objectName: string, fieldName: string): boolean;
}

/** A RoleDef belongs to one model. */
const remembered = new WeakMap<RoleDef, Lru<string, Policies>>();

/** The same object for the same role and user, so that what is compiled from it can be remembered with it. */
export function policiesFor(role: RoleDef, workspaceUserId: string, model: Model): Policies {
  let byUser = remembered.get(role);
  if (!byUser) remembered.set(role, (byUser = new Lru(1000)));
  let policies = byUser.get(workspaceUserId);
  if (!policies)
    byUser.set(workspaceUserId, (policies = role.isAdmin ? adminPolicies : bind(role, workspaceUserId, model)));
  return policies;
}

const adminPolicies: Policies = {
  isAdmin: true,
  rows: () => 'all',
  shows: () => true,
  mayCreate: () => true,
  updates: () => 'all',
  deletes: () => 'all',
  writes: () => true,
};

function bind(role: RoleDef, me: string, model: Model): Policies {
  const rules = new Map<string, RowsRule>();
  const rule = (objectName: string, action: 'view' | 'update' | 'delete'): RowsRule => {
    const key = `${objectName} ${action}`;
    let found = rules.get(key);
    if (found === undefined) rules.set(key, (found = resolve(granted(role, objectName, action) ?? 'none', me)));
    return found;
  };
  const access = fieldAccess(role, model);
  return {
    isAdmin: false,
    rows: (objectName) => rule(objectName, 'view'),
    shows: (objectName, fieldName) => access(objectName, fieldName) !== 'none',
    mayCreate: (objectName) => granted(role, objectName, 'create') ?? false,
    updates: (objectName) => rule(objectName, 'update'),
    deletes: (objectName) => rule(objectName, 'delete'),
    writes: (objectName, fieldName) => access(objectName, fieldName) === 'write',
  };
}

/** What the role says of the action: inheritance is per key, and an object's entry overrides `*`. */
export function granted<Key extends 'view' | 'create' | 'update' | 'delete'>(
  role: RoleDef,
  objectName: string,
  key: Key,
): PermissionEntry[Key] | undefined {
  return role.permissions.get(objectName)?.[key] ?? role.permissions.get('*')?.[key];
}

function resolve(rule: RowRule, me: string): RowsRule {
  if (rule === 'own') {
    return {
      type: 'OR',
      conditions: ['owner', 'created_by'].map((field) => ({ field, operator: 'equals', value: me })),
    };
  }
  return typeof rule === 'string' ? rule : bindMe(rule, me);
}

function bindMe(group: FilterGroup, me: string): FilterGroup {
  return {
    type: group.type,
    conditions: group.conditions.map((part): FilterCondition | FilterGroup => {
      if ('conditions' in part) return bindMe(part, me);
      return part.value === undefined ? part : { ...part, value: withMe(part.value, me) };
    }),
  };
}

function withMe(value: Json, me: string): Json {
  if (Array.isArray(value)) return value.map((item) => withMe(item, me));
  return value === '$me' ? me : value;
}
