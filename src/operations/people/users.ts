/** [spec: Identity and workspace] The users of the organization. */
import { Type } from 'typebox';
import { booleanMember, quotedMember, reading, textMember } from '../../fields/members.ts';
import { normalise } from '../../fields/search-text.ts';
import { errors } from '../../errors.ts';
import { isUuid } from '../../lib/id.ts';
import { nameProblem, refuseProblems } from '../../provision/checks.ts';
import { changedUser, changeUser, raiseRenamed } from '../../provision/users.ts';
import { sql } from '../../postgres/sql.ts';
import { ascendingBy } from '../../query/order.ts';
import { planPage } from '../../query/plan-page.ts';
import { contains } from '../../query/search.ts';
import { selectionOf } from '../../query/selection.ts';
import { Cursor, pageSize } from '../inputs.ts';
import { RoleName, roleNamed } from './role-named.ts';
import { defineOperation, pageText } from '../door/operation.ts';
import { Id, PageOf } from '../outputs.ts';

const usersPage = pageSize(100, 500);

const oldestFirst = ascendingBy(sql`u.created_at`, 'timestamptz');

const user = selectionOf([
  reading(sql`u.id`, quotedMember('id')),
  reading(sql`u.name`, textMember('name')),
  reading(sql`u.email`, textMember('email')),
  reading(sql`u.role_id`, quotedMember('role_id')),
  reading(sql`u.is_active`, booleanMember('is_active')),
]);

const UserOut = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  role_id: Id,
  is_active: Type.Boolean(),
});

export const listUsers = defineOperation({
  id: 'users.list',
  summary: 'Workspace users, oldest first',
  input: Type.Object(
    {
      cursor: Cursor,
      limit: usersPage.input,
      is_active: Type.Optional(Type.Boolean()),
      search: Type.Optional(Type.String({ maxLength: 500, description: 'Part of a name or an e-mail address' })),
    },
    { additionalProperties: false },
  ),
  output: PageOf(UserOut),
  effect: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call, input) {
    const { workspace } = call;
    const asked = [
      ...(input.is_active === undefined ? [] : [sql`u.is_active = ${input.is_active}`]),
      ...normalise(input.search ?? '')
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => contains(sql`u.search_text`, word)),
    ];
    const plan = planPage(
      call,
      {
        rows: { row: sql`u`, table: workspace.table('_users'), from: sql`${workspace.table('_users')} u` },
        visible: sql`true`, // all users may see each other
        filters: asked,
        order: oldestFirst,
        identity: ['users', String(input.is_active), input.search ?? ''],
        selection: user,
      },
      { limit: usersPage.of(call, input.limit), cursor: input.cursor },
    );
    const [found] = await workspace.read(plan.statement);
    return pageText(await plan.read(found?.rows ?? []));
  },
});

export const updateUser = defineOperation({
  id: 'user.update',
  summary: "Change a user's role or name, or deactivate the user; absent keys stay unchanged",
  input: Type.Object(
    {
      id: Type.String(),
      role: Type.Optional(RoleName),
      is_active: Type.Optional(Type.Boolean({ description: "An inactive user's tokens and sessions do not work" })),
      name: Type.Optional(Type.String({ maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  output: UserOut,
  effect: 'write',
  cost: 'global',
  isPartial: true,
  adminOnly: 'Changing a user',
  personOnly: 'Changing a user',
  run(call, { id, role, is_active: isActive, name }) {
    const roleId = role === undefined ? undefined : roleNamed(call, role).id;
    if (name !== undefined) refuseProblems({ name: nameProblem(name.trim()) });
    return call.workspace.transaction(async (tx) => {
      const users = call.workspace.table('_users');
      // Sequential, so that two admins cannot deactivate each other at once.
      await tx.run(sql`select id from ${call.workspace.table('_organization')} for no key update`);
      if (!isUuid(id)) throw errors.userNotFound(id);
      const changes = {
        ...(roleId !== undefined && { roleId }),
        ...(isActive !== undefined && { isActive }),
        ...(name !== undefined && { name: name.trim() }),
      };
      const which = sql`id = ${id}::uuid`;
      const changed = await changeUser((query) => tx.run(query), call.model.schema, which, changes, call.now);
      if (!changed) throw errors.userNotFound(id);
      const { rows: admins } = await tx.run(sql`select from ${users} u
        join ${call.workspace.table('_roles')} r on r.id = u.role_id where r.is_admin and u.is_active limit 1`);
      if (admins.length === 0)
        throw errors.validation('The organization needs an active admin: make another one first');
      const subject = changedUser(changed);
      tx.atEnd((run) => raiseRenamed(run, call.model.schema, changed));
      if (subject) call.audit(tx, 'user.changed', subject);
      return changed.after;
    });
  },
});
