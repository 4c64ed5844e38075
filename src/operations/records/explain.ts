/** Explains why a user may or may not do something: the deciding rule of the role, and which of its conditions the record meets. */
import { Type } from 'typebox';
import type { Call } from '../../access/call.ts';
import { granted, policiesOf, type Policies, type RowsRule } from '../../access/policies.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import type { FilterCondition, ObjectDef, PermissionEntry, RoleDef } from '../../model/model.ts';
import { join, sql, statement } from '../../postgres/sql.ts';
import { objectScope } from '../../query/object-scope.ts';
import { conditionsIn } from '../../query/filter.ts';
import { compileRule } from '../../query/where.ts';
import { masterOf, missingRecord } from '../../records/merging/old-ids.ts';
import { objectNamed, recordId } from '../../records/reading/named.ts';
import { explainField, type FieldExplanation } from './explain-field.ts';
import { Choice, ObjectName } from '../inputs.ts';
import { defineOperation } from '../door/operation.ts';
import { Nullable } from '../outputs.ts';

type RowAction = 'view' | 'update' | 'delete';
type Action = RowAction | 'create';

/** The deciding entry of the role and its value; nulls if there is none, which means no. */
interface Rule {
  readonly role: string;
  readonly action: Action;
  readonly entry: string | null;
  readonly says: NonNullable<PermissionEntry[Action]> | null;
}

interface Explanation {
  readonly allowed: boolean;
  readonly rule: Rule;
  readonly because: string;
  /** Set if the request names a field. */
  readonly field?: FieldExplanation;
}

interface User {
  readonly id: string;
  readonly isActive: boolean;
  readonly role: RoleDef;
  readonly policies: Policies;
}

export const explainAccess = defineOperation({
  id: 'access.explain',
  summary: 'Which rule of a role decides what a user may do with a record, or with a field of it',
  input: Type.Object(
    {
      user: Type.String({ description: 'E-mail address, or id' }),
      object: ObjectName,
      record: Type.Optional(
        Type.String({ description: 'Id of the record; create needs none, nor does what is asked of a field' }),
      ),
      field: Type.Optional(Type.String({ description: 'Name of a field' })),
      action: Type.Optional(Choice(['view', 'create', 'update', 'delete'], 'view')),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    allowed: Type.Boolean(),
    rule: Type.Object({
      role: Type.String(),
      action: Type.String(),
      entry: Nullable(Type.String()),
      says: Type.Unknown(),
    }),
    because: Type.String(),
    field: Type.Optional(
      Type.Object({
        name: Type.String(),
        access: Choice(['write', 'read', 'none']),
        entry: Nullable(Type.String()),
        says: Nullable(Type.String()),
        because: Type.String(),
      }),
    ),
  }),
  effect: 'read',
  cost: 'global',
  adminOnly: 'Explaining access',
  async run(call, { action = 'view', ...input }): Promise<Explanation> {
    const object = objectNamed(call.model, call.visibility, input.object);
    if (action === 'delete' && input.field !== undefined)
      throw errors.validation('delete is about a whole record: leave field out');
    const user = await userNamed(call, input.user);
    const field = input.field === undefined ? undefined : explainField(call, user.role, object, input.field);
    const decided = await explainRecord(call, user, object, action, input.record, field !== undefined);
    if (!field) return decided;
    const isOpen = action === 'view' ? field.access !== 'none' : field.access === 'write';
    const { allowed, rule, because } = decided;
    return { allowed: allowed && isOpen, rule, because: allowed && !isOpen ? field.because : because, field };
  },
});

/**
 * Explains an action without a record where possible: whether there can be one for which it is allowed. Throws
 * MISSING_REQUIRED_FIELD, RECORD_NOT_FOUND.
 */
async function explainRecord(
  call: Call,
  user: User,
  object: ObjectDef,
  action: Action,
  record: string | undefined,
  isOfField: boolean,
): Promise<Explanation> {
  if (action === 'create') return explained(user, object, action, user.policies.mayCreate(object.name));
  if (record === undefined) {
    if (!isOfField) throw errors.missingField('record', `${action} is about one record`);
    const denied = (['view', action] as const).find((one) => rowsRule(user.policies, object, one) === 'none');
    return explained(user, object, denied ?? action, denied === undefined);
  }
  const id = recordId(object, record);
  const view = await explainRow(call, user, object, id, 'view');
  return action === 'view' || !view.allowed ? view : explainRow(call, user, object, id, action);
}

async function userNamed({ model, workspace }: Call, name: string): Promise<User> {
  const isNamed = isUuid(name) ? sql`u.id = ${name}::uuid` : sql`lower(u.email) = lower(${name})`;
  const query = sql`select u.id, u.role_id, u.is_active from ${workspace.table('_users')} u where ${isNamed}`;
  const [found] = await workspace.read(statement(query, model.version));
  const [id, roleId, active] = found?.rows[0] ?? [];
  const role = model.roles.get(roleId ?? '');
  if (!id || !role) throw errors.userNotFound(name);
  return { id, isActive: active === 't', role, policies: policiesOf(role, id, model) };
}

/** Judges the record as the engine does, then each condition. Throws RECORD_NOT_FOUND, also for records that no role may see. */
async function explainRow(
  call: Call,
  user: User,
  object: ObjectDef,
  id: string,
  action: RowAction,
): Promise<Explanation> {
  const rule = rowsRule(user.policies, object, action);
  const reads = new Set<string>();
  const context = { ...call, me: user.id, visibility: user.policies, recipient: call.me };
  const scope = objectScope(context, object, 'r', reads);
  const conditions = typeof rule === 'string' ? [] : conditionsIn(rule);
  const single = conditions.map((condition) => compileRule({ type: 'AND', conditions: [condition] }, scope));
  const facts = [sql`r.deleted_at is null`, compileRule(rule, scope), ...single].map(
    (fact) => sql`coalesce(${fact}, false)`,
  );
  const query = sql`select ${join(facts, ', ')} from ${call.workspace.table(object.table)} r
    where r.id = ${id}::uuid and ${compileRule('all', objectScope(call, object, 'r'))}`;
  const [found] = await call.workspace.read(statement(query, call.model.version));
  const row = found?.rows[0];
  if (!row) throw await missingRecord(call, object, id);
  const [alive, holds, ...each] = row.map((fact) => fact === 't');
  if (!alive) return explained(user, object, action, false, await whyGone(call, object, id));
  const details = conditions.map((condition, at) => `${described(condition)} ${each[at] ? 'holds' : 'does not hold'}`);
  const reason = details.join('; ') || (holds || rule === 'none' ? undefined : withheld(object));
  const left = leftOut(call, object, reads);
  return explained(user, object, action, holds === true, reason && left ? `${reason}. ${left}` : reason);
}

/** Why the record is in the trash, as far as the caller may know. */
async function whyGone(call: Call, object: ObjectDef, id: string): Promise<string> {
  const master = await masterOf(call, object, id);
  return `The record is in the trash${master === undefined ? '' : `: it was merged into ${master}`}`;
}

/** Names the objects that the rule depends on and that are not explained: else rules could probe the private notes of others. */
function leftOut({ model }: Call, object: ObjectDef, reads: ReadonlySet<string>): string | undefined {
  const others = [...model.objects.values()].filter(
    (other) => other !== object && other.condition && reads.has(other.id),
  );
  if (others.length === 0) return undefined;
  const names = others.map(({ name }) => name).join(', ');
  return `Records of ${names} that are hidden from you are left out here, though the rule counts those that the user sees`;
}

/** States that the object's own condition hides some records, whatever the rule. */
function withheld({ name, condition }: ObjectDef): string | undefined {
  return condition && `Some records of ${name} are of certain people alone, whatever their roles`;
}

/** The explanation; `details` is about the record, and without it the rule is described. */
function explained(user: User, object: ObjectDef, action: Action, allowed: boolean, details?: string): Explanation {
  const rule = ruleOf(user.role, object, action);
  if (!user.isActive) return { allowed: false, rule, because: 'The user is not active' };
  return { allowed, rule, because: details ?? plainReason(user.role, rule, allowed) };
}

function plainReason(role: RoleDef, rule: Rule, allowed: boolean): string {
  if (role.isAdmin) return 'The role is an admin role: it may do everything';
  if (rule.says === null) return `The role says nothing about ${rule.action}: what is not named is not allowed`;
  if (!allowed) return `The role allows ${rule.action} nowhere`;
  return typeof rule.says === 'object' || rule.says === 'own'
    ? `The role allows ${rule.action} of some records`
    : `The role allows ${rule.action} everywhere`;
}

function ruleOf(role: RoleDef, object: ObjectDef, action: Action): Rule {
  const entry = [object.name, '*'].find((name) => role.permissions.get(name)?.[action] !== undefined) ?? null;
  return { role: role.name, action, entry, says: granted(role, object.name, action) ?? null };
}

function rowsRule(policies: Policies, object: ObjectDef, action: RowAction): RowsRule {
  if (action === 'view') return policies.rows(object.name);
  return action === 'update' ? policies.updates(object.name) : policies.deletes(object.name);
}

function described({ field, operator, value }: FilterCondition): string {
  return value === undefined ? `${field} ${operator}` : `${field} ${operator} ${JSON.stringify(value)}`;
}
