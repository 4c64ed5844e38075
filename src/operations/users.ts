/** [spec: Identity and workspace] The people of the organization. */
import { Type } from 'typebox';
import { normalise } from '../fields/search-text.ts';
import type { Row } from '../postgres/database.ts';
import { and, sql, statement, type Sql } from '../postgres/sql.ts';
import { fingerprint, readCursor, writeCursor } from '../query/cursor.ts';
import { contains } from '../query/search.ts';
import { Cursor, pageSize } from './inputs.ts';
import { defineOperation } from './door/operation.ts';
import { Id, PageOf } from './outputs.ts';

const usersPage = pageSize(100, 500);

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
  mode: 'read',
  cost: 'global',
  etag: 'answer',
  async run(call, input) {
    const { model, workspace, seal } = call;
    const limit = usersPage.of(call, input.limit);
    const conditions = [
      ...(input.is_active === undefined ? [] : [sql`u.is_active = ${input.is_active}`]),
      ...normalise(input.search ?? '')
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => contains(sql`u.search_text`, word)),
    ];
    const query = fingerprint(['users', String(input.is_active), input.search ?? '']);
    const position = input.cursor === undefined ? undefined : readCursor(seal, query, 1, input.cursor);
    const after =
      position && sql`(u.created_at, u.id) > (${position.keys[0] ?? null}::timestamptz, ${position.id}::uuid)`;
    const users = workspace.table('_users');
    const page = sql`select u.id, u.name, u.email, u.role_id, u.is_active, u.created_at from ${users} u
      where ${and([...conditions, ...(after ? [after] : [])])} order by u.created_at, u.id limit ${limit + 1}::int`;
    const count = sql`select count(*) from ${users} u where ${and(conditions)}`;
    const [total, found] = await workspace.read(...[count, page].map((part: Sql) => statement(part, model.version)));
    const rows = found?.rows ?? [];
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      data: rows.slice(0, limit).map(userOf),
      total: Number(total?.rows[0]?.[0] ?? 0),
      ...(last && { nextCursor: writeCursor(seal, query, { keys: [last[5] ?? null], id: last[0] ?? '' }) }),
    };
  },
});

function userOf([id, name, email, role_id, active]: Row) {
  return { id, name, email, role_id, is_active: active === 't' };
}
