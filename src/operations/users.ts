/** [spec: Identity and workspace] The people of the organization. */
import { Type } from 'typebox';
import { booleanMember, quotedMember, reading, textMember } from '../fields/members.ts';
import { normalise } from '../fields/search-text.ts';
import { empty, sql } from '../postgres/sql.ts';
import type { Ordering } from '../query/order.ts';
import { planPage } from '../query/plan-page.ts';
import { contains } from '../query/search.ts';
import { selectionOf } from '../query/selection.ts';
import { Cursor, pageSize } from './inputs.ts';
import { defineOperation, pageText } from './door/operation.ts';
import { Id, PageOf } from './outputs.ts';

const usersPage = pageSize(100, 500);

const oldestFirst: Ordering = {
  keys: [{ value: sql`u.created_at`, type: 'timestamptz', nullable: false, direction: 'asc' }],
  direction: 'asc',
  beside: empty,
  isCostly: false,
};

const user = selectionOf([
  reading(sql`u.id`, quotedMember('id')),
  reading(sql`u.name`, textMember('name')),
  reading(sql`u.email`, textMember('email')),
  reading(sql`u.role_id`, quotedMember('role_id')),
  reading(sql`u.is_active`, booleanMember('is_active')),
]);

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
  output: PageOf(
    Type.Object({ id: Id, name: Type.String(), email: Type.String(), role_id: Id, is_active: Type.Boolean() }),
  ),
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
        visible: sql`true`, // everybody may see who else is here
        asked,
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
