/** Stored metadata → Model. Does no I/O. */
import { parseExpression } from '../fields/expressions/parse.ts';
import type { FieldDef } from '../fields/field-def.ts';
import type { PipelineDef } from '../fields/field-type.ts';
import { fieldType } from '../fields/registry.ts';
import type {
  OrganizationRef,
  StoredField,
  StoredModel,
  StoredObject,
  StoredPipeline,
  StoredRole,
} from './definition.ts';
import type { Model, ObjectDef, RoleDef } from './model.ts';
import { linkTableName } from './names.ts';

/** Builds the immutable model from stored metadata. */
export function buildModel(organization: OrganizationRef, stored: StoredModel): Model {
  const objects = stored.objects.map(buildObject);
  const objectNames = new Map(objects.map((object) => [object.id, object.name]));
  return {
    organizationId: organization.id,
    organizationName: stored.name,
    schema: organization.schema,
    version: stored.version,
    epoch: stored.epoch,
    currency: stored.currency,
    timeZone: stored.timezone,
    objects: new Map(objects.map((object) => [object.name, object])),
    pipelines: stored.pipelines.map((pipeline) => buildPipeline(pipeline, objectNames)),
    roles: new Map(stored.roles.map((role) => [role.id, buildRole(role)])),
  };
}

/** Builds a role: its permissions are by object name. */
export function buildRole(stored: StoredRole): RoleDef {
  return {
    id: stored.id,
    name: stored.name,
    isAdmin: stored.is_admin,
    permissions: new Map(Object.entries(stored.permissions)),
  };
}

function buildObject(stored: StoredObject): ObjectDef {
  const { definition } = stored;
  const fields = [...stored.fields.map(buildField), createdAt, updatedAt];
  const attributes = [identity, ...fields.flatMap((field) => fieldType(field.type).parts?.(field) ?? [field])];
  return {
    id: stored.id,
    kind: definition.kind ?? (definition.isSystem ? 'builtIn' : 'custom'),
    name: stored.name,
    table: definition.table ?? stored.name,
    label: definition.label,
    labelSingular: definition.labelSingular,
    isSystem: definition.isSystem,
    isHidden: definition.isHidden ?? false,
    iconName: definition.iconName,
    color: definition.color,
    displayField: definition.displayField,
    fields,
    attributes: new Map(attributes.map((field) => [field.name, field])),
    ownFields: definition.ownFields ?? ['owner', 'created_by'],
    ...(definition.condition && { condition: definition.condition }),
  };
}

/** Builds a field definition from stored metadata. */
export function buildField(stored: StoredField): FieldDef {
  const { definition } = stored;
  const { relationConfig, junctionFields, calculation, rollup, dependsOn } = definition;
  return {
    id: stored.id,
    name: stored.name,
    label: definition.label,
    type: definition.type,
    isRequired: definition.isRequired ?? false,
    isReadonly: definition.isReadonly ?? false,
    isSearchable: definition.isSearchable ?? false,
    isHidden: definition.isHidden ?? false,
    isUnique: definition.isUnique ?? false,
    defaultValue: definition.defaultValue ?? null,
    options: definition.options ?? null,
    ...(relationConfig && { relationConfig }),
    ...(relationConfig?.relationType === 'MANY_TO_MANY' && { linkTable: linkTableName(stored.id) }),
    ...(junctionFields && { junctionFields: junctionFields.map(buildField) }),
    ...(calculation && { calculation: { ...calculation, parsed: parseExpression(calculation.expression) } }),
    ...(rollup && { rollup }),
    ...(dependsOn !== undefined && { dependsOn }),
  };
}

function buildPipeline(stored: StoredPipeline, objectNames: ReadonlyMap<string, string>): PipelineDef {
  return {
    id: stored.id,
    name: stored.name,
    objectName: objectNames.get(stored.object_id) ?? '',
    isDefault: stored.is_default,
    steps: stored.steps.map((step) => ({
      id: step.id,
      name: step.name,
      order_index: step.order_index,
      kind: step.definition.kind,
      questions: step.definition.questions ?? [],
      forcedValues: step.definition.forced_values ?? {},
      defaultValues: step.definition.default_values ?? {},
    })),
  };
}

/**
 * Fields of every record. Their ids are the same everywhere: no metadata row, history entry or index refers to them.
 */
const identity = systemField('00000000-0000-7000-8000-000000000001', 'id', 'Id', 'ID');
const createdAt = systemField('00000000-0000-7000-8000-000000000002', 'created_at', 'Created at', 'DATETIME');
const updatedAt = systemField('00000000-0000-7000-8000-000000000003', 'updated_at', 'Updated at', 'DATETIME');

function systemField(id: string, name: string, label: string, type: FieldDef['type']): FieldDef {
  return buildField({ id, name, definition: { label, type, isReadonly: true } });
}
