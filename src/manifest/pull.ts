/** Writes the workspace as a manifest that changes nothing when applied to it. */
import type { Json, JsonObject } from '../lib/json.ts';
import { nextSlice } from '../lib/slices.ts';
import type { FieldDefinition, StoredField, StoredModel, StoredObject, StoredPipeline } from '../model/definition.ts';
import type { Call } from '../access/call.ts';
import { modelQuery, readStoredModel } from '../model/load.ts';
import { statement } from '../postgres/sql.ts';

/** Keys of a field's definition under the manifest's names, in readable order. */
const fieldKeys = [
  'type',
  'isRequired',
  'isReadonly',
  'isSearchable',
  'isHidden',
  'isUnique',
  'defaultValue',
  'options',
  'relationConfig',
  'dependsOn',
  'calculation',
  'rollup',
] as const satisfies readonly (keyof FieldDefinition)[];

/** Pulls the stored workspace as a manifest. */
export async function pullManifest({ workspace, model }: Call): Promise<JsonObject> {
  const [found] = await workspace.read(statement(modelQuery(model.schema), model.version));
  const stored = await readStoredModel(found);
  await nextSlice();
  return manifestOf(stored);
}

/** The manifest of a stored workspace. */
export function manifestOf(stored: StoredModel): JsonObject {
  const objectNames = new Map(stored.objects.map((object) => [object.id, object.name]));
  return {
    organization: { name: stored.name, currency: stored.currency, timezone: stored.timezone },
    // Managed objects are not part of a manifest.
    objects: stored.objects.filter(({ definition }) => definition.kind === undefined).map(objectOf),
    pipelines: stored.pipelines.map((pipeline) => pipelineOf(pipeline, objectNames.get(pipeline.object_id) ?? '')),
    roles: stored.roles.map(({ name, is_admin: isAdmin, permissions }) => ({
      name,
      isAdmin,
      permissions: asJson(permissions),
    })),
  };
}

function objectOf({ name, definition, fields }: StoredObject): JsonObject {
  const { label, labelSingular, iconName, color, isHidden = false, displayField } = definition;
  return { name, label, labelSingular, iconName, color, isHidden, displayField, fields: fields.map(fieldOf) };
}

function fieldOf({ name, definition }: StoredField): JsonObject {
  const said = fieldKeys.filter((key) => {
    const value = definition[key];
    return value !== undefined && value !== null && value !== false;
  });
  return {
    name,
    label: definition.label,
    ...Object.fromEntries(said.map((key) => [key, asJson(definition[key])])),
    ...(definition.junctionFields && { junctionFields: definition.junctionFields.map(fieldOf) }),
  };
}

function pipelineOf({ name, is_default: isDefault, steps }: StoredPipeline, objectName: string): JsonObject {
  return {
    name,
    objectName,
    isDefault,
    steps: steps.map(({ name: step, definition }) => ({ name: step, ...definition })).map(asJson),
  };
}

/** The cast is safe: definitions were read from JSON. */
function asJson(value: unknown): Json {
  return value as Json;
}
