/**
 * The initial workspace of every organization as data: objects, one pipeline, three roles. Ids are assigned on
 * provisioning.
 */
import { newId } from '../lib/id.ts';
import type {
  FieldDefinition,
  StoredField,
  StoredModel,
  StoredObject,
  StoredPipeline,
  StoredRole,
} from './definition.ts';
import { companies, contacts, opportunities, type BuiltInField, type BuiltInObject } from './built-in-objects.ts';
import { events, interactions, threads } from './internal-objects.ts';
import { notes, tasks } from './managed-objects.ts';

/** In the order of an organization's objects. */
export const builtInObjects: readonly BuiltInObject[] = [
  contacts,
  companies,
  opportunities,
  tasks,
  notes,
  threads,
  interactions,
  events,
];

/** A new workspace: the same for everybody except ids and settings. */
export function builtInModel(settings: {
  readonly name: string;
  readonly currency: string;
  readonly timezone: string;
}): StoredModel {
  const opportunity = storedObject(opportunities);
  return {
    ...settings,
    version: '1',
    epoch: '1',
    objects: builtInObjects.map((object) => (object === opportunities ? opportunity : storedObject(object))),
    pipelines: [salesPipeline(opportunity.id)],
    roles: builtInRoles(),
  };
}

/** The object as stored, with new ids. */
export function storedObject({ name, fields, ...definition }: BuiltInObject): StoredObject {
  return { id: newId(), name, definition: { ...definition, isSystem: true }, fields: fields.map(storedField) };
}

/** The field as stored, with a new id. */
export function storedField({ name, junctionFields, since: _, ...rest }: BuiltInField): StoredField {
  const definition: FieldDefinition = junctionFields
    ? { ...rest, junctionFields: junctionFields.map(storedField) }
    : rest;
  return { id: newId(), name, definition };
}

/**
 * What decides the storage of a field's values and search texts; the rest of a definition can change without a
 * migration.
 */
export function heldBy({ definition }: StoredField): readonly unknown[] {
  const { type, relationConfig, junctionFields, isUnique = false, isSearchable = false } = definition;
  return [type, relationConfig, junctionFields?.length ?? 0, isUnique, isSearchable];
}

function salesPipeline(objectId: string): StoredPipeline {
  const steps = [
    ['Lead', 'ongoing'],
    ['Qualified', 'ongoing'],
    ['Proposal', 'ongoing'],
    ['Negotiation', 'ongoing'],
    ['Won', 'won'],
    ['Lost', 'lost'],
  ] as const;
  return {
    id: newId(),
    object_id: objectId,
    name: 'Sales',
    is_default: true,
    steps: steps.map(([name, kind], index) => ({ id: newId(), name, order_index: index, definition: { kind } })),
  };
}

/** Permissions do not restrict an admin; they are listed for readers of the role. */
function builtInRoles(): readonly StoredRole[] {
  return [
    {
      id: newId(),
      name: 'Admin',
      is_admin: true,
      permissions: { '*': { view: 'all', create: true, update: 'all', delete: 'all' } },
    },
    {
      id: newId(),
      name: 'Member',
      is_admin: false,
      permissions: { '*': { view: 'all', create: true, update: 'all', delete: 'own' } },
    },
    {
      id: newId(),
      name: 'Viewer',
      is_admin: false,
      permissions: { '*': { view: 'all', create: false, update: 'none', delete: 'none' } },
    },
  ];
}
