/** The users of an organization. */
import { theOperator, type AuditAuthor, type AuditEvent, type AuditSubject } from '../audit/event.ts';
import type { Organization } from '../directory/directory.ts';
import { errors, quoted } from '../errors.ts';
import { normalise } from '../fields/search-text.ts';
import { newId } from '../lib/id.ts';
import { didYouMean } from '../lib/nearest.ts';
import { caps, takePlace } from '../model/caps.ts';
import { raiseVersions } from '../model/state.ts';
import type { Database, Row, Rows } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { leaveAudit } from './audit.ts';
import { emailProblem, nameProblem, refuseProblems } from './checks.ts';
import type { ProvisionDeps } from './deps.ts';
import { insertToken, newToken, signRow, tokenSubject, type TokenRow } from './token-row.ts';

export interface NewUser {
  readonly name: string;
  readonly email: string;
  /** A role's name. */
  readonly role: string;
  readonly inactive?: boolean;
}

export interface CreatedUser {
  readonly userId: string;
  readonly workspaceUserId: string;
  readonly roleId: string;
  /** Returned only here. */
  readonly token: string;
}

export interface UserChanges {
  readonly role?: string;
  readonly active?: boolean;
  readonly name?: string;
}

/** [spec: Workspace user] */
export interface WorkspaceUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role_id: string;
  readonly is_active: boolean;
}

export interface UserInfo extends Omit<WorkspaceUser, 'role_id'> {
  /** The role's name. */
  readonly role: string;
}

/**
 * Creates a user with a token. Throws DUPLICATE_RECORD for a known address, VALIDATION_ERROR for an invalid name,
 * address or role.
 */
export async function createUser(
  deps: ProvisionDeps,
  organizationId: string,
  input: NewUser,
  by: AuditAuthor = theOperator,
): Promise<CreatedUser> {
  const { directory } = deps;
  const organization = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf(organization);
  const name = input.name.trim();
  const email = input.email.trim();
  refuseProblems({ name: nameProblem(name), email: emailProblem(email) });
  const roleId = await findRole(database, organization.id, organization.schema, input.role);

  const token = newToken(deps, { name: 'First token' });
  await directory.addToken(token.id, organization.id);
  const user = { id: newId(), name, email, roleId, isActive: !input.inactive };
  const made = await enterUser(deps, organization, user, by, { token });
  return { ...made, roleId, token: await signRow(deps, organization.id, token) };
}

/**
 * Inserts the user, the person and the membership, a token if given, and audit entries. Throws DUPLICATE_RECORD,
 * VALIDATION_ERROR where there are too many users.
 */
export async function enterUser(
  deps: ProvisionDeps,
  organization: Organization,
  given: Omit<UserRow, 'userId'>,
  by: AuditAuthor,
  { token, event }: { readonly token?: TokenRow; readonly event?: AuditEvent },
): Promise<Pick<CreatedUser, 'userId' | 'workspaceUserId'>> {
  const { directory } = deps;
  const { id, schema } = organization;
  const database = await directory.databaseOf(organization);
  const userId = await directory.personByEmail(given.email, given.name);
  await directory.addMember(userId, id);
  const user = { ...given, userId };
  const existing = sql`select from ${identifier(schema, '_users')}`;
  const users = { what: 'users in an organization', most: caps.users, existing };
  await database.transaction(id, async (tx) => {
    await takePlace((query) => tx.run(statement(query)), schema, users);
    const { count } = await tx.run(statement(insertUser(deps, schema, user)));
    if (count === 0) throw duplicateUser(user.email);
    if (token) await tx.run(statement(insertToken(schema, user.id, token)));
    const subject = { user: user.id, role_id: user.roleId, active: user.isActive };
    await leaveAudit(deps, tx, organization, by, { action: 'user.created', subject });
    if (token)
      await leaveAudit(deps, tx, organization, by, { action: 'token.created', subject: tokenSubject(token, user.id) });
    if (event) await leaveAudit(deps, tx, organization, by, event);
  });
  return { userId, workspaceUserId: user.id };
}

/**
 * Changes the given values; an inactive user's tokens stop working at once. Throws NOT_FOUND for an unknown address.
 */
export async function updateUser(
  deps: ProvisionDeps,
  organizationId: string,
  email: string,
  changes: UserChanges,
  by: AuditAuthor = theOperator,
): Promise<WorkspaceUser> {
  const organization = await deps.directory.requireOrganization(organizationId);
  const database = await deps.directory.databaseOf(organization);
  const name = changes.name?.trim();
  refuseProblems({ name: name === undefined ? undefined : nameProblem(name) });
  const { id, schema } = organization;
  const roleId = changes.role === undefined ? null : await findRole(database, id, schema, changes.role);
  const which = sql`lower(email) = lower(${email.trim()})`;
  const set = { ...(roleId !== null && { roleId }), ...(name !== undefined && { name }) };
  const change = { ...set, ...(changes.active !== undefined && { isActive: changes.active }) };
  return database.transaction(id, async (tx) => {
    const changed = await changeUser((query) => tx.run(statement(query)), schema, which, change, deps.clock.now());
    if (!changed) throw noUser(email);
    const subject = changedUser(changed);
    await raiseRenamed((query) => tx.run(statement(query)), schema, changed);
    if (subject) await leaveAudit(deps, tx, organization, by, { action: 'user.changed', subject });
    return changed.after;
  });
}

/** A user before and after a change. */
export interface ChangedUser {
  readonly before: WorkspaceUser;
  readonly after: WorkspaceUser;
}

/**
 * Changes the user found by `which` under a row lock, at `now` in milliseconds; undefined if not found. The caller ends
 * with `raiseRenamed`.
 */
export async function changeUser(
  run: (query: Sql) => Promise<Rows>,
  schema: string,
  which: Sql,
  changes: Partial<Pick<UserRow, 'roleId' | 'isActive' | 'name'>>,
  now: number,
): Promise<ChangedUser | undefined> {
  const table = identifier(schema, '_users');
  const [found] = (await run(sql`select id, name, email, role_id, is_active from ${table} where ${which} for update`))
    .rows;
  if (!found) return undefined;
  const before = readUser(found);
  const { roleId = before.role_id, isActive = before.is_active, name = before.name } = changes;
  const after = { ...before, role_id: roleId, is_active: isActive, name };
  await run(sql`update ${table} set name = ${name}, search_text = ${userSearchText(name, before.email)},
    role_id = ${roleId}::uuid, is_active = ${isActive}, updated_at = to_timestamp(${now / 1000}::double precision)
    where id = ${before.id}::uuid`);
  return { before, after };
}

/**
 * Raises the versions of all objects where the name has changed, since any record may show it; before
 * the audit entry, at the end of the transaction. Two statements: Citus has no form for one that reads what it writes of.
 */
export async function raiseRenamed(
  run: (query: Sql) => Promise<Rows>,
  schema: string,
  { before, after }: ChangedUser,
): Promise<void> {
  if (before.name === after.name) return;
  const { rows } = await run(sql`select id from ${identifier(schema, '_objects')}`);
  const objects = rows.map(([object]) => ({ id: object ?? '' }));
  await run(raiseVersions(schema, objects));
}

/** The audit subject of a changed user; undefined without a difference. */
export function changedUser({ before, after }: ChangedUser): AuditSubject | undefined {
  const role = before.role_id !== after.role_id && { role_id: { from: before.role_id, to: after.role_id } };
  const active = before.is_active !== after.is_active && { active: after.is_active };
  const name = before.name !== after.name && { renamed: true };
  return role || active || name ? { user: after.id, ...role, ...active, ...name } : undefined;
}

/** The users, oldest first. */
export async function listUsers(
  { directory }: ProvisionDeps,
  organizationId: string,
): Promise<{ readonly users: readonly UserInfo[] }> {
  const { id, schema, datasourceId } = await directory.requireOrganization(organizationId);
  const database = await directory.databaseOf({ datasourceId });
  const query = sql`select u.id, u.name, u.email, r.name, u.is_active
    from ${identifier(schema, '_users')} u join ${identifier(schema, '_roles')} r on r.id = u.role_id
    order by u.created_at, u.id`;
  const { rows } = await database.run(id, statement(query));
  return {
    users: rows.map(([userId, name, email, role, isActive]) => ({
      id: userId ?? '',
      name: name ?? '',
      email: email ?? '',
      role: role ?? '',
      is_active: isActive === 't',
    })),
  };
}

/** The user's id; throws NOT_FOUND for an unknown address. */
export async function findUser(
  database: Database,
  organizationId: string,
  schema: string,
  email: string,
): Promise<string> {
  const query = sql`select id from ${identifier(schema, '_users')} where lower(email) = lower(${email.trim()})`;
  const { rows } = await database.run(organizationId, statement(query));
  const id = rows[0]?.[0];
  if (typeof id !== 'string') throw noUser(email);
  return id;
}

interface UserRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly roleId: string;
  readonly isActive: boolean;
}

/** Does nothing when the address, or the person, is already a user. */
export function insertUser({ clock }: ProvisionDeps, schema: string, user: UserRow): Sql {
  const now = clock.now() / 1000;
  return sql`insert into ${identifier(schema, '_users')}
    (id, user_id, name, email, role_id, is_active, search_text, created_at, updated_at)
    values (${user.id}::uuid, ${user.userId}::uuid, ${user.name}, ${user.email}, ${user.roleId}::uuid, ${user.isActive},
      ${userSearchText(user.name, user.email)}, to_timestamp(${now}), to_timestamp(${now}))
    on conflict do nothing`;
}

function userSearchText(name: string, email: string): string {
  return normalise(`${name} ${email}`);
}

/** The id of a role by exact name, else in any case. Throws VALIDATION_ERROR with the existing roles. */
async function findRole(database: Database, organizationId: string, schema: string, name: string): Promise<string> {
  const query = sql`select id, name from ${identifier(schema, '_roles')} order by position, name`;
  const { rows } = await database.run(organizationId, statement(query));
  const wanted = name.trim();
  const found =
    rows.find((row) => row[1] === wanted) ?? rows.find((row) => row[1]?.toLowerCase() === wanted.toLowerCase());
  const id = found?.[0];
  if (typeof id === 'string') return id;
  const names = rows.map((row) => row[1] ?? '');
  throw errors.unknownName('role', name, names, didYouMean(wanted, names));
}

function readUser([id, name, email, roleId, isActive]: Row): WorkspaceUser {
  return { id: id ?? '', name: name ?? '', email: email ?? '', role_id: roleId ?? '', is_active: isActive === 't' };
}

function duplicateUser(email: string): Error {
  const message = `A user with the address ${quoted(email)} exists already`;
  return errors.duplicateRecord(message, [{ field: 'email', message }]);
}

function noUser(email: string): Error {
  return errors.notFound(`There is no user with the address ${quoted(email)}`);
}
