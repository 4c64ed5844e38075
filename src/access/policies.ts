/** A role's rights, bound to its user. [spec: Authentication; contract: Workspace manifest] */
import { scopesKey, type Caller } from './caller.ts';
import { identityOf } from '../lib/identity.ts';
import { OwnedLru } from '../lib/owned-lru.ts';
import type {
  FilterCondition,
  FilterGroup,
  Model,
  ObjectDef,
  PermissionEntry,
  RoleDef,
  RowRule,
} from '../model/model.ts';
import type { Visibility } from '../query/context.ts';
import { withMe } from '../query/me.ts';
import { fieldAccess } from './field-access.ts';

/** The rows that a rule admits; `own` and `$me` are already resolved. */
export type RowsRule = 'all' | 'none' | FilterGroup;

export interface Policies extends Visibility {
  readonly isAdmin: boolean;
  mayCreate(objectName: string): boolean;
  updates(objectName: string): RowsRule;
  deletes(objectName: string): RowsRule;
  /** Whether a write may name the field. */
  writes(objectName: string, fieldName: string): boolean;
}

const remembered = new OwnedLru<string, { readonly policies: Policies; readonly bytes: number }>({
  name: 'policies',
  maxBytes: 32 * 1024 * 1024,
  maxOwnerBytes: 8 * 1024 * 1024,
  bytesOf: (key, { bytes }) => 2 * key.length + bytes,
});

/** Drops the organization's cached policies, which hold on to their model. */
export function forgetPolicies(organizationId: string): void {
  remembered.forget(organizationId);
}

/** Cached `policiesOf`: returns the same object each time, so that compiled results can be cached with it. */
export function policiesFor(caller: Pick<Caller, 'role' | 'workspaceUserId' | 'scopes'>, model: Model): Policies {
  const { role, workspaceUserId } = caller;
  // A RoleDef belongs to one model. Admins differ only in their scopes.
  const key = `${identityOf(role)} ${role.isAdmin ? '' : workspaceUserId} ${scopesKey(caller)}`;
  const found = remembered.get(model.organizationId, key);
  if (found) return found.policies;
  const policies = policiesOf(role, workspaceUserId, model);
  remembered.set(model.organizationId, key, { policies, bytes: bytesOf(role, model) });
  return policies;
}

/** The policies of a role for its user. */
export function policiesOf(role: RoleDef, workspaceUserId: string, model: Model): Policies {
  return role.isAdmin ? { ...adminPolicies } : bind(role, workspaceUserId, model);
}

/** Users of one role have equally large policies, so they are measured once. */
const sizes = new WeakMap<RoleDef, number>();

function bytesOf(role: RoleDef, model: Model): number {
  let bytes = sizes.get(role);
  if (bytes === undefined) sizes.set(role, (bytes = measured(role, model)));
  return bytes;
}

/** The memory that policies take once everything was looked up: the user's rules, and an entry per field. */
function measured(role: RoleDef, { objects }: Model): number {
  let bytes = 1_000;
  for (const { name, attributes } of objects.values()) {
    bytes += 240 * attributes.size;
    for (const action of actions) bytes += 300 + 4 * JSON.stringify(granted(role, name, action) ?? null).length;
  }
  return bytes;
}

const actions = ['view', 'update', 'delete'] as const;

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
  const rule = (objectName: string, action: (typeof actions)[number]): RowsRule => {
    // Roles cannot name it: its own condition decides, and only the service writes it.
    if (model.objects.get(objectName)?.kind === 'internal') return action === 'view' ? 'all' : 'none';
    const key = `${objectName} ${action}`;
    let found = rules.get(key);
    if (found === undefined)
      rules.set(key, (found = resolve(granted(role, objectName, action) ?? 'none', me, ownFields(objectName))));
    return found;
  };
  const ownFields = (objectName: string) => model.objects.get(objectName)?.ownFields ?? [];
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

/** The role's entry for the action: inheritance is per key, and an object's entry overrides `*`. */
export function granted<Key extends 'view' | 'create' | 'update' | 'delete'>(
  role: RoleDef,
  objectName: string,
  key: Key,
): PermissionEntry[Key] | undefined {
  return role.permissions.get(objectName)?.[key] ?? role.permissions.get('*')?.[key];
}

/** Whether a role may know of the object: it can see or create its rows. */
export function mayKnow(object: ObjectDef, policies: Policies): boolean {
  return policies.rows(object.name) !== 'none' || policies.mayCreate(object.name);
}

function resolve(rule: RowRule, me: string, ownFields: readonly string[]): RowsRule {
  if (rule === 'own') {
    return {
      type: 'OR',
      conditions: ownFields.map((field) => ({ field, operator: 'equals', value: me })),
    };
  }
  return typeof rule === 'string' ? rule : bindMe(rule, me);
}

function bindMe(group: FilterGroup, me: string): FilterGroup {
  return {
    type: group.type,
    conditions: group.conditions.map((part): FilterCondition | FilterGroup => {
      return 'conditions' in part ? bindMe(part, me) : withMe(part, me);
    }),
  };
}
