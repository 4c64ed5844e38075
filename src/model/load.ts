/** Loads an organization's metadata as one Model, by one statement with a row for each part. */
import { parseJson, type JsonObject } from '../lib/json.ts';
import { inSlices } from '../lib/slices.ts';
import type { Database, Rows } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { buildModel } from './build.ts';
import type { OrganizationRef, StoredModel } from './definition.ts';
import type { Model } from './model.ts';

/** The committed model. */
export async function loadModel(database: Database, organization: OrganizationRef): Promise<Model> {
  return (await loadMeasured(database, organization)).model;
}

/** The committed model, and its approximate size in bytes. */
export async function loadMeasured(
  database: Database,
  organization: OrganizationRef,
): Promise<{ readonly model: Model; readonly bytes: number }> {
  const [result] = await database.read(organization.id, [statement(modelQuery(organization.schema))]);
  const stored = await readStoredModel(result);
  return { model: buildModel(organization, stored), bytes: bytesOf(result, stored) };
}

/**
 * Parses the answer of `modelQuery` in slices: it may have four megabytes, and an unusual number in a label makes its
 * part be parsed value by value.
 */
export async function readStoredModel(result: Rows | undefined): Promise<StoredModel> {
  const parts = new Map<string, JsonObject[]>();
  await inSlices(result?.rows ?? [], ([kind, owner, document]) => {
    const key = keyOf(kind ?? '', owner ?? '');
    const known = parts.get(key) ?? [];
    // Only Kith writes these tables, in the shape of StoredModel.
    known.push(parseJson(document ?? '') as JsonObject);
    parts.set(key, known);
  });
  const of = (kind: string, owner: unknown = '') => parts.get(keyOf(kind, owner)) ?? [];
  const [organization] = of('organization');
  if (!organization) throw new Error('There is no row in _organization');
  return {
    ...organization,
    objects: of('object').map((object) => ({ ...object, fields: of('field', object['id']) })),
    pipelines: of('pipeline').map((pipeline) => ({ ...pipeline, steps: of('step', pipeline['id']) })),
    roles: of('role'),
  } as unknown as StoredModel;
}

function keyOf(kind: string, owner: unknown): string {
  return `${kind} ${String(owner)}`;
}

/**
 * Measured: three bytes per character of the documents, 56 per character of an expression, which is kept as a tree,
 * and 130 per option, which is found by four names. Other caches of fields and columns are included in the first.
 */
function bytesOf(result: Rows | undefined, { objects }: StoredModel): number {
  const length = (result?.rows ?? []).reduce((sum, [, , document]) => sum + (document?.length ?? 0), 0);
  const fields = objects
    .flatMap((object) => object.fields)
    .flatMap((field) => [field, ...(field.definition.junctionFields ?? [])]);
  let [expressions, options] = [0, 0];
  for (const { definition } of fields) {
    expressions += definition.calculation?.expression.length ?? 0;
    options += definition.options?.length ?? 0;
  }
  return 4 * length + 60 * expressions + 150 * options;
}

/** Versions travel as text: they are bigint. */
export function modelQuery(schema: string): Sql {
  const table = (name: string) => identifier(schema, name);
  return sql`select kind, owner, document::text from (
    select 'organization' as kind, null::uuid as owner, 0 as place, id, json_build_object('name', name, 'currency', currency,
        'timezone', timezone, 'version', model_version::text, 'epoch', epoch::text) as document
      from ${table('_organization')}
    union all select 'object', null, position, id, json_build_object('id', id, 'name', name, 'definition', definition)
      from ${table('_objects')}
    union all select 'field', object_id, position, id, json_build_object('id', id, 'name', name, 'definition', definition)
      from ${table('_fields')}
    union all select 'pipeline', null, position, id, json_build_object('id', id, 'object_id', object_id, 'name', name,
        'is_default', is_default)
      from ${table('_pipelines')}
    union all select 'step', pipeline_id, order_index, id, json_build_object('id', id, 'name', name,
        'order_index', order_index, 'definition', definition)
      from ${table('_pipeline_steps')}
    union all select 'role', null, position, id, json_build_object('id', id, 'name', name, 'is_admin', is_admin,
        'permissions', permissions)
      from ${table('_roles')}
  ) parts order by place, id`;
}
