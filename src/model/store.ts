/**
 * Writes metadata rows. A caller that changes metadata increments `_organization.model_version` in the same
 * transaction.
 */
import { identifier, sql, type Sql } from '../postgres/sql.ts';
import type { StoredModel, StoredObject, StoredPipeline, StoredRole } from './definition.ts';

/** Inserts or updates objects and their fields; positions are list indexes. */
export function insertObjects(schema: string, objects: readonly StoredObject[]): readonly Sql[] {
  const rows = objects.map(({ id, name, definition }, position) => ({ id, name, position, definition }));
  const fields = objects.flatMap((object) =>
    object.fields.map(({ id, name, definition }, position) => ({
      id,
      object_id: object.id,
      name,
      position,
      definition,
    })),
  );
  return [
    sql`insert into ${identifier(schema, '_objects')} (id, name, position, definition)
      select id, name, position, definition from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row (id uuid, name text, position integer, definition jsonb)
      on conflict (id) do update set name = excluded.name, position = excluded.position, definition = excluded.definition`,
    sql`insert into ${identifier(schema, '_fields')} (id, object_id, name, position, definition)
      select id, object_id, name, position, definition from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb)
        as row (id uuid, object_id uuid, name text, position integer, definition jsonb)
      on conflict (id) do update set name = excluded.name, position = excluded.position, definition = excluded.definition`,
  ];
}

/** Inserts or updates the pipelines and their steps, in order. */
export function insertPipelines(schema: string, pipelines: readonly StoredPipeline[]): readonly Sql[] {
  const rows = pipelines.map(({ steps: _, ...pipeline }, position) => ({ ...pipeline, position }));
  const steps = pipelines.flatMap((pipeline) => pipeline.steps.map((step) => ({ ...step, pipeline_id: pipeline.id })));
  return [
    sql`insert into ${identifier(schema, '_pipelines')} (id, object_id, name, is_default, position)
      select id, object_id, name, is_default, position from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row (id uuid, object_id uuid, name text, is_default boolean, position integer)
      on conflict (id) do update set name = excluded.name, is_default = excluded.is_default, position = excluded.position`,
    sql`insert into ${identifier(schema, '_pipeline_steps')} (id, pipeline_id, name, order_index, definition)
      select id, pipeline_id, name, order_index, definition from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb)
        as row (id uuid, pipeline_id uuid, name text, order_index integer, definition jsonb)
      on conflict (id) do update set name = excluded.name, order_index = excluded.order_index, definition = excluded.definition`,
  ];
}

/** Inserts or updates the roles, in order. */
export function insertRoles(schema: string, roles: readonly StoredRole[]): Sql {
  const rows = roles.map((role, position) => ({ ...role, position }));
  return sql`insert into ${identifier(schema, '_roles')} (id, name, is_admin, permissions, position)
    select id, name, is_admin, permissions, position from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (id uuid, name text, is_admin boolean, permissions jsonb, position integer)
    on conflict (id) do update set name = excluded.name, is_admin = excluded.is_admin, permissions = excluded.permissions,
      position = excluded.position`;
}

/** Deletes the rows of everything that is not in `kept`. */
export function deleteOthers(schema: string, kept: StoredModel): readonly Sql[] {
  const others = (table: string, parts: readonly { readonly id: string }[]) =>
    sql`delete from ${identifier(schema, table)} where id <> all(${parts.map((part) => part.id)}::uuid[])`;
  return [
    others(
      '_pipeline_steps',
      kept.pipelines.flatMap((pipeline) => pipeline.steps),
    ),
    others('_pipelines', kept.pipelines),
    others(
      '_fields',
      kept.objects.flatMap((object) => object.fields),
    ),
    others('_objects', kept.objects),
    others('_roles', kept.roles),
  ];
}
