/** What a role may do, bound to the user who has it. [spec: Authentication; contract: Workspace manifest] */
import type { FilterCondition, FilterGroup, PermissionEntry, RoleDef, RowRule } from '../model/model.ts';
import type { Visibility } from '../query/context.ts';
import { Lru } from '../lib/lru.ts';

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

const remembered = new WeakMap<RoleDef, Lru<string, Policies>>();

/** The same object for the same role and user, so that what is compiled from it can be remembered with it. */
export function policiesFor(role: RoleDef, workspaceUserId: string): Policies {
  let byUser = remembered.get(role);
  if (!byUser) remembered.set(role, (byUser = new Lru(1000)));
  let policies = byUser.get(workspaceUserId);
  if (!policies) byUser.set(workspaceUserId, (policies = role.isAdmin ? adminPolicies : bind(role, workspaceUserId)));
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

function bind(role: RoleDef, me: string): Policies {
  const rules = new Map<string, RowsRule>();
  const rule = (objectName: string, action: 'view' | 'update' | 'delete'): RowsRule => {
    const key = `${objectName} ${action}`;
    let found = rules.get(key);
    if (found === undefined) rules.set(key, (found = resolve(granted(role, objectName, action) ?? 'none', me)));
    return found;
  };
  const access = (objectName: string, fieldName: string) =>
    role.permissions.get(objectName)?.fields?.[fieldName] ?? role.permissions.get('*')?.fields?.[fieldName];
  return {
    isAdmin: false,
    rows: (objectName) => rule(objectName, 'view'),
    shows: (objectName, fieldName) => access(objectName, fieldName) !== 'none',
    mayCreate: (objectName) => granted(role, objectName, 'create') ?? false,
    updates: (objectName) => rule(objectName, 'update'),
    deletes: (objectName) => rule(objectName, 'delete'),
    writes: (objectName, fieldName) => access(objectName, fieldName) === undefined,
  };
}

/** Inheritance is per key: an object's entry overrides `*`. */
function granted<Key extends 'view' | 'create' | 'update' | 'delete'>(
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
      return part.value === '$me' ? { ...part, value: me } : part;
    }),
  };
}
