/** Reads an organization's metadata: one statement, one JSON document, one Model. */
import { parseJson } from '../lib/json.ts';
import type { Database, Rows } from '../postgres/database.ts';
import { identifier, sql, statement, type Sql } from '../postgres/sql.ts';
import { buildModel } from './build.ts';
import type { OrganizationRef, StoredModel } from './definition.ts';
import type { Model } from './model.ts';

/** The model as it is committed now. */
export async function loadModel(database: Database, organization: OrganizationRef): Promise<Model> {
  return (await loadMeasured(database, organization)).model;
}

/** As `loadModel`, with about as many bytes as the model takes. */
export async function loadMeasured(
  database: Database,
  organization: OrganizationRef,
): Promise<{ readonly model: Model; readonly bytes: number }> {
  const [result] = await database.read(organization.id, [statement(modelQuery(organization.schema))]);
  const document = documentOf(result);
  const stored = readDocument(document);
  return { model: buildModel(organization, stored), bytes: bytesOf(document, stored) };
}

/** What `modelQuery` answers. */
export function readStoredModel(result: Rows | undefined): StoredModel {
  return readDocument(documentOf(result));
}

function documentOf(result: Rows | undefined): string {
  const document = result?.rows[0]?.[0];
  if (typeof document !== 'string') throw new Error('There is no row in _organization');
  return document;
}

function readDocument(document: string): StoredModel {
  // Only Kith writes these tables, in the shape of StoredModel.
  return parseJson(document) as unknown as StoredModel;
}

/**
 * Measured: three bytes for each character of the document, 56 for each of an expression, which is kept as a tree, and 130 for
 * each option, which is looked up by four names. What else is remembered with a model, of fields and columns, is in the first.
 */
function bytesOf(document: string, { objects }: StoredModel): number {
  const fields = objects
    .flatMap((object) => object.fields)
    .flatMap((field) => [field, ...(field.definition.junctionFields ?? [])]);
  let [expressions, options] = [0, 0];
  for (const { definition } of fields) {
    expressions += definition.calculation?.expression.length ?? 0;
    options += definition.options?.length ?? 0;
  }
  return 4 * document.length + 60 * expressions + 150 * options;
}

/** Versions travel as text: they are bigint. */
export function modelQuery(schema: string): Sql {
  const table = (name: string) => identifier(schema, name);
  return sql`select json_build_object(
    'name', o.name, 'currency', o.currency, 'timezone', o.timezone,
    'version', o.model_version::text, 'epoch', o.epoch::text,
    'objects', (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'definition', t.definition,
        'fields', (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'definition', f.definition)
          order by f.position, f.id), '[]'::json) from ${table('_fields')} f where f.object_id = t.id))
      order by t.position, t.id), '[]'::json) from ${table('_objects')} t),
    'pipelines', (select coalesce(json_agg(json_build_object('id', p.id, 'object_id', p.object_id, 'name', p.name,
        'is_default', p.is_default,
        'steps', (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'order_index', s.order_index,
          'definition', s.definition) order by s.order_index, s.id), '[]'::json)
          from ${table('_pipeline_steps')} s where s.pipeline_id = p.id))
      order by p.position, p.id), '[]'::json) from ${table('_pipelines')} p),
    'roles', (select coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'is_admin', r.is_admin,
        'permissions', r.permissions) order by r.position, r.id), '[]'::json) from ${table('_roles')} r)
  )::text from ${table('_organization')} o`;
}
