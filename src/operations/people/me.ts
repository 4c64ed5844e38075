/** [spec: Identity and workspace] The caller, its role and rights. */
import { Type } from 'typebox';
import { Id, Nullable } from '../outputs.ts';
import { mayKnow, type Policies, type RowsRule } from '../../access/policies.ts';
import { mapInSlices } from '../../lib/slices.ts';
import type { ObjectDef } from '../../model/model.ts';
import { sql, statement } from '../../postgres/sql.ts';
import { defineOperation } from '../door/operation.ts';

export const getMe = defineOperation({
  id: 'me.get',
  summary: 'The identity of the caller',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    userId: Id,
    organizationId: Id,
    workspaceUserId: Id,
    schemaName: Type.String(),
    isAdmin: Type.Boolean(),
    scopes: Type.Array(Type.String({ examples: ['mcp'] })),
    profile: Nullable(Type.Object({ name: Type.String(), email: Type.String(), role_id: Id })),
  }),
  effect: 'read',
  cost: 'global',
  async run({ caller, model, workspace, visibility }) {
    const query = sql`select u.name, u.email, u.role_id from ${workspace.table('_users')} u where u.id = ${caller.workspaceUserId}::uuid`;
    const [found] = await workspace.read(statement(query, model.version));
    const [name, email, role_id] = found?.rows[0] ?? [];
    return {
      userId: caller.userId,
      organizationId: caller.organizationId,
      workspaceUserId: caller.workspaceUserId,
      schemaName: model.schema,
      isAdmin: visibility.isAdmin,
      scopes: caller.scopes,
      profile: found?.rows[0] ? { name, email, role_id } : null,
    };
  },
});

const Extent = Type.String({ enum: ['all', 'some', 'none'] });

export const getMyPermissions = defineOperation({
  id: 'me.permissions',
  summary: 'What the caller may do, per object and field',
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({
    role: Type.String(),
    isAdmin: Type.Boolean(),
    objects: Type.Record(
      Type.String(),
      Type.Object({
        view: Extent,
        create: Type.Boolean(),
        update: Extent,
        delete: Extent,
        fields: Type.Record(Type.String(), Type.String({ enum: ['write', 'read'] })),
      }),
    ),
  }),
  effect: 'read',
  cost: 'global',
  async run({ caller, model, workspace, visibility }) {
    await workspace.read();
    const known = [...model.objects.values()].filter(
      (object) => object.kind !== 'internal' && mayKnow(object, visibility),
    );
    const objects = await mapInSlices(known, (object) => [object.name, permissionsOn(object, visibility)] as const);
    return { role: caller.role.name, isAdmin: visibility.isAdmin, objects: Object.fromEntries(objects) };
  },
});

function permissionsOn(object: ObjectDef, visibility: Policies) {
  const { name, fields } = object;
  const shown = fields.filter((field) => visibility.shows(name, field.name));
  return {
    view: extent(visibility.rows(name), object),
    create: visibility.mayCreate(name),
    update: extent(visibility.updates(name), object),
    delete: extent(visibility.deletes(name), object),
    fields: Object.fromEntries(
      shown.map((field) => [field.name, !field.isReadonly && visibility.writes(name, field.name) ? 'write' : 'read']),
    ),
  };
}

/** How many rows the rule and the object's own condition admit, without their contents, which may name hidden fields. */
function extent(rule: RowsRule, { condition }: ObjectDef): 'all' | 'some' | 'none' {
  return typeof rule === 'string' && (rule === 'none' || !condition) ? rule : 'some';
}
